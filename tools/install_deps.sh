#!/usr/bin/env bash
# Installs the Debian packages that are missing, or says how.
#
# usage: tools/install_deps.sh SET...   sets: build (the program), test, check (clang and its tools), bench,
#        viewer (builds the page), page-test (the browser that tests it)
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build python3 libeigen3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libhdf5-dev zlib1g-dev libcpp-httplib-dev pkg-config"
  [test]="libgtest-dev libvalijson-dev python3-h5py python3-matplotlib"
  [check]="clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev ccache"
  [bench]="libbenchmark-dev libsiconos-numerics-dev pkg-config libode-dev libbullet-dev libfcl-dev valgrind"
  [viewer]="nodejs npm"
  [page-test]="chromium"
)

# Node from elsewhere is as good as Debian's and would clash with it.
if command -v node >/dev/null && command -v npm >/dev/null; then packages[viewer]=" "; fi

wanted=()
for set in "$@"; do
  if [[ -z "${packages[$set]:-}" ]]; then
    echo "install_deps.sh: no set '$set'; there are: ${!packages[*]}" >&2
    exit 2
  fi
  read -ra names <<<"${packages[$set]}"
  wanted+=("${names[@]}")
done

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system, so nothing is installed. Needed are the equivalents of: ${wanted[*]}" >&2
  exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for name in "${wanted[@]}"; do
  grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
done
if ((${#missing[@]} == 0)); then exit 0; fi

if ((EUID == 0)); then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  echo "These packages are missing: ${missing[*]}" >&2
  echo "Install them with this command, then run make again:" >&2
  echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
