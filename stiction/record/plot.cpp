#include "stiction/record/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "stiction/record/plot_axis.h"
#include "stiction/record/svg_text.h"

namespace stiction {

namespace {

constexpr double panel_width = 460.0, panel_height = 340.0;
constexpr double left = 78.0, right = 16.0, top = 34.0, bottom = 54.0;
constexpr double inner_width = panel_width - left - right, inner_height = panel_height - top - bottom;
constexpr double mark_size = 3.5;
/// Points nearer than this to the last one drawn, in pixels, add nothing but bytes.
constexpr double least_distance = 0.8;
/// Lines that leave the frame are cut there by the viewer; numbers stay readable for it.
constexpr double farthest = 1e4;

/// Okabe and Ito's.
constexpr std::array<std::string_view, 7> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};

/// Greys that differ only by name, to tell dashes from dots.
constexpr std::array<std::string_view, 2> guide_colours{"#808080", "#707070"};

class PanelPainter {
 public:
  PanelPainter(const PlotPanel& panel, int number, std::string& svg)
      : panel_(panel),
        number_(number),
        svg_(svg),
        x_(panel.log_x, gather(panel, &PlotSeries::x)),
        y_(panel.log_y, gather(panel, &PlotSeries::y)) {}

  void paint() {
    svg_ += "<g transform=\"translate(" + svg_number(panel_width * number_ + left) + " " + svg_number(top) + ")\">\n";
    paint_ticks();
    svg_ += "<g clip-path=\"url(#frame)\">\n";
    for (std::size_t i = 0; i < panel_.series.size(); ++i) paint_series(panel_.series[i], colour_of(i));
    svg_ += "</g>\n";
    svg_ += "<rect width=\"" + svg_number(inner_width) + "\" height=\"" + svg_number(inner_height) +
            "\" fill=\"none\" stroke=\"black\"/>\n";
    paint_labels();
    paint_legend();
    svg_ += "</g>\n";
  }

 private:
  struct Point {
    double x, y;
  };

  static std::vector<double> gather(const PlotPanel& panel, std::vector<double> PlotSeries::* values) {
    std::vector<double> all;
    for (const PlotSeries& series : panel.series)
      if (series.style != PlotStyle::guide) all.insert(all.end(), (series.*values).begin(), (series.*values).end());
    return all;
  }

  [[nodiscard]] std::string_view colour_of(std::size_t series) const {
    const PlotSeries& it = panel_.series[series];
    if (it.style == PlotStyle::guide) return guide_colours[static_cast<std::size_t>(it.colour == 1)];
    return palette[(it.colour >= 0 ? static_cast<std::size_t>(it.colour) : series) % palette.size()];
  }

  [[nodiscard]] Point place(double x, double y) const {
    return {std::clamp(inner_width * x_.share(x), -farthest, farthest),
            std::clamp(inner_height * (1.0 - y_.share(y)), -farthest, farthest)};
  }

  void paint_ticks() {
    constexpr double long_mark = 6.0, short_mark = 3.0;
    for (const PlotTick& tick : x_.ticks()) {
      const double x = inner_width * tick.share, size = tick.label.empty() ? short_mark : long_mark;
      svg_line(svg_, x, inner_height, x, inner_height - size, "black");
      if (!tick.label.empty()) svg_text(svg_, x, inner_height + 17.0, tick.label, "middle");
    }
    for (const PlotTick& tick : y_.ticks()) {
      const double y = inner_height * (1.0 - tick.share), size = tick.label.empty() ? short_mark : long_mark;
      svg_line(svg_, 0.0, y, size, y, "black");
      if (!tick.label.empty()) svg_text(svg_, -7.0, y + 4.0, tick.label, "end");
    }
  }

  void paint_labels() {
    svg_text(svg_, inner_width / 2, inner_height + 40.0, panel_.x_label, "middle");
    svg_text(svg_, inner_width / 2, -12.0, panel_.title, "middle");
    svg_ += "<g transform=\"translate(-60 " + svg_number(inner_height / 2) + ") rotate(-90)\">";
    svg_text(svg_, 0.0, 0.0, panel_.y_label, "middle");
    svg_ += "</g>\n";
  }

  void paint_series(const PlotSeries& series, std::string_view colour) {
    std::vector<Point> piece, marks;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x_.can_draw(series.x[i]) || !y_.can_draw(series.y[i])) {
        paint_line(piece, series.style, colour);
        piece.clear();
        continue;
      }
      piece.push_back(place(series.x[i], series.y[i]));
      marks.push_back(piece.back());
    }
    paint_line(piece, series.style, colour);
    if (series.style != PlotStyle::marked_line) return;
    for (const Point& mark : marks) paint_mark(mark, colour);
  }

  void paint_line(const std::vector<Point>& points, PlotStyle style, std::string_view colour) {
    if (points.size() < 2) return;
    svg_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" +
            (style != PlotStyle::guide         ? "1.5"
             : colour == guide_colours.front() ? "1\" stroke-dasharray=\"6 4"
                                               : "1\" stroke-dasharray=\"1.5 3") +
            "\" points=\"";
    Point last = points.front();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& point = points[i];
      const bool is_near = std::hypot(point.x - last.x, point.y - last.y) < least_distance;
      if (i > 0 && i + 1 < points.size() && is_near) continue;
      svg_ += (i > 0 ? " " : "") + svg_number(point.x) + "," + svg_number(point.y);
      last = point;
    }
    svg_ += "\"/>\n";
  }

  /// Circle, square, triangle, diamond: by colour, so that a print in black tells them apart.
  void paint_mark(const Point& at, std::string_view colour) {
    const std::size_t form =
        static_cast<std::size_t>(std::find(palette.begin(), palette.end(), colour) - palette.begin()) % 4;
    constexpr double r = mark_size;
    constexpr std::array<std::array<double, 8>, 4> corners{{{},
                                                            {-r, -r, r, -r, r, r, -r, r},
                                                            {0, -1.3 * r, 1.2 * r, r, -1.2 * r, r, -1.2 * r, r},
                                                            {0, -1.4 * r, 1.4 * r, 0, 0, 1.4 * r, -1.4 * r, 0}}};
    if (form == 0) {
      svg_ += "<circle cx=\"" + svg_number(at.x) + "\" cy=\"" + svg_number(at.y) + "\" r=\"" + svg_number(r) +
              "\" fill=\"" + std::string(colour) + "\"/>\n";
      return;
    }
    svg_ += "<polygon fill=\"" + std::string(colour) + "\" points=\"";
    for (std::size_t i = 0; i < 8; i += 2)
      svg_ += svg_number(at.x + corners[form][i]) + "," + svg_number(at.y + corners[form][i + 1]) + " ";
    svg_ += "\"/>\n";
  }

  /// In the corner with the fewest points.
  void paint_legend() {
    constexpr double line_height = 16.0, width = 150.0, inset = 12.0;
    const auto named = std::count_if(panel_.series.begin(), panel_.series.end(),
                                     [](const PlotSeries& series) { return !series.name.empty(); });
    if (named == 0) return;
    const Point corner = quiet_corner(width, line_height * static_cast<double>(named) + inset);
    double y = corner.y + line_height - 4.0;
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      const PlotSeries& series = panel_.series[i];
      if (series.name.empty()) continue;
      paint_line({{corner.x, y - 4.0}, {corner.x + 22.0, y - 4.0}}, series.style, colour_of(i));
      if (series.style == PlotStyle::marked_line) paint_mark({corner.x + 11.0, y - 4.0}, colour_of(i));
      svg_text(svg_, corner.x + 28.0, y, series.name, "start");
      y += line_height;
    }
  }

  [[nodiscard]] Point quiet_corner(double width, double height) const {
    constexpr double edge = 10.0;
    const std::array<Point, 4> corners{{{inner_width - width, edge},
                                        {edge + 4.0, edge},
                                        {inner_width - width, inner_height - height},
                                        {edge + 4.0, inner_height - height}}};
    std::array<long, 4> points{};
    for (const PlotSeries& series : panel_.series) {
      for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        if (!x_.can_draw(series.x[i]) || !y_.can_draw(series.y[i])) continue;
        const Point at = place(series.x[i], series.y[i]);
        for (std::size_t c = 0; c < corners.size(); ++c)
          points[c] += at.x > corners[c].x - edge && at.x < corners[c].x + width + edge && at.y > corners[c].y - edge &&
                       at.y < corners[c].y + height + edge;
      }
    }
    return corners[static_cast<std::size_t>(std::min_element(points.begin(), points.end()) - points.begin())];
  }

  const PlotPanel& panel_;
  int number_;
  std::string& svg_;
  PlotAxis x_, y_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  const double width = panel_width * static_cast<double>(std::max<std::size_t>(plot.panels.size(), 1));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + svg_number(width) + " " +
                    svg_number(panel_height) + "\" width=\"" + svg_number(width) + "\" height=\"" +
                    svg_number(panel_height) + "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  svg += "<defs><clipPath id=\"frame\"><rect width=\"" + svg_number(inner_width) + "\" height=\"" +
         svg_number(inner_height) + "\"/></clipPath></defs>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (std::size_t i = 0; i < plot.panels.size(); ++i) PanelPainter(plot.panels[i], static_cast<int>(i), svg).paint();
  return svg + "</svg>\n";
}

}  // namespace stiction
