#!/usr/bin/env bash
# Makes the page that the program writes into run folders: OUT gets GIVEN, or what npm builds in viewer/, or nothing. A
# build without npm or without a network is still a build; the program then says that it has no page.
#
# usage: tools/build_page.sh OUT [GIVEN]
set -euo pipefail
out=$1 given=${2:-}
viewer=$(dirname "$0")/../viewer

if [[ -n "$given" ]]; then
  cp "$given" "$out"
  exit 0
fi
: >"$out"
if [[ ! -f "$viewer/package.json" ]]; then exit 0; fi
if ! command -v npm >/dev/null; then
  echo "build_page.sh: npm is not there, so the program is built without its page" >&2
  exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if (cd "$viewer" && { [[ -d node_modules ]] || npm install --no-save --no-audit --no-fund; } && npm run build) >"$log" 2>&1; then
  cp "$viewer/dist/template.html" "$out"
else
  tail -n 20 "$log" >&2
  echo "build_page.sh: npm could not build viewer/ (see above), so the program is built without its page" >&2
fi
