#include "stiction/study/event_history.h"

#include <gtest/gtest.h>

#include <vector>

namespace stiction {
namespace {

using enum EventKind;
using Events = std::vector<NamedEvent>;

TEST(EventHistory, TheSameEventsAtOtherTimesAreTheSame) {
  const Events a{{1.0, impact, "ball - floor"}, {2.0, slip, "ball - floor"}};
  const Events b{{1.1, impact, "ball - floor"}, {2.3, slip, "ball - floor"}};
  EXPECT_FALSE(find_other_event(a, b));
  EXPECT_FALSE(find_other_event({}, {}));
}

TEST(EventHistory, ContactsAtTheSameTimeMayComeInAnyOrder) {
  const Events a{{1.0, impact, "left"}, {1.0, impact, "right"}};
  const Events b{{1.0, impact, "right"}, {1.0, impact, "left"}};
  EXPECT_FALSE(find_other_event(a, b));
}

TEST(EventHistory, NamesTheFirstThatIsNotShared) {
  const Events reference{{1.0, impact, "a"}, {2.0, impact, "a"}, {3.0, slip, "b"}};
  EXPECT_EQ(find_other_event(Events{{1.0, impact, "a"}, {3.0, slip, "b"}}, reference).value(),
            "impact of a at t = 2 s is in the reference alone");
  EXPECT_EQ(find_other_event(Events{{0.5, take_off, "b"}, {1.0, impact, "a"}, {2.0, impact, "a"}, {3.0, slip, "b"}},
                             reference)
                .value(),
            "take_off of b at t = 0.5 s is not in the reference");
}

TEST(EventHistory, OtherKindsAreOtherEvents) {
  EXPECT_TRUE(find_other_event(Events{{1.0, slip, "a"}}, Events{{1.0, stick, "a"}}));
  EXPECT_TRUE(
      find_other_event(Events{{1.0, slip, "a"}, {1.5, stick, "a"}}, Events{{1.0, stick, "a"}, {1.5, slip, "a"}}));
}

}  // namespace
}  // namespace stiction
