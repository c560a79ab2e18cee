// What the schemes pose in the scenes of the project is whole in the blocks: nothing is written past them.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "stiction/contact/test/with_blocks.h"
#include "stiction/scene/test/scene_files.h"
#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

TEST(StepBlocksOfScenes, SayTheSameAsTheRows) {
  int problems = 0, wide = 0, several = 0, planar = 0, coupled = 0;
  for (const SceneFile& file : scene_files()) {
    for (const char* name : {"stewart_trinkle", "anitescu_potra", "trapezoidal"}) {
      Result<Scene> scene = parse_scene(file.text, file.path, std::vector{"/simulation/scheme=" + std::string(name)});
      if (!scene.ok()) continue;
      const double h = scene.value().settings.simulation.end / 200.0;
      SceneRun run(std::move(scene).value(), h);
      for (int step = 0; step < 12; ++step) {
        run.step(h);
        const StepProblem& problem = run->last_problem();
        if (!problem.has_blocks() || problem.velocities() == 0) continue;
        ASSERT_EQ(difference_of_blocks(problem), "") << file.path << ", " << name << ", step " << step;
        ++problems;
        wide += problem.blocks.rows.wide().size() + problem.blocks.contacts.wide().size();
        for (int i = 0; i < problem.blocks.rows.size(); ++i) several += problem.blocks.rows.is_several(i) ? 1 : 0;
        planar += problem.blocks.structure.planar ? 1 : 0;
        for (std::size_t i = 0; i < problem.blocks.masses.coupled().size(); ++i)
          coupled += problem.blocks.masses.upper(static_cast<int>(i)).isZero(0.0) ? 0 : 1;
      }
    }
  }
  std::cout << problems << " problems; rows on more than two bodies " << several << ", wide " << wide
            << "; in the plane " << planar << "; couplings " << coupled << "\n";
  EXPECT_GT(problems, 1000);
  EXPECT_GT(several, 0);
  EXPECT_GT(planar, 0);
}

}  // namespace
}  // namespace stiction::scene::test
