#include "stiction/lcp/problem_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "stiction/base/random.h"

namespace stiction::lcp {
namespace {

using Problems = std::vector<StoredProblem>;

std::string error_of(std::string_view text, const ReadLimits& limits = {}) {
  const Result<Problems> result = parse_problems(text, "f.json", limits);
  if (result.ok()) return "no error";
  EXPECT_EQ(result.error().find('\n'), std::string::npos) << "an error is one line";
  EXPECT_LT(result.error().size(), 500u);
  return result.error();
}

std::string with_problem(const std::string& body) {
  return R"({"problems": [{"M": [[1]], "q": [0]}, {)" + body + "}]}";
}

bool same_bits(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.is_dense() == b.is_dense() && a.rows() == b.rows() && a.cols() == b.cols() &&
         same_bits(Vector(a.to_dense().reshaped()), Vector(b.to_dense().reshaped())) &&
         a.sparse().nonZeros() == b.sparse().nonZeros();
}

TEST(ProblemFile, ReadsTheMinimum) {
  const Result<Problems> result =
      parse_problems(R"({"problems": [{"name": "a", "M": [[1, 2], [3, 4.5]], "q": [-1, 2e-3]}]})", "f");
  ASSERT_TRUE(result.ok()) << result.error();
  ASSERT_EQ(result.value().size(), 1u);
  const StoredProblem& stored = result.value()[0];
  EXPECT_EQ(stored.problem.name, "a");
  EXPECT_EQ(stored.problem.M.dense(), (DenseMatrix(2, 2) << 1, 2, 3, 4.5).finished());
  EXPECT_EQ(stored.problem.q, (Vector(2) << -1, 2e-3).finished());
  EXPECT_TRUE(stored.problem.is_standard());
  EXPECT_EQ(stored.expect, Status::solved);
  EXPECT_FALSE(stored.basic_solutions.has_value());
}

TEST(ProblemFile, ReadsEveryKeyInAnyOrder) {
  const Result<Problems> result = parse_problems(R"({"made": {"by": [1, {}]}, "problems": [{
      "lower": [0, null, "-inf"], "upper": [2, "inf", null], "free": [2, 1], "basic_solutions": [[1, 2, 3], [4, 5, 6]],
      "expect": "infeasible", "source": "s", "must": "m", "min_eig_sym": -1, "note": [[["deep"]]], "q": [1, 2, 3],
      "M": {"triplets": [[0, 1, 7], [2, 0, -8]], "cols": 3, "rows": 3}, "name": "b"}], "made_at": null})",
                                                 "f");
  ASSERT_TRUE(result.ok()) << result.error();
  const StoredProblem& stored = result.value()[0];
  EXPECT_FALSE(stored.problem.M.is_dense());
  EXPECT_EQ(stored.problem.M.coefficient(0, 1), 7);
  EXPECT_EQ(stored.problem.M.coefficient(2, 0), -8);
  EXPECT_EQ(stored.problem.lower, (Vector(3) << 0, -infinity, -infinity).finished());
  EXPECT_EQ(stored.problem.upper, (Vector(3) << 2, infinity, infinity).finished());
  EXPECT_TRUE(stored.problem.is_free(1));
  EXPECT_EQ(stored.expect, Status::infeasible);
  EXPECT_EQ(stored.source + stored.must + stored.problem.name, "smb");
  ASSERT_EQ(stored.basic_solutions->size(), 2u);
  EXPECT_EQ((*stored.basic_solutions)[1], (Vector(3) << 4, 5, 6).finished());
}

TEST(ProblemFile, FreeAloneLeavesTheOthersNonnegative) {
  const Result<Problems> result =
      parse_problems(R"({"problems": [{"M": [[1, 0], [0, 1]], "q": [1, 2], "free": [1]}]})", "f");
  ASSERT_TRUE(result.ok()) << result.error();
  const Problem& problem = result.value()[0].problem;
  EXPECT_FALSE(problem.is_free(0));
  EXPECT_EQ(problem.lower_bound(0), 0.0);
  EXPECT_TRUE(problem.is_free(1));
  EXPECT_EQ(problem.name, "problem_0");
}

TEST(ProblemFile, SyntaxErrorsSayLineAndColumn) {
  EXPECT_EQ(error_of(""), "f.json: the file is empty, expected {\"problems\": [...]}");
  EXPECT_EQ(error_of(" \n\t "), "f.json: the file is empty, expected {\"problems\": [...]}");
  EXPECT_TRUE(error_of("hello").starts_with("f.json:1:1: not JSON: syntax error")) << error_of("hello");
  EXPECT_TRUE(error_of("{\"problems\":\n [{]}").starts_with("f.json:2:4: not JSON: "))
      << error_of("{\"problems\":\n [{]}");
  EXPECT_TRUE(error_of("{\"problems\": [{\"M\": [[1").starts_with("f.json:1:24: the text ends too early (truncated?)"))
      << error_of("{\"problems\": [{\"M\": [[1");
  EXPECT_TRUE(error_of("{} x").starts_with("f.json:1: top level: missing \"problems\""));
  EXPECT_TRUE(error_of(R"({"problems": [{"M": [[1]], "q": [0]}]} x)").starts_with("f.json:1:40: not JSON"));
  EXPECT_TRUE(error_of(std::string("\0\0\0", 3)).starts_with("f.json:1:1: not JSON: a zero byte"));
  EXPECT_TRUE(error_of("{\"problems\": [{\"name\": \"\xff\"").starts_with("f.json:1:25: not JSON"));
}

TEST(ProblemFile, RefusesNumbersThatAreNotFinite) {
  for (const char* literal : {"NaN", "nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf"})
    EXPECT_TRUE(error_of(with_problem("\"q\":\n [1, " + std::string(literal) + "]"))
                    .ends_with("NaN and infinity are not JSON, expected a finite number"))
        << literal << ": " << error_of(with_problem("\"q\":\n [1, " + std::string(literal) + "]"));
  EXPECT_NE(error_of(with_problem("\"q\": [1e999]")).find("too large for double precision"), std::string::npos);
  EXPECT_TRUE(error_of(with_problem("\"q\": [null]")).ends_with(": /problems/1/q/0: expected a number, found null"));
  EXPECT_NE(error_of(with_problem("\"M\": [[1]], \"q\": [1e-999]")).find("no error"), std::string::npos);
}

struct BadContent {
  const char* body;
  const char* message;
};

TEST(ProblemFile, ContentErrorsSayPointerAndExpectation) {
  const BadContent cases[] = {
      {R"("M": [[1, 2], [3]], "q": [1, 2])", "/problems/1/M/1: row has 1 entries, expected 2 as in row 0"},
      {R"("M": [[1, 2]], "q": [1])", "/problems/1/M: is 1 by 2, expected a square matrix"},
      {R"("M": [[1, 2], [3, 4]], "q": [1])", "/problems/1/q: has 1 entry, expected 2 since M is 2 by 2"},
      {R"("M": [[1]])", "/problems/1: missing \"q\" (an array of numbers)"},
      {R"("q": [1])", "/problems/1: missing \"M\" (an array of rows)"},
      {R"("M": [], "q": [])", "/problems/1/M: is empty, expected at least one row"},
      {R"("M": [[]], "q": [])", "/problems/1/M: is 1 by 0, expected a square matrix"},
      {R"("M": [1], "q": [1])", "/problems/1/M/0: expected a row, an array of numbers, found a number"},
      {R"("M": [["1"]], "q": [1])", "/problems/1/M/0/0: expected a number, found the string \"1\""},
      {R"("M": [[[1]]], "q": [1])", "/problems/1/M/0/0: expected a number, found an array"},
      {R"("M": 3)", "/problems/1/M: expected an array of rows, or {\"rows\", \"cols\", \"triplets\"}, found a number"},
      {R"("M": [[true]])", "/problems/1/M/0/0: expected a number, found true"},
      {R"("q": {})", "/problems/1/q: expected an array of numbers, found an object"},
      {R"("q": [1], "q": [1])", "/problems/1/q: key given twice, expected once"},
      {R"("name": 3)", "/problems/1/name: expected a string, found a number"},
      {R"("name": "")", "/problems/1/name: is empty, expected a name"},
      {R"("name": "a\nb")", "/problems/1/name: has a control character, expected printable text"},
      {R"("name": "problem_0", "M": [[1]], "q": [1])",
       "/problems/1/name: \"problem_0\" is taken, expected each name once in a file"},
      {R"("expect": "sloved")",
       "/problems/1/expect: expected \"solved\", \"infeasible\", \"ray\", \"iteration_limit\" or \"invalid\", found "
       "\"sloved\""},
      {R"("lwoer": [1])", "/problems/1/lwoer: unknown key, did you mean \"lower\"?"},
      {R"("m": [1])", "/problems/1/m: unknown key, did you mean \"M\"?"},
      {R"("M": [[1]], "q": [1], "lower": [0, 0])", "/problems/1/lower: has 2 entries, expected 1 since M is 1 by 1"},
      {R"("M": [[1]], "q": [1], "upper": [])", "/problems/1/upper: has 0 entries, expected 1 since M is 1 by 1"},
      {R"("M": [[1]], "q": [1], "lower": [2], "upper": [1])",
       "/problems/1: the bounds of variable 0 leave it no finite value; lower <= upper is needed, with a number "
       "between them"},
      {R"("lower": ["high"])",
       "/problems/1/lower/0: expected a number, null, \"inf\" or \"-inf\", found the string \"high\""},
      {R"("M": [[1]], "q": [1], "free": [1])", "/problems/1/free/0: is 1, expected an index from 0 to 0"},
      {R"("M": [[1]], "q": [1], "free": [0], "lower": [0])",
       "/problems/1/free/0: variable 0 cannot be free, \"lower\" or \"upper\" bounds it; write null there, or leave it "
       "out here"},
      {R"("free": [0.5])", "/problems/1/free/0: expected a whole number from 0 to 200000"},
      {R"("free": [-1])", "/problems/1/free/0: expected a whole number from 0 to 200000"},
      {R"("M": [[1]], "q": [1], "basic_solutions": [[1], [1, 2]])",
       "/problems/1/basic_solutions/1: has 2 entries, expected 1 since M is 1 by 1"},
      {R"("M": {"rows": 1, "triplets": []})",
       "/problems/1/M: missing \"cols\", expected \"rows\", \"cols\" and \"triplets\""},
      {R"("M": {"rows": 1, "row": 1})", "/problems/1/M/row: unknown key, did you mean \"rows\"?"},
      {R"("M": {"data": 1})", "/problems/1/M/data: unknown key, expected \"rows\", \"cols\" or \"triplets\""},
      {R"("M": {"rows": 1e9})", "/problems/1/M/rows: expected a whole number from 0 to 200000"},
      {R"("M": {"rows": 2, "cols": 2, "triplets": [[0, 2, 1]]}, "q": [1, 2])",
       "/problems/1/M/triplets/0: row 0, column 2 is outside M, expected 0 to 1"},
      {R"("M": {"rows": 2, "cols": 2, "triplets": [[0, 1, 1], [0, 1, 1]]}, "q": [1, 2])",
       "/problems/1/M/triplets: row 0, column 1 is given twice, expected each entry once"},
      {R"("M": {"triplets": [[0, 1]]})", "/problems/1/M/triplets/0: has 2 entries, expected [row, column, value]"},
      {R"("M": {"triplets": [[0, 1, 2, 3]]})",
       "/problems/1/M/triplets/0/3: too many entries, expected [row, column, value]"},
      {R"("M": {"triplets": [3]})", "/problems/1/M/triplets/0: expected [row, column, value], found a number"},
  };
  for (const BadContent& bad : cases)
    EXPECT_EQ(error_of(with_problem(bad.body)), std::string("f.json:1: ") + bad.message);
}

TEST(ProblemFile, ErrorsOfTheDocument) {
  EXPECT_EQ(error_of("[]"), "f.json:1: top level: expected an object {\"problems\": [...]}, found an array");
  EXPECT_EQ(error_of("3"), "f.json:1: top level: expected an object {\"problems\": [...]}, found a number");
  EXPECT_EQ(error_of("{\"problems\": []}"), "f.json:1: /problems: is empty, expected at least one problem");
  EXPECT_EQ(error_of("{\"problems\": {}}"), "f.json:1: /problems: expected an array of problems, found an object");
  EXPECT_EQ(error_of("{\"problems\":\n [\n3]}"),
            "f.json:3: /problems/0: expected a problem, an object with \"M\" and \"q\", found a number");
  EXPECT_EQ(error_of("{\"problem\": []}"), "f.json:1: /problem: unknown key, did you mean \"problems\"?");
}

TEST(ProblemFile, AMillionBracketsAreOneLine) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(error_of(deep), "f.json:1: top level: expected an object {\"problems\": [...]}, found an array");
  const std::string ignored = error_of("{\"notes\": " + deep);
  EXPECT_NE(ignored.find("nested deeper than 16 levels"), std::string::npos) << ignored;
  std::string objects = "{\"notes\": ";
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_NE(error_of(objects).find("nested deeper than 16 levels"), std::string::npos);
}

TEST(ProblemFile, LimitsHold) {
  ReadLimits limits;
  limits.file_bytes = 10;
  EXPECT_EQ(error_of("{\"problems\": []}", limits), "f.json: larger than the limit of 10 bytes");
  limits = {};
  limits.problems = 1;
  EXPECT_EQ(error_of(with_problem(""), limits),
            "f.json:1: /problems/1: too many problems, expected at most 1 in a file");
  limits = {};
  limits.dense_size = 2;
  EXPECT_EQ(
      error_of(R"({"problems": [{"M": [[1, 2, 3]]}]})", limits),
      "f.json:1: /problems/0/M/0/2: too many entries, expected at most 2 in dense M; larger problems can be sparse");
  EXPECT_EQ(error_of(R"({"problems": [{"M": [[1], [1], [1]]}]})", limits),
            "f.json:1: /problems/0/M/2: too many rows, expected at most 2 in dense M; larger problems can be sparse");
  limits.sparse_size = 2;
  EXPECT_EQ(error_of(R"({"problems": [{"q": [1, 2, 3]}]})", limits),
            "f.json:1: /problems/0/q/2: too many entries, expected at most 2");
  limits = {};
  limits.token_bytes = 100;
  const std::string message = "f.json:1: more than 100 bytes without a value, expected shorter strings and gaps";
  EXPECT_EQ(error_of("{\"problems\": [" + std::string(200, ' ') + "]}", limits), message);
  EXPECT_EQ(error_of("{\"problems\": [{\"name\": \"" + std::string(200, 'x') + "\"}]}", limits), message);
  EXPECT_EQ(error_of("{\"" + std::string(200, 'x') + "\": 1}", limits), message);
}

TEST(ProblemFile, WritesWhatReadsBackToTheSameBits) {
  Random random(7);
  Problems problems;
  for (int k = 0; k < 20; ++k) {
    const int n = random.integer(1, 6);
    StoredProblem stored;
    const auto number = [&] { return random.normal() * std::pow(10.0, random.integer(-300, 300)); };
    DenseMatrix M = DenseMatrix::NullaryExpr(n, n, number);
    M(0, 0) = -0.0;
    if (k % 2 == 0)
      stored.problem.M = M;
    else
      stored.problem.M = SparseMatrix(M.sparseView());
    stored.problem.q = Vector::NullaryExpr(n, number);
    stored.problem.name = "problem \"" + std::to_string(k) + "\" \xC3\xA9";
    if (k % 3 == 0) {
      stored.problem.lower = Vector::Constant(n, -infinity);
      stored.problem.upper = Vector::NullaryExpr(n, number);
    }
    stored.expect = static_cast<Status>(k % 5);
    stored.source = "line\nbreak";
    stored.must = k % 4 == 0 ? "" : "be solved";
    if (k % 5 == 0) stored.basic_solutions = {Vector::NullaryExpr(n, number)};
    if (k % 5 == 1) stored.basic_solutions.emplace();
    problems.push_back(stored);
  }
  const Result<std::string> text = to_json(problems);
  ASSERT_TRUE(text.ok()) << text.error();
  const Result<Problems> back = parse_problems(text.value(), "f");
  ASSERT_TRUE(back.ok()) << back.error();
  ASSERT_EQ(back.value().size(), problems.size());
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const StoredProblem& a = problems[k];
    const StoredProblem& b = back.value()[k];
    EXPECT_TRUE(same_bits(a.problem.M, b.problem.M)) << k;
    EXPECT_TRUE(same_bits(a.problem.q, b.problem.q)) << k;
    EXPECT_TRUE(same_bits(a.problem.lower, b.problem.lower)) << k;
    EXPECT_TRUE(same_bits(a.problem.upper, b.problem.upper)) << k;
    EXPECT_EQ(a.problem.name, b.problem.name);
    EXPECT_EQ(a.expect, b.expect);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.must, b.must);
    ASSERT_EQ(a.basic_solutions.has_value(), b.basic_solutions.has_value());
    if (a.basic_solutions) {
      EXPECT_EQ(*a.basic_solutions, *b.basic_solutions);
    }
  }
}

TEST(ProblemFile, WriterRefusesWhatNoReaderTakes) {
  StoredProblem stored;
  stored.problem = {"bad", DenseMatrix(DenseMatrix::Constant(1, 1, std::nan(""))), Vector::Zero(1)};
  const Result<std::string> text = to_json({&stored, 1});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error(), "problem 0 (bad): M[0][0] is not a finite number");
}

class ProblemFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("stiction_problem_file_" + std::to_string(::getpid()) + "_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ProblemFileOnDisk, WritesAndReads) {
  StoredProblem stored;
  stored.problem = {"one", DenseMatrix(DenseMatrix::Constant(1, 1, 0.1)), Vector::Constant(1, -1.0 / 3.0)};
  const std::filesystem::path path = folder_ / "one.json";
  ASSERT_FALSE(write_problems(path, {&stored, 1}).has_value());
  const Result<Problems> back = read_problems(path);
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_TRUE(same_bits(back.value()[0].problem.q, stored.problem.q));
  const auto files = std::filesystem::directory_iterator(folder_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary file is left";
}

TEST_F(ProblemFileOnDisk, SaysWhyAFileCannotBeReadOrWritten) {
  const auto error = [](const auto& path, const ReadLimits& limits = {}) {
    return read_problems(path, limits).error();
  };
  EXPECT_EQ(error(folder_), folder_.string() + ": is a folder, not a file");
  EXPECT_EQ(error(folder_ / "none.json"), (folder_ / "none.json").string() + ": no such file");

  StoredProblem stored;
  stored.problem = {"one", DenseMatrix(DenseMatrix::Identity(1, 1)), Vector::Zero(1)};
  ASSERT_FALSE(write_problems(folder_ / "one.json", {&stored, 1}).has_value());
  ReadLimits limits;
  limits.file_bytes = 20;
  EXPECT_EQ(error(folder_ / "one.json", limits),
            (folder_ / "one.json").string() + ": larger than the limit of 20 bytes; split it into several files");

  const auto failed = write_problems(folder_ / "none" / "one.json", {&stored, 1});
  ASSERT_TRUE(failed.has_value());
  EXPECT_NE(failed->message.find("cannot be written: No such file"), std::string::npos) << failed->message;
}

TEST(ProblemFile, TextbookProblemsAreReadAndTheirSolutionsCertify) {
  const char* folder = std::getenv("STICTION_DATA");  // NOLINT(concurrency-mt-unsafe): no other thread runs
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/data") / "lcp/textbook.json";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is not here; set STICTION_DATA to the folder of test data";
  const Result<Problems> result = read_problems(path);
  ASSERT_TRUE(result.ok()) << result.error();
  ASSERT_FALSE(result.value().empty());
  for (const StoredProblem& stored : result.value()) {
    EXPECT_FALSE(stored.source.empty());
    ASSERT_TRUE(stored.basic_solutions.has_value());
    for (const Vector& z : *stored.basic_solutions)
      EXPECT_LE(certify(stored.problem, z).residual, 1e-12) << stored.problem.name;
  }
}

}  // namespace
}  // namespace stiction::lcp
