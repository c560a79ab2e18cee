// The text form FCG1: what is written comes back, and what is wrong is told.
#include <gtest/gtest.h>

#include <string>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/cone/problem_file.h"

namespace stiction::cone {
namespace {

// Two bodies on one floor contact, as docs/problem_file.md has it: 2 kg that slides, and 3 kg that a joint holds to it.
constexpr const char* example = R"(FCG1 3
alpha 1
bodies 2
3
2 0 0
0 2 0
0 0 2
1
3
couplings 0
v
0 0 0 0
k
-2 6 8 0
contacts 1
0.5 0.5 0 -1
0 1 0 1
0 1 1 1
0 1 2 1
rows 1
-inf inf 0 0 2 0 1 3 -1
)";

TEST(FactorFile, TheExampleIsRead) {
  const Result<FactorForm> form = parse_factors(example, "folder/example.fcp");
  ASSERT_TRUE(form.ok()) << form.error();
  EXPECT_EQ(form.value().name, "example");
  EXPECT_EQ(form.value().velocities(), 4);
  EXPECT_EQ(DenseMatrix(form.value().M), DenseMatrix(Vector{{2.0, 2.0, 2.0, 3.0}}.asDiagonal()));
  const Result<Problem> problem = parse_problem(example, "folder/example.fcp");
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_EQ(problem.value().name, "example");
  // Along the normal the contact moves 5 kg, and its free speed is -2 / 5.
  EXPECT_NEAR(problem.value().W.to_dense()(0, 0), 0.2, 1e-14);
  EXPECT_NEAR(problem.value().q[0], -0.4, 1e-14);
  EXPECT_EQ(problem.value().mu2.size(), 0);
}

TEST(FactorFile, WhatIsWrittenComesBack) {
  for (const char* family : {"jointed", "spinning", "box_stack"}) {
    const FactorForm form = families::to_factor_form(families::find_family(family)->make({.contacts = 9, .seed = 4}));
    const Result<std::string> text = to_text(form);
    ASSERT_TRUE(text.ok()) << text.error();
    const Result<FactorForm> back = parse_factors(text.value(), "a.fcp");
    ASSERT_TRUE(back.ok()) << back.error();
    EXPECT_EQ(DenseMatrix(back.value().M), DenseMatrix(form.M)) << family;
    EXPECT_EQ(DenseMatrix(back.value().H), DenseMatrix(form.H));
    EXPECT_EQ(DenseMatrix(back.value().G), DenseMatrix(form.G));
    EXPECT_EQ(back.value().f, form.f);
    EXPECT_EQ(back.value().b, form.b);
    EXPECT_EQ(back.value().d, form.d);
    EXPECT_EQ(back.value().mu, form.mu);
    const Result<std::string> again = to_text(back.value());
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value(), text.value());
  }
}

// How it must end is part of the file, in both forms, and condensed too; comments are for people.
TEST(FactorFile, WhatIsExpectedComesBack) {
  using lcp::Status;
  for (const Status status :
       {Status::solved, Status::infeasible, Status::ray, Status::iteration_limit, Status::invalid}) {
    const std::string ending = "# nothing else\n expect " + std::string(to_string(status)) + " # and why\n";
    const Result<FactorForm> form = parse_factors("# source: a test 7\n" + (example + ending), "a.fcp");
    ASSERT_TRUE(form.ok()) << form.error();
    EXPECT_EQ(form.value().expect, status);
    EXPECT_EQ(parse_factors(to_text(form.value()).value(), "a.fcp").value().expect, status);
    const Problem problem = parse_problem(example + ending, "a.fcp").value();
    EXPECT_EQ(problem.expect, status);
    EXPECT_EQ(parse_problem(to_text(problem).value(), "a.fcp").value().expect, status);
  }
  EXPECT_EQ(parse_factors(example, "a.fcp").value().expect, Status::solved);
  EXPECT_EQ(parse_factors(example + std::string("# two\n#lines\nexpect sovled"), "f.fcp").error(),
            "f.fcp:24: found \"sovled\", expected solved, infeasible, ray, iteration_limit or invalid");
  EXPECT_NE(parse_factors(example + std::string("expect solved 1"), "f.fcp").error().find("found \"1\", expected the"),
            std::string::npos);
}

// A full M of eight velocities is written in pieces of six and two with their couplings.
TEST(FactorFile, LargeBlocksAreCoupled) {
  FactorForm form{.dimension = 2};
  const DenseMatrix M = DenseMatrix::Constant(8, 8, 0.25) + 2.0 * DenseMatrix::Identity(8, 8);
  form.M = M.sparseView();
  form.f = Vector::LinSpaced(8, -1.0, 1.0);
  form.H.resize(8, 2);
  form.H.insert(7, 0) = 1.0;
  form.b = Vector::Zero(2);
  form.mu = Vector::Zero(1);
  const Result<std::string> text = to_text(form);
  ASSERT_TRUE(text.ok()) << text.error();
  EXPECT_NE(text.value().find("bodies 2\n6\n"), std::string::npos);
  EXPECT_NE(text.value().find("couplings 2\n0 1\n"), std::string::npos);
  const Result<FactorForm> back = parse_factors(text.value(), "a.fcp");
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(DenseMatrix(back.value().M), M);
}

TEST(FactorFile, WhatIsWrongIsTold) {
  const auto error_of = [](const std::string& from, const std::string& to) {
    std::string text = example;
    const auto at = text.find(from);
    if (at == std::string::npos) return std::string("not found: ") + from;
    text.replace(at, from.size(), to);
    const Result<Problem> problem = parse_problem(text, "f.fcp");
    return problem ? std::string("accepted") : problem.error();
  };
  EXPECT_EQ(error_of("FCG1 3", "FCG1 4"), "f.fcp:1: found \"4\", expected the dimension, a whole number from 2 to 3");
  EXPECT_EQ(error_of("alpha 1", "alpha 2"), "f.fcp: alpha is 2.000000, expected a number above 0 and up to 1");
  EXPECT_EQ(error_of("couplings 0", "contacts 0"), "f.fcp:10: found \"contacts\", expected the word couplings");
  EXPECT_EQ(error_of("couplings 0", "couplings 1\n1 1 5"),
            "f.fcp:11: body 1 is coupled to itself, expected two bodies");
  EXPECT_EQ(error_of("0 1 2 1\nrows", "0 1 4 1\nrows"),
            "f.fcp:19: found \"4\", expected a velocity, a whole number from 0 to 3");
  EXPECT_EQ(error_of("-inf inf", "nan inf"),
            "f.fcp:21: found \"nan\", expected the lower bound, a number, inf or -inf");
  EXPECT_EQ(error_of("3 -1\n", "3 -1 7\n"), "f.fcp:21: found \"7\", expected the end of the file or expect");
  EXPECT_EQ(error_of("3 -1\n", "3"),
            "f.fcp:21: found the end of the file, expected an entry of a row, a finite number");
  EXPECT_EQ(error_of("1\n3\ncouplings", "1\n0\ncouplings"), "f.fcp: M is singular, expected a regular mass matrix");
  EXPECT_EQ(error_of("contacts 1\n0.5 0.5 0 -1", "contacts 1\n0.5 0.5 0 0"),
            "f.fcp: the normal of contact 0 is not empty, and its bearer is contact 0");
}

}  // namespace
}  // namespace stiction::cone
