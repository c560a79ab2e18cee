#include "stiction/record/record_column.h"

#include <gtest/gtest.h>

#include <array>

namespace stiction {
namespace {

std::vector<double> doubles_of(const Bytes& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST(RecordColumn, VectorsAreGatheredByComponent) {
  RecordColumn column({.path = "x", .row = {2, 3}});
  EXPECT_EQ(column.parts(), 3u);
  for (int i = 0; i < 2 * 6 + 3; ++i) column.add(i);
  EXPECT_EQ(column.extent().rows, 2u) << "the third is not whole";
  const auto tails = column.copy_tails();
  ASSERT_EQ(tails.size(), 3u);
  for (std::uint64_t part = 0; part < 3; ++part) {
    EXPECT_EQ(tails[part].part, part);
    EXPECT_EQ(tails[part].period, 2u) << "the same body's in the row before";
    const auto numbers = doubles_of(tails[part].bytes);
    ASSERT_EQ(numbers.size(), 2 * column.chunk_rows());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(numbers[i], 3.0 * static_cast<double>(i) + static_cast<double>(part));
    EXPECT_EQ(numbers.back(), 0.0);
    EXPECT_EQ(tails[part].unused, numbers.size() - 5);
  }
}

TEST(RecordColumn, ChunksFillAndAreTakenOnce) {
  RecordColumn column({.path = "x"});
  const std::uint64_t rows = 2 * column.chunk_rows() + 1;
  for (std::uint64_t i = 0; i < rows; ++i) column.add(static_cast<double>(i));
  EXPECT_EQ(column.extent().rows, rows);
  EXPECT_EQ(column.extent().full_chunks, 2u);
  const auto full = column.take_full();
  ASSERT_EQ(full.size(), 2u);
  EXPECT_EQ(full[1].index, 1u);
  EXPECT_EQ(doubles_of(full[1].bytes).front(), static_cast<double>(column.chunk_rows()));
  EXPECT_FALSE(column.has_full());
  EXPECT_EQ(column.copy_tails().at(0).index, 2u);
}

TEST(RecordColumn, VectorsAndTheirNumbersAreTheSame) {
  for (const ColumnType type : {ColumnType::f64, ColumnType::i32}) {
    RecordColumn vectors({.path = "x", .type = type, .row = {3}}), numbers = vectors;
    for (int i = 0; i < 5000; ++i) {
      vectors.add(std::array{1.0 * i, 2.0 * i, 3.0 * i});
      for (const double x : {1.0 * i, 2.0 * i, 3.0 * i}) numbers.add(x);
    }
    vectors.add(7.0);
    vectors.add(std::array{8.0, 9.0});  // across the parts
    for (const double x : {7.0, 8.0, 9.0}) numbers.add(x);
    EXPECT_EQ(vectors.extent().rows, 5001u);
    const auto one = vectors.take_full(), other = numbers.take_full();
    ASSERT_EQ(one.size(), other.size());
    EXPECT_EQ(one.size(), 6u);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].bytes, other[i].bytes);
    for (std::size_t part = 0; part < 3; ++part)
      EXPECT_EQ(vectors.copy_tails()[part].bytes, numbers.copy_tails()[part].bytes);
  }
}

TEST(RecordColumn, TypesAndRowsThatHoldNothing) {
  RecordColumn small({.path = "x", .type = ColumnType::u8}), words({.path = "y", .type = ColumnType::u32});
  small.add(200.0);
  words.add(4e9);
  EXPECT_EQ(small.copy_tails().at(0).bytes.at(0), 200);
  std::uint32_t word = 0;
  std::memcpy(&word, words.copy_tails().at(0).bytes.data(), sizeof word);
  EXPECT_EQ(word, 4'000'000'000u);
  const RecordColumn none({.path = "z", .row = {0, 3}});
  EXPECT_TRUE(none.is_empty());
  EXPECT_EQ(none.extent().rows, 0u);
  EXPECT_TRUE(none.copy_tails().empty());
}

// Of many bodies a chunk holds several frames, of their contacts too; of few, no more than it takes.
TEST(RecordColumn, ChunksHoldManyFrames) {
  const RecordColumn bodies({.path = "x", .row = {1000, 3}}), contacts({.path = "y", .row = {3}, .rows_at_once = 1000});
  EXPECT_GE(bodies.chunk_rows(), 16u);
  EXPECT_GE(contacts.chunk_rows(), 16'000u);
  EXPECT_EQ(RecordColumn({.path = "z", .row = {3}, .rows_at_once = 0}).chunk_rows(), 2048u);
  EXPECT_EQ(RecordColumn({.path = "huge", .row = {1'000'000, 3}}).chunk_rows(), 1u);
}

}  // namespace
}  // namespace stiction
