#!/usr/bin/env python3
"""Runs clang-tidy over every source that the preset 'clang' compiles; anything it finds is an error.

usage: tidy.py [--sources | FILE...]   all files by default; --sources leaves the tests out

A file that passed is not checked again while nothing it includes, its flags, .clang-tidy and clang-tidy stay the same:
the keys of what passed are kept in $XDG_CACHE_HOME/stiction-tidy, so that clones and CI share them.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "build" / "clang"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stiction-tidy"


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **options)


def key_of(entry, common):
    """A hash of all that decides what clang-tidy says of a file, or None where the preprocessor fails."""
    words = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(words) if "clang++" in Path(word).name)
    output = words.index("-o")
    flags = words[compiler + 1 : output] + words[output + 2 :]
    # Without line markers and with paths cut off at the root, the same file in another clone has the same key.
    preprocess = [words[compiler], *flags, "-E", "-P", "-CC", f"-fmacro-prefix-map={ROOT}/=", "-o", "-"]
    preprocess.remove("-c")
    result = run(preprocess, cwd=entry["directory"])
    if result.returncode != 0:
        return None
    text = "\0".join([common, " ".join(flags).replace(str(ROOT), ""), result.stdout])
    return hashlib.sha256(text.encode()).hexdigest()


def check(entry, common):
    """(what to print, did it pass, was it known to pass)"""
    key = key_of(entry, common)
    if key and (CACHE / key).exists():
        os.utime(CACHE / key)
        return "", True, True
    command = ["clang-tidy-19", "-p", str(DATABASE), "--quiet", "--warnings-as-errors=*", entry["file"]]
    result = run(command)
    if result.returncode == 0 and key:
        (CACHE / key).touch()
    return result.stdout if result.returncode == 0 else result.stdout + result.stderr, result.returncode == 0, False


def forget_old_keys(days):
    for key in CACHE.iterdir():
        if time.time() - key.stat().st_mtime > days * 86400:
            key.unlink(missing_ok=True)


def main(arguments):
    entries = {entry["file"]: entry for entry in json.loads((DATABASE / "compile_commands.json").read_text())}
    if arguments == ["--sources"]:
        entries = {file: entry for file, entry in entries.items() if "/test/" not in file}
    elif arguments:
        wanted = [str(Path(argument).resolve()) for argument in arguments]
        unknown = [file for file in wanted if file not in entries]
        if unknown:
            sys.exit(f"tidy.py: not compiled by the preset 'clang': {' '.join(unknown)}")
        entries = {file: entries[file] for file in wanted}
    CACHE.mkdir(parents=True, exist_ok=True)
    forget_old_keys(30)
    common = run(["clang-tidy-19", "--version"]).stdout + (ROOT / ".clang-tidy").read_text()

    known, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, (text, passed, was_known) in zip(entries, pool.map(lambda e: check(e, common), entries.values())):
            print(text, end="", flush=True)
            known += was_known
            if not passed:
                failed.append(os.path.relpath(file, ROOT))
    print(f"clang-tidy: {len(entries)} files, {known} of them unchanged since they passed, {len(failed)} failed")
    for file in failed:
        print(f"  {file}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
