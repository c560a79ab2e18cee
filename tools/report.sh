#!/usr/bin/env bash
# Runs checks or benchmarks and puts what they print, with date, machine and revision, into one Markdown page, each as
# soon as it has ended. Each program prints one section of Markdown on standard output, its progress on standard error,
# and exits with anything but 0 when it failed; the page then says so and this script exits with 1.
#
# usage: tools/report.sh TITLE COMMAND PAGE PROGRAM...
set -euo pipefail
cd "$(dirname "$0")/.."

title=$1 command=$2 page=$3
shift 3
if (($# == 0)); then
  echo "report.sh: there is nothing to run for '$title'" >&2
  exit 1
fi

section=$(mktemp)
trap 'rm -f "$section"' EXIT

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/release/CMakeCache.txt)
memory=$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
revision=$(git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)
machine="${processor:-$(uname -m)}, $(nproc) cores, $memory, $("$compiler" --version | head -n 1)"

failed=0
for program in "$@"; do
  name=$(basename "$program")
  echo "== $name ==" >&2
  start=$SECONDS verdict=passed
  "$program" >"$section" || verdict="**failed** (exit code $?)"
  [[ $verdict == passed ]] || failed=1
  cat "$section"
  tools/report_page.py "$page" "$title" "$command" "$name" "$verdict" "$((SECONDS - start))" "$revision" \
    "$(date -u +%Y-%m-%d)" "$machine" <"$section"
  echo "$name: $verdict" >&2
done
exit "$failed"
