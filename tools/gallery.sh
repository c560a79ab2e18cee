#!/usr/bin/env bash
# Draws docs/pictures/gallery/*.png, a picture of each scene of the papers, the mechanisms and the stacks, and lists them
# in docs/gallery.md. Each is the page's own view of a run, halfway through it.
#
# usage: tools/gallery.sh STICTION
set -euo pipefail
cd "$(dirname "$0")/.."
stiction=$1
pictures=docs/pictures/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"

page=docs/gallery.md
{
  echo "# Gallery"
  echo
  echo "Scenes of \`scenes/\`, halfway through their runs, as the page of a run shows them. \`make gallery\` draws them again."
} >"$page"

# Where most of a run is a fall, its beginning is drawn: seconds.
declare -A ends=([overhang_outside]=1 [weld]=2.2)

# section TITLE FOLDER
section() {
  printf '\n## %s\n\n| | | |\n|---|---|---|\n' "$1" >>"$page"
  local cells=0 row="" scene name
  for scene in scenes/"$2"/*.json; do
    name=$(basename "$scene" .json)
    echo "$scene" >&2
    "$stiction" run "$scene" --out "$work/$name" --quiet --no-page ${ends[$name]:+--end "${ends[$name]}"}
    "$stiction" render "$work/$name" -o "$pictures/$name.png" --size 360x203 --quiet
    rm -rf "${work:?}/$name"
    row+="| ![${name//_/ }](pictures/gallery/$name.png)<br>[${name//_/ }](../$scene) "
    cells=$((cells + 1))
    if ((cells % 3 == 0)); then
      echo "$row|" >>"$page"
      row=""
    fi
  done
  if [[ -n "$row" ]]; then echo "$row|" >>"$page"; fi
}

section "The papers" papers
section "Joints, motors and gears" joints
section "Stacks" stacks
section "Shapes" shapes
