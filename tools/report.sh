#!/usr/bin/env bash
# Runs checks or benchmarks and collects what they print, with date, machine and command, into one Markdown page.
# Each program prints one section of Markdown on standard output, its progress on standard error, and exits with
# anything but 0 when it failed; the page then says so and this script exits with 1.
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

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/release/CMakeCache.txt)
memory=$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
revision=$(git describe --always --dirty 2>/dev/null || echo unknown)

failed=0
{
  echo "| check | verdict | seconds |"
  echo "|---|---|---|"
} >"$folder/verdicts"
for program in "$@"; do
  name=$(basename "$program")
  echo "== $name ==" >&2
  start=$SECONDS
  if "$program" >"$folder/section"; then
    verdict=passed
  else
    verdict="**failed** (exit code $?)"
    failed=1
  fi
  echo "| \`$name\` | $verdict | $((SECONDS - start)) |" >>"$folder/verdicts"
  tee -a "$folder/sections" <"$folder/section"
  echo | tee -a "$folder/sections"
done

{
  echo "# $title"
  echo
  echo "Made by \`$command\`; do not edit."
  echo
  echo "- date: $(date -u +%Y-%m-%d)"
  echo "- revision: $revision"
  echo "- machine: ${processor:-$(uname -m)}, $(nproc) cores, $memory"
  echo "- compiler: $("$compiler" --version | head -n 1), $(uname -s)"
  echo
  cat "$folder/verdicts"
  echo
  cat "$folder/sections"
} >"$folder/page"
mv "$folder/page" "$page"
cat "$folder/verdicts" >&2
exit "$failed"
