#!/usr/bin/env bash
# Runs each fuzzer of build/fuzz for a while, from its stored corpus. New inputs stay in build/fuzz/corpus, an input that
# breaks something in build/fuzz/found.
#
# usage: tools/fuzz.sh SECONDS [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
shift
if (($# > 0)); then
  programs=("${@/%/_fuzz}")
  programs=("${programs[@]/#/build/fuzz/fuzz/}")
else
  mapfile -t programs < <(find build/fuzz/fuzz -maxdepth 1 -type f -name '*_fuzz' -perm -u+x | sort)
fi
if ((${#programs[@]} == 0)); then
  echo "No fuzzer is built: there is no fuzz/*_fuzz.cpp" >&2
  exit 1
fi

mkdir -p build/fuzz/found
for program in "${programs[@]}"; do
  name=$(basename "$program" _fuzz)
  working=build/fuzz/corpus/$name
  log=build/fuzz/$name.log
  mkdir -p "$working"
  arguments=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
    -artifact_prefix=build/fuzz/found/"$name"-)
  if [[ -f fuzz/$name.dict ]]; then arguments+=(-dict=fuzz/"$name".dict); fi
  folders=("$working")
  if [[ -d fuzz/corpus/$name ]]; then folders+=(fuzz/corpus/"$name"); fi
  echo "fuzzing $name for $seconds s"
  if ! "$program" "${arguments[@]}" "${folders[@]}" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzzing $name found something: see $log and build/fuzz/found" >&2
    exit 1
  fi
  grep -E '^(Done|stat::number_of_executed_units|stat::peak_rss_mb)' "$log"
done
