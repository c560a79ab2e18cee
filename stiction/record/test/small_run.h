#pragma once

#include "stiction/record/run_writer.h"

/// The runs that the tests of the record write.
namespace stiction::test {

inline const RunHeading small_heading{.name = "x", .scene = "{}", .settings = "{}", .version = "0"};

/// A ball that bounces beside one that slides: contacts, events and names come in while it runs.
inline Model make_bouncing() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.8});
  builder.add_body({.name = "bounces", .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {0.0, 0.0, 0.2}});
  builder.add_body({.name = "slides",
                    .mass = 2.0,
                    .shape = Sphere{.radius = 0.1},
                    .position = {0.0, 2.0, 0.1},
                    .velocity = {3.0, 0.0, 0.0}});
  return builder.build().value();
}

/// Runs to a time and records each step, and every so many a frame. The run's own answer, or what was wrong with the
/// record.
inline Result<long> record_until(Simulator& simulator, RunWriter& writer, double end, int every = 1) {
  const Result<long> steps = simulator.run_until(end, [&] {
    writer.add_step(simulator);
    if (simulator.certificate().steps % every == 0) writer.add_frame(simulator);
    writer.end_step();
    return !writer.error();
  });
  if (writer.error()) return *writer.error();
  return steps;
}

}  // namespace stiction::test
