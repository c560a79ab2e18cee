// CLI11 costs eight seconds of compile time, so it is included here and nowhere else.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

#include "apps/log.h"
#include "apps/plot_command.h"
#include "apps/render_command.h"
#include "apps/run_command.h"
#include "apps/run_report.h"
#include "apps/solve_command.h"
#include "apps/study_command.h"
#include "apps/view_command.h"

namespace {

constexpr int bad_input = 2;

constexpr const char* solve_footer = R"(
Examples:
  stiction solve problems/                       every *.json, *.fcp and *.hdf5 below a folder
  stiction solve contact.fcp --solver newton     one method on a contact problem with the true cone
  stiction solve a.json b.json --solver all      each problem by every solver that takes it
  stiction solve a.json --json --out answers/    for scripts: one JSON object, answers one number a line

A file is {"problems": [{"name": "a", "M": [[2, 1], [1, 2]], "q": [-5, -6]}]}; "lower", "upper", "free", "expect" and a
sparse M are described in docs/problem_file.md. Limits: 512 MiB a file, 10000 unknowns with dense M, 200000 with sparse.

A file *.fcp is a contact problem with the true friction cone, as u = W r + q (FCP1) or as masses, contacts and joints
(FCG1, what `stiction run --dump-failed` and `--dump-step` write), also described there; *.hdf5 is one in the form of FCLIB.
Their solvers: auto (the cascade of the others), sweeps, newton, proximal_point, central_path, lemke.
Pipes and devices are refused. With --out the best point is written also where the status is not `solved`.
In the JSON of an infeasible contact problem "bound_kind" is "infinite" where "bound" is null: no answer at all.

Solvers of the others: auto (lemke first, and where it has no answer the others in turn), lemke, principal_pivoting,
projected_gauss_seidel, semismooth_newton, enumeration.

A problem may carry "expect", the status it must end with ("solved" where nothing is said). With --solver all the first
solver, auto, is held to it; the others may fail on problems that are not of their class, but must not contradict it.

Exit code: 0 all ended as expected; 1 something did not, or was not done; 2 bad input (the other files are solved).)";

constexpr const char* run_footer = R"(
Examples:
  stiction run scenes/demo.json                              writes runs/0001-demo and prints the certificate
  stiction run scenes/demo.json --h 0.0005 --end 1 --out fine
  stiction run scenes/demo.json --set /gravity/2=-1.62 --set /bodies/2/mass=5
  stiction run scenes/demo.json --json --every 10            for scripts: one JSON object; every 10th state is written

--h, --end, --scheme, --solver and --cone stand for --set /simulation/...; docs/scene-format.md describes the file.
In the run folder: replay.html (the run to look at in any browser), plots, run.h5 (the record, HDF5; docs/record.md),
summary.json (what --json prints), scene.json, shapes.json; with --csv also states.csv, energy.csv, contacts.csv, joints.csv, events.csv and certificate.csv. A folder that is not empty
is never written to. Ctrl-C ends the run with what was done; after a kill run.h5 holds all but the last seconds.

Each step has a grade: full (the scene's own law and tolerance, gaps and joints where they should be); polyhedral, linear, relaxed, plastic or asleep (certified for the weaker problem
its name says); loose (not certified, residual below 1e-5: the run goes on); failed. --strict accepts full alone.

Exit code: 0 done and every step certified; 1 failed, not certified, interrupted or out of wall time; 2 bad input.)";

constexpr const char* study_footer = R"(
Examples:
  stiction study scenes/demo.json --h 0.004,0.002,0.001 --end 0.2
  stiction study scenes/papers/double_pendulum_wall.json --h 2^-5..2^-11 --reference 2^-14
  stiction study scene.json --h 0.02,0.01,0.005 --schemes anitescu_potra,stewart_trinkle --json
  stiction study scene.json --h 0.02,0.01,0.005 --reference exact     the scene has "exact" (docs/scene-format.md)

Runs the scene with each step h and with a smaller one, side by side, and compares how they end: position and velocity
errors (2-norms over all bodies, rotations as rotation vectors), their ratios, the order, energy and joint errors, and an
estimate of the error of the run with the scene's own h. Where the runs show no order (other events, chaos, rounding) it
says so instead. docs/study.md tells how to read it.

Steps are numbers or powers, 0.01 or 2^-5, and must divide the run. The reference's step is a quarter of the smallest
where --reference names none. The study folder holds study.json (what --json prints), study.csv, study.svg and scene.json.

Exit code: 0 every run came to its end, certified; 1 one did not, interrupted or out of wall time; 2 bad input.)";

constexpr const char* plot_footer = R"(
Examples:
  stiction plot runs/0001-demo -o demo.svg                             energies, residuals and penetration over time
  stiction plot run.h5 --y body.rod.y,body.rod.vy -o rod.svg
  stiction plot run.h5 --x body.ball.x --y body.ball.z -o path.svg
  stiction plot run.h5 --y energy.total > energy.csv                   a table on standard output without -o

Quantities: t, energy.total (kinetic, gravity, springs), body.NAME.x (y, z, vx, vy, vz, speed, wx, wy, wz, qw, ..., angle),
joint.NAME.force (torque), contacts, step.residual (penetration, momentum_defect, pivots, ...; docs/record.md has them all).

Exit code: 0 done; 1 the file cannot be written; 2 bad input.)";

constexpr const char* view_footer = R"(
Examples:
  stiction view runs/0001-demo                    opens its replay.html in the browser
  stiction view runs/0001-demo runs/0002-demo     two runs in one page, with their difference
  stiction view run.h5 --port 8080 --no-open      serves the page at http://127.0.0.1:8080/

A run that still goes on, two runs, or one too large for a page are served, to this machine alone, until Ctrl-C.

Exit code: 0 done; 2 bad input.)";

constexpr const char* render_footer = R"(
Examples:
  stiction render runs/0001-demo -o demo.png --at 0.4
  stiction render runs/0001-demo -o demo.mp4 --size 1920x1080 --fps 60 --speed 0.25

Needs no display, but Chromium, and ffmpeg for films (Debian: chromium, ffmpeg).

Exit code: 0 done; 1 a program is missing or failed, or the file cannot be written; 2 bad input.)";

struct CommonOptions {
  std::string log_level = "warning";
  bool quiet = false;
};

void add_common(CLI::App& app, CommonOptions& common) {
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.add_option("--log-level", common.log_level, "Messages on standard error: error, warning, info or debug")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->capture_default_str();
  app.add_flag("--quiet", common.quiet, "No table and no progress; errors are still told");
}

void apply(const CommonOptions& common) {
  using stiction::apps::LogLevel;
  stiction::apps::set_log_level(stiction::apps::parse_log_level(common.log_level).value_or(LogLevel::warning));
}

CLI::App& add_run(CLI::App& app, CommonOptions& common, stiction::apps::RunOptions& options) {
  CLI::App& run = *app.add_subcommand("run", "Run a scene: every step is certified, and written to a folder");
  add_common(run, common);
  run.add_option("scene", options.scene, "The scene file")->required()->type_name("SCENE.json");
  run.add_option("--out", options.out, "The run folder; a fresh numbered one below runs/ otherwise")->type_name("DIR");
  run.add_option("--h", options.h, "The step, s")->type_name("SECONDS");
  run.add_option("--end", options.end, "When the run ends, s")->type_name("SECONDS");
  run.add_option("--scheme", options.scheme, "stewart_trinkle, trapezoidal, anitescu_potra, lotstedt, ...")
      ->type_name("NAME");
  run.add_option("--solver", options.solver, "auto or lemke")->type_name("NAME");
  run.add_option("--cone", options.cone, "circular, or the number of facets of the friction cone, even, 4 to 256")
      ->type_name("CONE");
  run.add_option("--set", options.set, "Change a value of the scene file; may be given many times")
      ->type_name("/POINTER=VALUE")
      ->allow_extra_args(false);
  run.add_flag("--json", options.json, "Print one JSON object instead of the certificate in words");
  run.add_option("--every", options.every, "Write states, energies and contacts of every so many steps only")
      ->capture_default_str()
      ->type_name("STEPS");
  run.add_option("--flush", options.flush_seconds, "How far run.h5 may be behind the run; 0: write after every step")
      ->capture_default_str()
      ->type_name("SECONDS");
  run.add_flag("--live", options.live, "Serve the page to browsers on this machine while the run goes on");
  run.add_option("--port", options.port, "Where --live serves; any free one otherwise")->type_name("NUMBER");
  run.add_flag("!--no-page", options.pages, "Write no replay.html and no plots");
  run.add_flag("--csv", options.csv, "Write the record as tables with commas too");
  run.add_option("--max-wall", options.max_wall_seconds, "Stop after this time with what was done")
      ->type_name("SECONDS");
  run.add_option("--dump-failed", options.dump_failed,
                 "Write the contact problems of steps that are not certified there, for `stiction solve`")
      ->type_name("DIR");
  run.add_option(
         "--dump-step", options.dump_steps,
         "Write the contact problems of this step, counted from 1, there or in RUNFOLDER/problems; may be given "
         "many times")
      ->check(CLI::PositiveNumber)
      ->type_name("NUMBER")
      ->allow_extra_args(false);
  run.add_flag("--force-bounds", options.force_bounds,
               "Write how small and how large each contact's normal force could be with the same motion");
  run.add_flag("--keep-going", options.keep_going, "Go on after a step that failed; the exit code is 1");
  run.add_flag("--strict", options.strict, "Exit code 1 where any step has a grade below `full`");
  run.footer(run_footer);
  return run;
}

CLI::App& add_plot(CLI::App& app, CommonOptions& common, stiction::apps::PlotOptions& options) {
  CLI::App& plot = *app.add_subcommand("plot", "Draw or tabulate quantities of a stored run");
  add_common(plot, common);
  plot.add_option("run", options.run, "A run folder or its run.h5")->required()->type_name("RUN");
  plot.add_option("--x", options.x, "What to plot over")->capture_default_str()->type_name("NAME");
  plot.add_option("--y", options.y, "What to plot, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  plot.add_option("-o,--out", options.out, "FILE.svg or FILE.csv; a table on standard output otherwise")
      ->type_name("FILE");
  plot.footer(plot_footer);
  return plot;
}

CLI::App& add_view(CLI::App& app, CommonOptions& common, stiction::apps::ViewOptions& options) {
  CLI::App& view = *app.add_subcommand("view", "Look at a run, or compare two, in the browser");
  add_common(view, common);
  view.add_option("runs", options.runs, "Run folders or their run.h5")->required()->expected(1, 2)->type_name("RUN");
  view.add_option("--port", options.port, "Serve the page there")->type_name("NUMBER");
  view.add_flag("!--no-open", options.open, "Open no browser: say where the page is");
  view.footer(view_footer);
  return view;
}

CLI::App& add_render(CLI::App& app, CommonOptions& common, stiction::apps::RenderOptions& options) {
  CLI::App& render = *app.add_subcommand("render", "A picture or a film of a run");
  add_common(render, common);
  render.add_option("run", options.run, "A run folder or its run.h5")->required()->type_name("RUN");
  render.add_option("-o,--out", options.out, "FILE.png or FILE.mp4")->required()->type_name("FILE");
  render.add_option("--at", options.at, "Of a picture: when; the middle of the run otherwise")->type_name("SECONDS");
  render.add_option("--size", options.size, "In pixels")->capture_default_str()->type_name("WIDTHxHEIGHT");
  render.add_option("--fps", options.fps, "Of a film: pictures a second")->capture_default_str();
  render.add_option("--speed", options.speed, "Of a film: seconds of the run in each of its own")
      ->capture_default_str();
  render.footer(render_footer);
  return render;
}

CLI::App& add_study(CLI::App& app, CommonOptions& common, stiction::apps::StudyOptions& options) {
  CLI::App& study = *app.add_subcommand("study", "How wrong is a run? Runs a scene with several steps and compares");
  add_common(study, common);
  study.add_option("scene", options.scene, "The scene file")->required()->type_name("SCENE.json");
  study.add_option("--h", options.h, "Steps, s: 0.02,0.01,0.005 or 2^-5..2^-11")->required()->type_name("LIST");
  study.add_option("--reference", options.reference, "The step to compare with, or exact")->type_name("H|exact");
  study.add_option("--schemes", options.schemes, "Schemes, one table each; the scene's own otherwise")
      ->type_name("LIST");
  study.add_option("--end", options.end, "When the runs end, s")->type_name("SECONDS");
  study.add_option("--solver", options.solver, "auto or lemke")->type_name("NAME");
  study.add_option("--cone", options.cone, "The number of facets of the friction cone, even, 4 to 256")
      ->type_name("FACETS");
  study.add_option("--set", options.set, "Change a value of the scene file; may be given many times")
      ->type_name("/POINTER=VALUE")
      ->allow_extra_args(false);
  study.add_option("--out", options.out, "The study folder; a fresh numbered one below runs/ otherwise")
      ->type_name("DIR");
  study.add_flag("--json", options.json, "Print one JSON object instead of the tables");
  study.add_option("--threads", options.threads, "Runs at the same time; 0: one a core")
      ->capture_default_str()
      ->type_name("NUMBER");
  study.add_option("--max-wall", options.max_wall_seconds, "Stop after this time; nothing is written then")
      ->type_name("SECONDS");
  study.footer(study_footer);
  return study;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Stiction: rigid bodies with contact and friction, every step proven.", "stiction");
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.require_subcommand(1);
  app.footer(
      "\nExamples:\n  stiction run scenes/demo.json\n  stiction study scenes/demo.json --h 0.004,0.002,0.001 --end "
      "0.2\n"
      "  stiction solve problems/\n\n`stiction run --help` says more.");

  CommonOptions common;
  stiction::apps::RunOptions run_options;
  const CLI::App& run = add_run(app, common, run_options);
  stiction::apps::StudyOptions study_options;
  const CLI::App& study = add_study(app, common, study_options);
  stiction::apps::PlotOptions plot_options;
  const CLI::App& plot = add_plot(app, common, plot_options);
  stiction::apps::ViewOptions view_options;
  const CLI::App& view = add_view(app, common, view_options);
  stiction::apps::RenderOptions render_options;
  const CLI::App& render = add_render(app, common, render_options);
  stiction::apps::SolveOptions options;
  CLI::App& solve = *app.add_subcommand("solve", "Solve stored complementarity problems, and certify the answers");
  add_common(solve, common);
  solve.add_option("inputs", options.inputs, "Files of problems, and folders of them")
      ->required()
      ->type_name("FILE|FOLDER");
  solve.add_option("--solver", options.solver, "auto, all, or a solver's name")
      ->capture_default_str()
      ->type_name("NAME");
  solve
      .add_option("--out", options.out,
                  "Write each answer z or r into this folder, one number a line; not solved: the best found")
      ->type_name("DIR");
  solve.add_flag("--json", options.json, "Print one JSON object instead of the table");
  solve.add_option("--tolerance", options.tolerance, "The residual up to which an answer is certified")
      ->capture_default_str()
      ->type_name("NUMBER");
  solve.add_option("--max-wall", options.max_wall_seconds, "Stop after this time and tell what was not done")
      ->type_name("SECONDS");
  solve.footer(solve_footer);

  const auto is_command = [&](const std::string& word) {
    const auto has_name = [&](const CLI::App* command) { return command->get_name() == word; };
    return !app.get_subcommands(has_name).empty();
  };
  if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) {
    stiction::apps::log(stiction::apps::LogLevel::error,
                        std::string(argv[1]) + ": no such command; there are: run, study, view, render, plot, solve");
    return bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const CLI::App& command = run.parsed()      ? run
                              : study.parsed()  ? study
                              : plot.parsed()   ? plot
                              : render.parsed() ? render
                              : view.parsed()   ? view
                              : solve.parsed()  ? solve
                                                : app;
    const std::string message = std::string(error.what()) + "; `stiction " +
                                (&command == &app ? "" : command.get_name() + " ") + "--help` lists the options";
    stiction::apps::log(stiction::apps::LogLevel::error, message);
    // Whoever asked for one JSON object gets one.
    if (std::find(argv, argv + argc, std::string_view("--json")) != argv + argc)
      std::cout << stiction::apps::refusal_to_json("", message);
    return bad_input;
  }
  apply(common);
  if (run.parsed()) {
    run_options.quiet = common.quiet;
    return stiction::apps::run_scene(run_options);
  }
  if (study.parsed()) {
    study_options.quiet = common.quiet;
    return stiction::apps::run_study(study_options);
  }
  if (view.parsed()) {
    view_options.quiet = common.quiet;
    return stiction::apps::run_view(view_options);
  }
  if (render.parsed()) {
    render_options.quiet = common.quiet;
    return stiction::apps::run_render(render_options);
  }
  if (plot.parsed()) return stiction::apps::run_plot(plot_options);
  options.quiet = common.quiet;
  return stiction::apps::run_solve(options);
}
