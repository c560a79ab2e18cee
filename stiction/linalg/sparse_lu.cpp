#include "stiction/linalg/sparse_lu.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction::linalg {

namespace {

// The matrices come equilibrated, with entries near one. What elimination leaves below this is rounding.
constexpr double negligible = 1e-15;
// A pivot below this is taken for zero: its column depends on those before it.
constexpr double singular = 1e-12;
// Sparse elimination pays while less than this share of the active submatrix is filled.
constexpr double dense_share = 0.25;
constexpr int dense_at_most = 12;
// How many rows and columns the search for a pivot looks at.
constexpr int search_limit = 4;

}  // namespace

void SparseLu::Buckets::reset(int n) {
  head.assign(static_cast<std::size_t>(n) + 2, -1);
  next.assign(static_cast<std::size_t>(n), -1);
  previous.assign(static_cast<std::size_t>(n), -1);
  count.assign(static_cast<std::size_t>(n), -1);
}

void SparseLu::Buckets::insert(int item, int entries) {
  count[item] = entries;
  previous[item] = -1;
  next[item] = head[entries];
  if (next[item] >= 0) previous[next[item]] = item;
  head[entries] = item;
}

void SparseLu::Buckets::remove(int item) {
  if (count[item] < 0) return;
  if (previous[item] >= 0)
    next[previous[item]] = next[item];
  else
    head[count[item]] = next[item];
  if (next[item] >= 0) previous[next[item]] = previous[item];
  count[item] = -1;
}

void SparseLu::begin(int n) {
  n_ = n;
  input_starts_.assign(1, 0);
  input_rows_.clear();
  input_values_.clear();
}

void SparseLu::load() {
  const auto n = static_cast<std::size_t>(n_);
  rows_.assign(n, {});
  columns_.assign(n, {});
  for (const int row : input_rows_) ++rows_[row].room;
  int total = 0;
  for (List& list : rows_) {
    list.start = total;
    total += list.room;
  }
  row_columns_.resize(total);
  row_values_.resize(total);
  column_rows_.assign(input_rows_.begin(), input_rows_.end());
  for (int j = 0; j < n_; ++j) {
    columns_[j] = {input_starts_[j], input_starts_[j + 1] - input_starts_[j], input_starts_[j + 1] - input_starts_[j]};
    for (int p = input_starts_[j]; p < input_starts_[j + 1]; ++p) {
      List& list = rows_[input_rows_[p]];
      row_columns_[list.start + list.length] = j;
      row_values_[list.start + list.length] = input_values_[p];
      ++list.length;
    }
  }
  row_buckets_.reset(n_);
  column_buckets_.reset(n_);
  for (int i = 0; i < n_; ++i) row_buckets_.insert(i, rows_[i].length);
  for (int j = 0; j < n_; ++j) column_buckets_.insert(j, columns_[j].length);
  active_ = n_;
  work_ = 20.0 * static_cast<double>(input_rows_.size());  // moving the entries about
  active_entries_ = static_cast<long>(input_rows_.size());
  pivots_.clear();
  lower_rows_.clear();
  lower_values_.clear();
  upper_columns_.clear();
  upper_values_.clear();
  deficiency_.clear();
  spread_.assign(n, 0.0);
  mark_.assign(n, 0);
  stamp_ = 0;
}

void SparseLu::push_row_entry(int row, int column, double value) {
  List& list = rows_[row];
  if (list.length == list.room) {
    const int start = static_cast<int>(row_columns_.size());
    const int room = 2 * list.length + 4;
    row_columns_.resize(row_columns_.size() + room);
    row_values_.resize(row_values_.size() + room);
    std::copy_n(row_columns_.begin() + list.start, list.length, row_columns_.begin() + start);
    std::copy_n(row_values_.begin() + list.start, list.length, row_values_.begin() + start);
    list.start = start;
    list.room = room;
  }
  row_columns_[list.start + list.length] = column;
  row_values_[list.start + list.length] = value;
  ++list.length;
}

void SparseLu::push_column_entry(int column, int row) {
  List& list = columns_[column];
  if (list.length == list.room) {
    const int start = static_cast<int>(column_rows_.size());
    const int room = 2 * list.length + 4;
    column_rows_.resize(column_rows_.size() + room);
    std::copy_n(column_rows_.begin() + list.start, list.length, column_rows_.begin() + start);
    list.start = start;
    list.room = room;
  }
  column_rows_[list.start + list.length] = row;
  ++list.length;
}

void SparseLu::erase_from_column(int column, int row) {
  List& list = columns_[column];
  const auto first = column_rows_.begin() + list.start;
  const auto last = first + list.length;
  const auto it = std::find(first, last, row);
  *it = *(last - 1);
  --list.length;
}

double SparseLu::row_largest(int row) const {
  const List& list = rows_[row];
  double largest = 0.0;
  for (int p = list.start; p < list.start + list.length; ++p) largest = std::max(largest, std::abs(row_values_[p]));
  return largest;
}

/// Moves the pivot row into U and out of the active pattern.
void SparseLu::take_out_row(int row, int pivot_column) {
  const List& list = rows_[row];
  for (int p = list.start; p < list.start + list.length; ++p) {
    const int j = row_columns_[p];
    if (j == pivot_column) continue;
    upper_columns_.push_back(j);
    upper_values_.push_back(row_values_[p]);
    erase_from_column(j, row);
    column_buckets_.remove(j);
    column_buckets_.insert(j, columns_[j].length);
  }
  active_entries_ -= list.length;
  row_buckets_.remove(row);
  column_buckets_.remove(pivot_column);
  --active_;
}

void SparseLu::eliminate(int row, int column) {
  const List pivot_list = rows_[row];
  double pivot = 0.0;
  for (int p = pivot_list.start; p < pivot_list.start + pivot_list.length; ++p) {
    if (row_columns_[p] == column)
      pivot = row_values_[p];
    else
      spread_[row_columns_[p]] = row_values_[p];
  }
  pivots_.push_back(
      {row, column, pivot, static_cast<int>(lower_rows_.size()), static_cast<int>(upper_columns_.size())});

  scratch_.assign(column_rows_.begin() + columns_[column].start,
                  column_rows_.begin() + columns_[column].start + columns_[column].length);
  work_ += 10.0 * static_cast<double>(scratch_.size() - 1) * pivot_list.length;
  for (const int i : scratch_) {
    if (i == row) continue;
    List& list = rows_[i];
    int p = list.start;
    while (row_columns_[p] != column) ++p;
    const double multiplier = row_values_[p] / pivot;
    const int last = list.start + list.length - 1;
    row_columns_[p] = row_columns_[last];
    row_values_[p] = row_values_[last];
    --list.length;
    --active_entries_;
    lower_rows_.push_back(i);
    lower_values_.push_back(multiplier);

    ++stamp_;
    for (p = list.start; p < list.start + list.length;) {
      const int j = row_columns_[p];
      mark_[j] = stamp_;
      if (spread_[j] != 0.0) {
        row_values_[p] -= multiplier * spread_[j];
        if (std::abs(row_values_[p]) < negligible) {
          erase_from_column(j, i);
          column_buckets_.remove(j);
          column_buckets_.insert(j, columns_[j].length);
          const int end = list.start + list.length - 1;
          row_columns_[p] = row_columns_[end];
          row_values_[p] = row_values_[end];
          --list.length;
          --active_entries_;
          continue;
        }
      }
      ++p;
    }
    for (int s = pivot_list.start; s < pivot_list.start + pivot_list.length; ++s) {
      const int j = row_columns_[s];
      if (j == column || mark_[j] == stamp_) continue;
      const double fill = -multiplier * row_values_[s];
      if (std::abs(fill) < negligible) continue;
      push_row_entry(i, j, fill);
      push_column_entry(j, i);
      column_buckets_.remove(j);
      column_buckets_.insert(j, columns_[j].length);
      ++active_entries_;
    }
    row_buckets_.remove(i);
    row_buckets_.insert(i, rows_[i].length);
  }
  for (int p = pivot_list.start; p < pivot_list.start + pivot_list.length; ++p) spread_[row_columns_[p]] = 0.0;
  take_out_row(row, column);
}

bool SparseLu::choose_pivot(int& row, int& column, double threshold) {
  // Markowitz: the least (r - 1)(c - 1), among the shortest columns and rows (Duff, Erisman and Reid 1986,
  // section 7.2).
  long best = -1;
  double best_value = 0.0;
  int looked = 0;
  const auto consider = [&](int i, int j, double value, double largest) {
    if (std::abs(value) < threshold * largest || std::abs(value) < singular) return;
    const long cost = static_cast<long>(rows_[i].length - 1) * (columns_[j].length - 1);
    if (best < 0 || cost < best || (cost == best && std::abs(value) > best_value)) {
      best = cost;
      best_value = std::abs(value);
      row = i;
      column = j;
    }
  };
  for (int entries = 1; entries <= active_; ++entries) {
    if (best >= 0 && best <= static_cast<long>(entries - 1) * (entries - 1)) return true;
    for (int j = column_buckets_.head[entries]; j >= 0; j = column_buckets_.next[j]) {
      for (int p = columns_[j].start; p < columns_[j].start + columns_[j].length; ++p) {
        const int i = column_rows_[p];
        int s = rows_[i].start;
        while (row_columns_[s] != j) ++s;
        consider(i, j, row_values_[s], row_largest(i));
      }
      if (best >= 0 && ++looked >= search_limit) return true;
    }
    for (int i = row_buckets_.head[entries]; i >= 0; i = row_buckets_.next[i]) {
      const double largest = row_largest(i);
      for (int s = rows_[i].start; s < rows_[i].start + rows_[i].length; ++s)
        consider(i, row_columns_[s], row_values_[s], largest);
      if (best >= 0 && ++looked >= search_limit) return true;
    }
  }
  return best >= 0;
}

/// Pivots that cause no fill: a column with one active entry of good size needs no elimination.
void SparseLu::peel_singletons() {
  for (int j = column_buckets_.head[1]; j >= 0;) {
    const int following = column_buckets_.next[j];
    const int i = column_rows_[columns_[j].start];
    int s = rows_[i].start;
    while (row_columns_[s] != j) ++s;
    if (std::abs(row_values_[s]) >= singular) {
      eliminate(i, j);
      j = column_buckets_.head[1];
    } else {
      j = following;
    }
  }
}

void SparseLu::factorise(double threshold) {
  count_factorisation();
  load();
  peel_singletons();
  int row = -1, column = -1;
  while (active_ > dense_at_most &&
         static_cast<double>(active_entries_) < dense_share * static_cast<double>(active_) * active_ &&
         choose_pivot(row, column, threshold))
    eliminate(row, column);
  factorise_dense();
}

/// What is left is dense, or so small that lists do not pay.
void SparseLu::factorise_dense() {
  dense_rows_.clear();
  dense_columns_.clear();
  dense_of_column_.assign(static_cast<std::size_t>(n_), -1);
  for (int j = 0; j < n_; ++j)
    if (column_buckets_.count[j] >= 0) {
      dense_of_column_[j] = static_cast<int>(dense_columns_.size());
      dense_columns_.push_back(j);
    }
  for (int i = 0; i < n_; ++i)
    if (row_buckets_.count[i] >= 0) dense_rows_.push_back(i);
  dense_.resize(active_);
  for (int r = 0; r < active_; ++r) {
    const List& list = rows_[dense_rows_[r]];
    for (int p = list.start; p < list.start + list.length; ++p)
      dense_.at(r, dense_of_column_[row_columns_[p]]) = row_values_[p];
  }
  dense_.factorise();
  work_ += std::pow(static_cast<double>(active_), 3) / 12.0;
  for (int k = dense_.rank(); k < active_; ++k)
    deficiency_.push_back({dense_columns_[dense_.column_order()[k]], dense_rows_[dense_.row_order()[k]]});
  for (const Replaced& replaced : deficiency_)  // a unit column has nothing in the rows of U already stored
    for (std::size_t p = 0; p < upper_columns_.size(); ++p)
      if (upper_columns_[p] == replaced.column) upper_values_[p] = 0.0;
}

void SparseLu::solve(std::vector<double>& b) {
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    const Pivot& pivot = pivots_[k];
    const double value = b[pivot.row];
    if (value == 0.0) continue;
    const int end = k + 1 < pivots_.size() ? pivots_[k + 1].lower_start : static_cast<int>(lower_rows_.size());
    for (int p = pivot.lower_start; p < end; ++p) b[lower_rows_[p]] -= lower_values_[p] * value;
  }
  result_.resize(static_cast<std::size_t>(n_));
  spread_.resize(dense_rows_.size());
  for (std::size_t r = 0; r < dense_rows_.size(); ++r) spread_[r] = b[dense_rows_[r]];
  dense_.solve(spread_);
  for (std::size_t c = 0; c < dense_columns_.size(); ++c) result_[dense_columns_[c]] = spread_[c];
  int end = static_cast<int>(upper_columns_.size());
  for (std::size_t k = pivots_.size(); k-- > 0;) {
    const Pivot& pivot = pivots_[k];
    double value = b[pivot.row];
    for (int p = pivot.upper_start; p < end; ++p) value -= upper_values_[p] * result_[upper_columns_[p]];
    result_[pivot.column] = value / pivot.value;
    end = pivot.upper_start;
  }
  std::copy(result_.begin(), result_.end(), b.begin());
}

int SparseLu::determinant_sign() const {
  if (!deficiency_.empty()) return 0;
  std::vector<int> rows, columns;
  rows.reserve(static_cast<std::size_t>(n_));
  columns.reserve(static_cast<std::size_t>(n_));
  int sign = dense_.determinant_sign();
  for (const Pivot& pivot : pivots_) {
    rows.push_back(pivot.row);
    columns.push_back(pivot.column);
    if (pivot.value < 0.0) sign = -sign;
  }
  rows.insert(rows.end(), dense_rows_.begin(), dense_rows_.end());
  columns.insert(columns.end(), dense_columns_.begin(), dense_columns_.end());
  return sign * sort_parity(rows) * sort_parity(columns);
}

std::size_t SparseLu::fill() const {
  return pivots_.size() + lower_rows_.size() + upper_columns_.size() + dense_rows_.size() * dense_rows_.size();
}

}  // namespace stiction::linalg
