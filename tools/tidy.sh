#!/usr/bin/env bash
# Runs clang-tidy over every source of the project that the preset 'clang' compiles. Exit code 1 if it finds anything.
#
# usage: tools/tidy.sh [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."

if (($# > 0)); then
  files=("$@")
else
  mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/clang/compile_commands.json | sort -u)
fi
echo "clang-tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*'
