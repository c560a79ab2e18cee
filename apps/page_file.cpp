#include "apps/page_file.h"

#include <system_error>

#include "apps/page_template.h"
#include "stiction/base/file.h"
#include "stiction/record/page_data.h"
#include "stiction/record/run_plots.h"

namespace stiction::apps {

namespace fs = std::filesystem;

Result<std::string> write_pictures(const fs::path& folder, const RecordedRun& run) {
  const fs::path plots = folder / "plots";
  std::error_code code;
  fs::create_directories(plots, code);
  if (code) return Error{plots.string() + ": cannot be made a folder: " + code.message()};
  for (const auto& [name, plot] : make_run_plots(run))
    if (const auto error = write_file(plots / name, to_svg(plot))) return *error;

  if (page_template().empty()) return std::string("no page: this program was built without viewer/ (npm)");
  Result<std::string> data = make_page_data({{&run, label_of(run), 0}});
  if (!data) return Error{data.error()};
  if (data.value().size() > longest_page)
    return "no page: the run is too large for one; `stiction view " + folder.string() + "` serves it";
  const fs::path page = folder / "replay.html";
  if (const auto error = write_file(page, fill_page(page_template(), data.value()))) return *error;
  return page.string();
}

}  // namespace stiction::apps
