#include "stiction/record/record_file.h"

#include <mutex>
#include <new>
#include <utility>

#include "stiction/record/worker_thread.h"

namespace stiction {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_waiting = 4;

}  // namespace

/// What both threads use. `store` belongs to the worker.
struct RecordFile::Shared {
  explicit Shared(RecordStore&& made) : store(std::move(made)), worker(most_waiting) {}

  /// Does it unless something went wrong before.
  template <class Work>
  void attempt(const Work& work) {
    {
      const std::scoped_lock lock(mutex);
      if (error) return;
    }
    std::optional<Error> failure;
    try {
      failure = work();
    } catch (const std::bad_alloc&) {
      failure = Error{"the record cannot be written: not enough memory"};
    }
    const std::scoped_lock lock(mutex);
    if (failure) error = std::move(failure);
  }

  RecordStore store;
  std::mutex mutex;  ///< Of what follows.
  std::optional<Error> error;
  int flushes = 0;  ///< Given and not done.
  Clock::duration flush_length{};
  WorkerThread worker;  ///< Last: it ends before what it uses.
};

Result<RecordFile> RecordFile::create(std::filesystem::path path, const RecordHeading& heading,
                                      std::vector<ColumnDef> columns, std::vector<NameList> lists) {
  std::vector<RecordColumn> made;
  made.reserve(columns.size());
  for (ColumnDef& def : columns) made.emplace_back(std::move(def));
  std::vector<std::vector<std::string>> names;
  names.reserve(lists.size());
  for (NameList& list : lists) names.push_back(std::exchange(list.names, {}));
  Result<RecordStore> store = RecordStore::create(std::move(path), heading, made, std::move(lists));
  if (!store) return Error{store.error()};
  RecordFile file(std::move(made), names.size(), std::move(store).value());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::string& name : names[i]) (void)file.add_name(i, std::move(name));
  return file;
}

RecordFile::RecordFile(std::vector<RecordColumn> columns, std::size_t lists, RecordStore store)
    : columns_(std::move(columns)),
      sent_rows_(columns_.size(), 0),
      new_names_(lists),
      names_(lists, 0),
      shared_(std::make_unique<Shared>(std::move(store))) {}

RecordFile::~RecordFile() = default;
RecordFile::RecordFile(RecordFile&& other) noexcept = default;

std::uint64_t RecordFile::add_name(std::size_t list, std::string name) {
  new_names_[list].push_back(std::move(name));
  return names_[list]++;
}

void RecordFile::hand_over() {
  std::vector<std::pair<std::size_t, RawChunk>> full;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].has_full())
      for (RawChunk& chunk : columns_[i].take_full()) full.emplace_back(i, std::move(chunk));
  if (full.empty()) return;
  shared_->worker.give([shared = shared_.get(), full = std::move(full)] {
    shared->attempt([&]() -> std::optional<Error> {
      for (const auto& [column, chunk] : full) shared->store.keep(column, chunk);
      return std::nullopt;
    });
  });
}

void RecordFile::give_flush(const RecordHeading& heading, bool keep_spare) {
  hand_over();
  RecordChange change;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    change.extents.push_back(columns_[i].extent());
    const bool is_new = sent_rows_[i] != change.extents[i].rows;
    change.tails.push_back(is_new ? columns_[i].copy_tails() : std::vector<RawChunk>{});
    sent_rows_[i] = change.extents[i].rows;
  }
  for (std::vector<std::string>& names : new_names_) change.names.push_back(std::exchange(names, {}));
  change.heading = heading;
  {
    const std::scoped_lock lock(shared_->mutex);
    ++shared_->flushes;
  }
  shared_->worker.give([shared = shared_.get(), change = std::move(change), keep_spare] {
    const auto start = Clock::now();
    shared->attempt([&] { return shared->store.write(change, keep_spare); });
    const std::scoped_lock lock(shared->mutex);
    shared->flush_length = Clock::now() - start;
    --shared->flushes;
  });
}

void RecordFile::begin_flush() {
  give_flush({}, true);
}

bool RecordFile::is_flushing() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->flushes > 0;
}

Clock::duration RecordFile::flush_length() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->flush_length;
}

std::optional<Error> RecordFile::error() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->error;
}

std::optional<Error> RecordFile::flush() {
  begin_flush();
  shared_->worker.wait();
  return error();
}

std::optional<Error> RecordFile::finish(const RecordHeading& last) {
  give_flush(last, false);
  shared_->worker.wait();
  const std::optional<Error> failure = error();
  if (failure) shared_->store.amend(last.attributes);
  return failure;
}

}  // namespace stiction
