# The front door. Every target does its own set-up.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help deps deps-build deps-test deps-check deps-bench build demo test bench bench-baseline accept lcp clang asan tsan fuzz \
  format format-check tidy table1 figures gallery viewer viewer-test deps-viewer deps-page-test clean

FUZZ_SECONDS ?= 30
JOBS ?= $(shell nproc)

help: ## This list
	@sed -n 's/^\([a-z -]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
	  printf '  make %-14s %s\n' "$$name" "$$text"; done

demo: build ## Run a scene and solve the stored problems: the quickest way to see Stiction work
	build/release/stiction run scenes/demo.json
	build/release/stiction solve problems/

build: deps-build deps-viewer ## The program build/release/stiction
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target stiction check_includes

test: deps-test deps-viewer ## Every test
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --preset dev -j $(JOBS)

bench: deps-bench ## Benchmarks beside their peers, written to docs/benchmarks.md (ONLY=step renews the step alone)
	@bench/step/find_mujoco.sh
	@cmake --preset release -DSTICTION_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target bench_programs
	@tools/report.sh "Benchmarks" "make bench" docs/benchmarks.md build/release/bench/step_bench bench/step/step_instructions \
	  $(if $(filter step,$(ONLY)),,$$(ls build/release/bench/*_bench | grep -v /step_bench))

bench-baseline: deps-bench ## Stores the instruction counts that later runs of make bench are compared with
	@cmake --preset release -DSTICTION_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target step_bench
	@bench/step/step_instructions --renew

accept: deps-build ## The full-size checks, written to docs/accept.md (ONLY=name renews one)
	@cmake --preset release -DSTICTION_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target stiction accept_programs
	@tools/report.sh "Acceptance" "make accept" docs/accept.md $$(ls build/release/bench/accept_$(or $(ONLY),*))

table1: deps-test ## Table 1 of Stewart and Trinkle 1996, beside the paper's numbers
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target stiction_scene_tests
	@build/dev/modules/scene/stiction_scene_tests --gtest_filter='StewartTrinkle1996.Table1'

figures: deps-build ## Figures 2, 4 and 5 of the 2006 paper, drawn from the scenes into docs/pictures
	@cmake --preset release -DSTICTION_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target paper_figures
	build/release/bench/paper_figures docs/pictures

lcp: deps-test ## The complementarity solvers built and tested alone
	@cmake --preset lcp --log-level=WARNING
	@cmake --build --preset lcp
	@ctest --preset lcp -j $(JOBS)

clang asan tsan: deps-test deps-check ## The tests built with clang; under the address, the thread sanitizer
	@cmake --preset $@ --log-level=WARNING
	@cmake --build --preset $@
	@ctest --preset $@ -j $(JOBS)

fuzz: deps-build deps-check ## Each fuzzer for FUZZ_SECONDS (30)
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz --target fuzz_programs
	@tools/fuzz.sh $(FUZZ_SECONDS)

gallery: build deps-page-test ## A picture of each scene, drawn by the page into docs/gallery.md
	tools/gallery.sh build/release/stiction

viewer: deps-viewer ## The page that replays runs: viewer/dist/template.html
	@cd viewer && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --no-audit --no-fund --loglevel=error; } && npm run --silent build

viewer-test: viewer deps-page-test ## The page's tests: its reader and player, then the page itself in Chromium
	@cd viewer && npm test --silent && npm run --silent test:page

format: deps-check ## Format every C++ file
	@tools/format.sh

format-check: deps-check ## Fail if a file is not formatted
	@tools/format.sh --check

tidy: deps-test deps-check ## clang-tidy over everything (TIDY=--sources leaves the tests out)
	@cmake --preset clang --log-level=WARNING
	@tools/tidy.py $(TIDY)

deps: deps-build deps-test deps-check deps-bench deps-viewer deps-page-test ## Install every package that any target needs
deps-build:
	@tools/install_deps.sh build
deps-test:
	@tools/install_deps.sh build test
deps-check:
	@tools/install_deps.sh check
deps-bench:
	@tools/install_deps.sh build bench
deps-viewer:
	@tools/install_deps.sh viewer
deps-page-test:
	@tools/install_deps.sh page-test

clean: ## Remove everything that was built
	rm -rf build viewer/dist viewer/node_modules
