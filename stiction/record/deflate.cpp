#include "stiction/record/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace stiction {

namespace {

constexpr std::size_t least_match = 3, most_match = 258, window = 32768, most_copied = 65535;
constexpr unsigned most_bits = 15, end_of_block = 256, first_length = 257;

/// A number as one of deflate's symbols and bits after it.
struct Coded {
  unsigned symbol = 0, extra_bits = 0, extra = 0;
};

constexpr Coded code_distance(std::size_t distance) {
  const auto d = static_cast<unsigned>(distance - 1);
  if (d < 4) return {d};
  const unsigned extra = static_cast<unsigned>(std::bit_width(d)) - 2;
  return {2 * extra + (d >> extra), extra, d & ((1u << extra) - 1)};
}

constexpr Coded code_length(std::size_t length) {
  if (length == most_match) return {first_length + 28};
  const auto l = static_cast<unsigned>(length - least_match);
  if (l < 8) return {first_length + l};
  const unsigned extra = static_cast<unsigned>(std::bit_width(l)) - 3;
  return {first_length + 4 * extra + (l >> extra), extra, l & ((1u << extra) - 1)};
}

constexpr auto coded_lengths = [] {
  std::array<Coded, most_match + 1> coded{};
  for (std::size_t length = least_match; length <= most_match; ++length) coded[length] = code_length(length);
  return coded;
}();

struct Match {
  std::size_t length = 0, lag = 0;
};

constexpr std::uint32_t to_token(const Match& match) {
  return static_cast<std::uint32_t>(match.length << 8 | match.lag << 24);
}

constexpr Match to_match(std::uint32_t token) {
  return {(token >> 8) & 0xffffu, token >> 24};
}

constexpr bool is_byte(std::uint32_t token) {
  return token < 256;
}

std::uint64_t load(const unsigned char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// How many bytes are equal, up to `most`.
std::size_t count_equal(const unsigned char* a, const unsigned char* b, std::size_t most) {
  std::size_t length = 0;
  for (; length + 8 <= most; length += 8)
    if (const std::uint64_t off = load(a + length) ^ load(b + length); off != 0)
      return length + static_cast<std::size_t>(std::countr_zero(off)) / 8;
  while (length < most && a[length] == b[length]) ++length;
  return length;
}

/// What some of its bytes say of a part.
struct Sample {
  double bits = 8.0;      ///< That a byte needs, about: Rényi's entropy of the second order.
  double repeated = 1.0;  ///< Share of bytes equal to those before them, at the lag that has most.
};

Sample take_sample(std::span<const unsigned char> part, std::span<const std::size_t> lags) {
  constexpr std::size_t pieces = 16, size = 64;
  constexpr double all = pieces * size;
  if (part.size() < 2 * pieces * size) return {};
  std::array<std::uint32_t, 256> counts{};
  std::array<std::uint32_t, 5> equal{};
  for (std::size_t piece = 1; piece <= pieces; ++piece) {
    const std::size_t end = part.size() / pieces * piece;
    for (std::size_t i = end - size; i < end; ++i) ++counts[part[i]];
    for (std::size_t lag = 0; lag < lags.size(); ++lag)
      for (std::size_t i = std::max(end - size, lags[lag]); i < end; ++i)
        equal[lag] += part[i] == part[i - lags[lag]] ? 1 : 0;
  }
  double pairs = 0.0;
  for (const double count : counts) pairs += count * (count - 1.0);
  return {-std::log2(std::max(pairs, 1.0) / (all * (all - 1.0))), *std::max_element(equal.begin(), equal.end()) / all};
}

/// A prefix code by symbol, its bits in the order of the stream.
template <std::size_t size>
struct PrefixCode {
  PrefixCode(const std::array<std::uint32_t, size>& counts, unsigned most) {
    find_code_lengths(counts, most, lengths);
    std::array<unsigned, most_bits + 1> of_length{}, next{};
    for (const std::uint8_t length : lengths) ++of_length[length];
    of_length[0] = 0;
    for (unsigned length = 1; length <= most; ++length) next[length] = 2 * (next[length - 1] + of_length[length - 1]);
    for (std::size_t symbol = 0; symbol < size; ++symbol) {
      unsigned left = next[lengths[symbol]]++, turned = 0;
      for (unsigned bit = 0; bit < lengths[symbol]; ++bit, left >>= 1) turned = 2 * turned + (left & 1u);
      codes[symbol] = static_cast<std::uint16_t>(turned);
    }
  }

  [[nodiscard]] std::size_t bits(const std::array<std::uint32_t, size>& counts) const {
    std::size_t sum = 0;
    for (std::size_t symbol = 0; symbol < size; ++symbol) sum += std::size_t{counts[symbol]} * lengths[symbol];
    return sum;
  }

  std::array<std::uint8_t, size> lengths{};
  std::array<std::uint16_t, size> codes{};
};

/// The lengths of codes as a block begins with them: as they are, or a symbol for some equal to the last or for zeros.
std::vector<Coded> code_lengths(std::span<const std::uint8_t> lengths) {
  constexpr unsigned repeat = 16, few_zeros = 17, many_zeros = 18;
  std::vector<Coded> coded;
  for (std::size_t i = 0; i < lengths.size();) {
    unsigned run = 1;
    while (i + run < lengths.size() && lengths[i + run] == lengths[i]) ++run;
    if (lengths[i] == 0 && run > 10) {
      run = std::min(run, 138u);
      coded.push_back({many_zeros, 7, run - 11});
    } else if (lengths[i] == 0 && run > 2) {
      coded.push_back({few_zeros, 3, run - 3});
    } else if (i > 0 && lengths[i] == lengths[i - 1] && run > 2) {
      run = std::min(run, 6u);
      coded.push_back({repeat, 2, run - 3});
    } else {
      run = 1;
      coded.push_back({lengths[i]});
    }
    i += run;
  }
  return coded;
}

/// Without the zeros at the end, but not fewer than `least`.
std::span<const std::uint8_t> trim(std::span<const std::uint8_t> lengths, std::size_t least) {
  while (lengths.size() > least && lengths.back() == 0) lengths = lengths.first(lengths.size() - 1);
  return lengths;
}

}  // namespace

void find_code_lengths(std::span<const std::uint32_t> counts, unsigned most, std::span<std::uint8_t> lengths) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;  // count and symbol
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol)
    if (counts[symbol] > 0) order.emplace_back(counts[symbol], symbol);
  for (std::size_t symbol = 0; order.size() < 2; ++symbol)
    if (counts[symbol] == 0) order.emplace_back(1, symbol);
  std::sort(order.begin(), order.end());
  // Huffman's tree: the leaves by weight, then the inner nodes, which come by weight of themselves.
  struct Node {
    std::uint64_t weight = 0;
    std::size_t parent = 0;
    unsigned depth = 0;
  };
  const std::size_t leaves = order.size(), root = 2 * leaves - 2;
  std::vector<Node> nodes(root + 1);
  for (std::size_t i = 0; i < leaves; ++i) nodes[i].weight = order[i].first;
  for (;;) {
    std::size_t leaf = 0, inner = leaves;
    for (std::size_t node = leaves; node <= root; ++node) {
      nodes[node].weight = 0;
      for (int child = 0; child < 2; ++child) {
        const bool is_leaf = leaf < leaves && (inner == node || nodes[leaf].weight <= nodes[inner].weight);
        Node& lightest = nodes[is_leaf ? leaf++ : inner++];
        lightest.parent = node;
        nodes[node].weight += lightest.weight;
      }
    }
    for (std::size_t node = root; node-- > 0;) nodes[node].depth = nodes[nodes[node].parent].depth + 1;
    if (nodes.front().depth <= most) break;  // the lightest is the deepest
    for (std::size_t i = 0; i < leaves; ++i) nodes[i].weight = (nodes[i].weight + 1) / 2;  // a flatter tree
  }
  std::fill(lengths.begin(), lengths.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < leaves; ++i) lengths[order[i].second] = static_cast<std::uint8_t>(nodes[i].depth);
}

void DeflateWriter::begin(std::size_t size, std::size_t parts) {
  // No part needs more than its copy: five bytes for each piece of it. put() writes eight bytes at once.
  constexpr std::size_t ends = 64;
  out_.resize(size + 5 * (size / most_copied + parts) + ends);
  out_[0] = 0x78;  // deflate, with a window of 32 kB,
  out_[1] = 0x01;  // fast
  stream_ = {.end = out_.data() + 2};
  check_ = 1;
}

void DeflateWriter::add(std::span<const unsigned char> part, std::size_t period) {
  if (part.empty()) return;
  check_ = static_cast<std::uint32_t>(adler32_z(check_, part.data(), part.size()));
  std::array<std::size_t, most_lags> lags{1};
  std::size_t count = 1;
  for (std::size_t times = 1; times < most_lags; ++times)
    if (const std::size_t lag = times * period; lag > 1 && lag <= window) lags[count++] = lag;
  Lags all = std::span(lags).first(count);
  const Sample sample = take_sample(part, all);
  // A repetition has three bytes at least: of single ones that repeat so seldom, next to none.
  constexpr double noise_bits = 7.5, seldom = 0.35;
  if (sample.repeated < seldom && sample.bits > noise_bits) return add_copy(part);
  if (sample.repeated < seldom) all = {};
  find_tokens(part, all, sample.bits);
  if (!add_coded(part.size(), all)) add_copy(part);
}

/// At each place the longest repetition, if it takes less than its bytes with so many bits do, or else the byte.
void DeflateWriter::find_tokens(std::span<const unsigned char> part, Lags lags, double byte_bits) {
  tokens_.clear();
  counts_ = {};
  lag_counts_ = {};
  counts_[end_of_block] = 1;
  if (lags.empty()) {
    tokens_.assign(part.begin(), part.end());
    for (const unsigned char byte : part) ++counts_[byte];
    return;
  }
  constexpr double match_bits = 15.0, least_bits = 1.25;
  const auto least = static_cast<std::size_t>(std::ceil(match_bits / std::max(byte_bits, least_bits)));
  const unsigned char* const bytes = part.data();
  const auto add_byte = [&](unsigned char byte) {
    tokens_.push_back(byte);
    ++counts_[byte];
  };
  constexpr std::size_t word = 8;
  constexpr std::uint64_t three_bytes = 0xffffff;
  std::size_t i = 0;
  while (i + word <= part.size()) {
    const std::size_t most = std::min(most_match, part.size() - i);
    const std::uint64_t here = load(bytes + i);
    Match best;
    for (std::size_t lag = 0; lag < lags.size() && lags[lag] <= i && best.length < most; ++lag) {
      const unsigned char* const before = bytes + i - lags[lag];
      if (((here ^ load(before)) & three_bytes) != 0) continue;
      const std::size_t length = count_equal(bytes + i, before, most);
      if (length > best.length) best = {length, lag};
    }
    if (best.length < std::max(least, least_match)) {
      add_byte(bytes[i++]);
      continue;
    }
    tokens_.push_back(to_token(best));
    ++counts_[coded_lengths[best.length].symbol];
    ++lag_counts_[best.lag];
    i += best.length;
  }
  for (; i < part.size(); ++i) add_byte(bytes[i]);
}

/// The tokens in the code that suits them; not where that saves less than 2 % of the part's size.
bool DeflateWriter::add_coded(std::size_t size, Lags lags) {
  std::array<Coded, most_lags> coded_lags;
  std::array<std::uint32_t, distances> lag_counts{};
  for (std::size_t lag = 0; lag < lags.size(); ++lag) {
    coded_lags[lag] = code_distance(lags[lag]);
    lag_counts[coded_lags[lag].symbol] += lag_counts_[lag];
  }
  const PrefixCode code(counts_, most_bits);
  const PrefixCode lag_code(lag_counts, most_bits);

  // The two codes' lengths, in a third code, whose lengths stand in an order of their own.
  const auto lengths = trim(code.lengths, first_length), lag_lengths = trim(lag_code.lengths, 1);
  std::vector<std::uint8_t> both(lengths.begin(), lengths.end());
  both.insert(both.end(), lag_lengths.begin(), lag_lengths.end());
  const std::vector<Coded> heading = code_lengths(both);
  std::array<std::uint32_t, 19> heading_counts{};
  for (const Coded& coded : heading) ++heading_counts[coded.symbol];
  constexpr unsigned most_heading_bits = 7;
  const PrefixCode heading_code(heading_counts, most_heading_bits);
  constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> ordered{};
  for (std::size_t i = 0; i < order.size(); ++i) ordered[i] = heading_code.lengths[order[i]];
  const auto heading_lengths = trim(ordered, 4);

  std::size_t bits = 17 + 3 * heading_lengths.size() + heading_code.bits(heading_counts) + code.bits(counts_) +
                     lag_code.bits(lag_counts);
  for (const Coded& coded : heading) bits += coded.extra_bits;
  for (std::size_t lag = 0; lag < lags.size(); ++lag)
    bits += std::size_t{lag_counts_[lag]} * coded_lags[lag].extra_bits;
  for (unsigned l = 8; l < 28; ++l) bits += std::size_t{counts_[first_length + l]} * (l / 4 - 1);
  if (bits > 8 * size / 50 * 49) return false;

  BitWriter stream = stream_;  // a copy that the bytes written cannot be part of
  stream.put(0b100, 3);
  stream.put(lengths.size() - first_length, 5);
  stream.put(lag_lengths.size() - 1, 5);
  stream.put(heading_lengths.size() - 4, 4);
  for (const std::uint8_t length : heading_lengths) stream.put(length, 3);
  for (const Coded& coded : heading) {
    stream.put(heading_code.codes[coded.symbol], heading_code.lengths[coded.symbol]);
    stream.put(coded.extra, coded.extra_bits);
  }
  for (const std::uint32_t token : tokens_) {
    if (is_byte(token)) {
      stream.put(code.codes[token], code.lengths[token]);
      continue;
    }
    const Match match = to_match(token);
    const Coded &length = coded_lengths[match.length], &lag = coded_lags[match.lag];
    unsigned count = code.lengths[length.symbol];
    std::uint64_t all = code.codes[length.symbol] | std::uint64_t{length.extra} << count;
    count += length.extra_bits;
    all |= std::uint64_t{lag_code.codes[lag.symbol]} << count;
    count += lag_code.lengths[lag.symbol];
    stream.put(all | std::uint64_t{lag.extra} << count, count + lag.extra_bits);
  }
  stream.put(code.codes[end_of_block], code.lengths[end_of_block]);
  stream_ = stream;
  return true;
}

void DeflateWriter::add_copy(std::span<const unsigned char> part) {
  while (!part.empty()) {
    const std::size_t size = std::min(part.size(), most_copied);
    stream_.put(0b000, 3);
    stream_.align();
    stream_.put(size | (~size & 0xffffu) << 16, 32);
    std::memcpy(stream_.end, part.data(), size);
    stream_.end += size;
    part = part.subspan(size);
  }
}

Bytes DeflateWriter::finish() {
  stream_.put(0b011, 10);  // a last block that holds nothing
  stream_.align();
  for (const unsigned shift : {24u, 16u, 8u, 0u}) stream_.put((check_ >> shift) & 0xffu, 8);
  return {out_.data(), stream_.end};
}

}  // namespace stiction
