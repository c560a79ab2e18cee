#!/usr/bin/env bash
# usage: tools/format.sh          formats every C++ file of the project
#        tools/format.sh --check  changes nothing; prints what is not formatted and exits with 1
set -euo pipefail
cd "$(dirname "$0")/.."

arguments=(-i)
if [[ "${1:-}" == --check ]]; then arguments=(--dry-run --Werror); fi
git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cpp' | xargs -0 -r clang-format-19 "${arguments[@]}"
