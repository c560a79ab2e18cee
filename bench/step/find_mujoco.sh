#!/usr/bin/env bash
# MuJoCo for the benchmark of the step: the user's own where Python has it, else into build/mujoco, else none.
#
# usage: bench/step/find_mujoco.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

has_it() { "$1" -c 'import mujoco' 2>/dev/null; }

if has_it python3 || { [[ -x build/mujoco/bin/python ]] && has_it build/mujoco/bin/python; }; then exit 0; fi
echo "Installing MuJoCo into build/mujoco" >&2
if python3 -m venv build/mujoco && build/mujoco/bin/pip install --quiet mujoco; then exit 0; fi
echo "MuJoCo could not be installed; the benchmark of the step is run without it." >&2
rm -rf build/mujoco
