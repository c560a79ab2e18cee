#include "stiction/sim/run_certificate.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

EnergyLedger ledger(double kinetic, double potential) {
  EnergyLedger energy;
  energy.is_closed = true;
  energy.start(kinetic, potential);
  return energy;
}

TEST(EnergyLedger, TellsEnergyThatComesFromNowhere) {
  EnergyLedger energy = ledger(1.0, 10.0);
  energy.add(2.0, 9.5);
  EXPECT_DOUBLE_EQ(energy.growth(0.0), 0.5);
  EXPECT_DOUBLE_EQ(energy.growth(0.2), 0.3);
  energy.is_closed = false;
  EXPECT_EQ(energy.growth(0.0), 0.0);
}

TEST(EnergyLedger, RememberingTheLargestItIsNotHiddenByALaterLoss) {
  EnergyLedger energy = ledger(1.0, 0.0);
  energy.add(3.0, 0.0);
  energy.add(0.5, 0.0);
  EXPECT_DOUBLE_EQ(energy.growth(0.0), 2.0);
}

// A stack at rest has no kinetic energy that the rounding of its potential energy could be small beside.
TEST(EnergyLedger, TakesNoRoundingForEnergy) {
  EnergyLedger energy = ledger(0.0, 12.0);
  energy.add(1e-30, 12.0 + 3.6e-15);
  EXPECT_EQ(energy.growth(0.0), 0.0);
  energy.add(1e-30, 12.0 + 1e-9);
  EXPECT_GT(energy.growth(0.0), 0.0);
}

}  // namespace
}  // namespace stiction
