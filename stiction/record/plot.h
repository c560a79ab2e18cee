#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction {

enum class PlotStyle : std::uint8_t {
  line,
  marked_line,  ///< A line with a mark at each point.
  guide,        ///< A thin dashed line to compare with; does not widen the axes.
};

/// Points joined in their order. Points that cannot be drawn (see PlotAxis) leave a hole. x and y are of one length.
struct PlotSeries {
  std::string name = {};  ///< In the legend; nothing there when empty.
  std::vector<double> x = {}, y = {};
  PlotStyle style = PlotStyle::line;
  int colour = -1;  ///< Of the palette, or of a guide's dashes; -1: the series' own number.
};

struct PlotPanel {
  std::string title = {}, x_label = {}, y_label = {};
  bool log_x = false, log_y = false;
  std::vector<PlotSeries> series = {};
};

/// Panels side by side, as in a paper's figure.
struct Plot {
  std::vector<PlotPanel> panels;
};

/// The picture as an SVG file: black axes on white, seven colours that the colour-blind can tell apart, and marks of
/// different form, so that it can be printed. The same plot gives the same bytes.
[[nodiscard]] std::string to_svg(const Plot& plot);

}  // namespace stiction
