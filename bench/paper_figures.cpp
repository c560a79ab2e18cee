// Figures 2, 4 and 5 of Potra, Anitescu, Gavrea and Trinkle 2006, from the scenes, by the plotting code of the library.
//
// usage: paper_figures FOLDER   writes 2006_figure_2.svg, 2006_figure_4.svg and 2006_figure_5.svg; run it in the
// project's
//                               root

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/record/plot.h"
#include "stiction/scene/scene.h"

namespace {

using namespace stiction;

/// A quantity of a run over time.
using Quantity = std::function<double(const Simulator&)>;

Quantity x_of(int body) {
  return [body](const Simulator& simulator) { return simulator.pose(BodyId{body}).position.x(); };
}

double total_energy(const Simulator& simulator) {
  return simulator.kinetic_energy() + simulator.potential_energy();
}

/// Runs a scene of the paper and adds one line to each panel. False, with a word, where that fails.
bool add_lines(const std::string& scene_name, const std::vector<std::pair<PlotPanel*, Quantity>>& lines,
               const std::vector<std::string>& names) {
  const auto scene = read_scene("scenes/papers/" + scene_name + ".json");
  if (!scene) {
    std::fprintf(stderr, "%s\n", scene.error().c_str());
    return false;
  }
  Simulator simulator(scene.value().model, scene.value().settings.simulation);
  std::vector<PlotSeries> series(lines.size());
  const auto record = [&] {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      series[i].x.push_back(simulator.time());
      series[i].y.push_back(lines[i].second(simulator));
    }
    return true;
  };
  record();
  const auto outcome = simulator.run_until(simulator.options().end, record);
  if (!outcome) {
    std::fprintf(stderr, "%s: %s\n", scene_name.c_str(), outcome.error().c_str());
    return false;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    series[i].name = names[i];
    lines[i].first->series.push_back(std::move(series[i]));
  }
  return true;
}

bool write(const std::filesystem::path& path, std::vector<PlotPanel> panels) {
  const auto error = write_file(path, to_svg({.panels = std::move(panels)}));
  if (error) std::fprintf(stderr, "%s\n", error->message.c_str());
  return !error;
}

bool draw_pendulum(const std::filesystem::path& folder) {
  PlotPanel positions{.title = "(a) x of the two bobs", .x_label = "time, s", .y_label = "x, m"};
  PlotPanel energy{.title = "(b) total energy", .x_label = "time, s", .y_label = "energy, J"};
  return add_lines("double_pendulum_wall", {{&positions, x_of(1)}, {&positions, x_of(2)}, {&energy, total_energy}},
                   {"bob 1", "bob 2", ""}) &&
         write(folder / "2006_figure_2.svg", {positions, energy});
}

struct Cart {
  const char *scene, *name;
};

/// The carts are the third and the fourth body of their scenes, after floor and stopper.
bool draw_carts(const std::filesystem::path& path, const std::vector<Cart>& carts, PlotPanel left,
                const Quantity& quantity) {
  PlotPanel energy{.title = "(b) total energy", .x_label = "time, s", .y_label = "energy, J"};
  for (const Cart& cart : carts)
    if (!add_lines(cart.scene, {{&left, quantity}, {&energy, total_energy}}, {cart.name, cart.name})) return false;
  return write(path, {std::move(left), std::move(energy)});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paper_figures FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const auto apart = [](const Simulator& simulator) { return x_of(3)(simulator) - x_of(2)(simulator); };
  const auto stretched = [](const Simulator& simulator) { return x_of(2)(simulator) - 0.2; };
  const bool is_drawn =
      draw_pendulum(folder) &&
      draw_carts(folder / "2006_figure_4.svg",
                 {{"two_carts_delta_1e2", "δ = 10^2"},
                  {"two_carts_delta_1e3", "δ = 10^3"},
                  {"two_carts_delta_1e6", "δ = 10^6"}},
                 {.title = "(a) distance of the carts", .x_label = "time, s", .y_label = "x2 - x1, m"}, apart) &&
      draw_carts(folder / "2006_figure_5.svg",
                 {{"two_carts_gamma_1e2", "γ = 10^2"},
                  {"two_carts_gamma_1e4", "γ = 10^4"},
                  {"two_carts_gamma_1e6", "γ = 10^6"}},
                 {.title = "(a) cart 1 from the spring's rest", .x_label = "time, s", .y_label = "x1 - 0.2, m"},
                 stretched);
  return is_drawn ? 0 : 1;
}
