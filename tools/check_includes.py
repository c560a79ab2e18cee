#!/usr/bin/env python3
"""Fails when an include breaks the module graph.

usage: check_includes.py PROJECT_ROOT      check a tree; one line per broken rule, exit code 1 if there is any
       check_includes.py --self-test       check that this script catches what it is for
"""

import re
import sys
import tempfile
from pathlib import Path

# MAY_INCLUDE[A]: the modules whose headers A may include, besides its own and whatever those may include.
MAY_INCLUDE = {
    "base": [],
    "linalg": ["base"],
    "lcp": ["linalg"],
    "cone": ["lcp"],
    "geometry": ["linalg"],
    "model": ["geometry"],
    "contact": ["model", "geometry", "lcp", "cone"],
    "schemes": ["contact"],
    "sim": ["schemes"],
    "scene": ["model", "sim"],
    "record": ["sim"],
    "study": ["scene", "record"],
}
# Folders outside stiction/: the modules they may include, None for all, and the folders.
OUTSIDE = {
    "problems": (["lcp", "cone"], []),
    "apps": (None, ["problems"]),
    "python": (None, []),
    "bench": (None, ["problems"]),
    "fuzz": (None, ["problems", "apps"]),
    "tests": (None, ["problems"]),
}
# A module's tests may also draw on the problem generator once the module sees lcp.
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def reachable(module):
    """The module and all it may include, directly or through others."""
    seen, todo = set(), [module]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo += MAY_INCLUDE[current]
    return seen


def allowed_from(path):
    """(modules, folders) that the file at this path may include, or a message if the file has no place in the graph."""
    if path.parts[0] == "stiction":
        module = path.parts[1]
        if len(path.parts) == 2:
            return set(MAY_INCLUDE), set()
        if module not in MAY_INCLUDE:
            return f"stiction/{module} is not in the module graph; add it to MAY_INCLUDE in tools/check_includes.py"
        modules = reachable(module)
        is_test = path.parts[2] == "test"
        return modules, {"problems"} if is_test and "lcp" in modules else set()
    modules, folders = OUTSIDE[path.parts[0]]
    if modules is None:
        return set(MAY_INCLUDE), set(folders) | {path.parts[0]}
    return set().union(*(reachable(module) for module in modules)), set(folders) | {path.parts[0]}


def broken_rules(root):
    """One message per include that breaks the graph."""
    files = []
    for folder in ["stiction", *OUTSIDE]:
        files += [f for f in (root / folder).rglob("*") if f.suffix in (".h", ".cpp")]
    for file in sorted(files):
        path = file.relative_to(root)
        allowed = allowed_from(path)
        if isinstance(allowed, str):
            yield f"{path}: {allowed}"
            continue
        text = file.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            reason = why_not(match.group(1), Path(match.group(2)), allowed, root)
            if reason:
                yield f"{path}:{line}: {reason}"


def why_not(bracket, target, allowed, root):
    """Why this include is not allowed, or None."""
    modules, folders = allowed
    first = target.parts[0]
    if first in (".", ".."):
        return f'"{target}" is relative; write it from the project root'
    if first == "stiction":
        if len(target.parts) > 2 and target.parts[1] not in modules:
            return f"stiction/{target.parts[1]} may not be included from here: allowed are {', '.join(sorted(modules))}"
    elif first in OUTSIDE:
        if first not in folders:
            return f"{first}/ may not be included from here"
    elif bracket == '"':
        return f'"{target}" is quoted but is not ours; write <{target}>, or the path from the project root'
    else:
        return None
    return None if (root / target).is_file() else f"there is no file {target}"


SELF_TEST = [
    # (file, include line, is it allowed?)
    ("stiction/base/a.h", "#include <vector>", True),
    ("stiction/lcp/a.h", '#include "stiction/linalg/known.h"', True),
    ("stiction/lcp/a.h", '#include "stiction/base/known.h"', True),
    ("stiction/contact/a.cpp", "#include <stiction/lcp/known.h>", True),
    ("stiction/lcp/test/a_test.cpp", '#include "problems/known.h"', True),
    ("apps/a.cpp", '#include "stiction/lcp/known.h"', True),
    ("apps/a.cpp", '#include "apps/known.h"', True),
    ("stiction/linalg/a.h", '#include "stiction/lcp/known.h"', False),
    ("stiction/linalg/a.h", "#  include <stiction/lcp/known.h>", False),
    ("stiction/lcp/a.h", '#include "stiction/geometry/known.h"', False),
    ("stiction/geometry/a.h", '#include "stiction/lcp/known.h"', False),
    ("stiction/model/a.h", '#include "stiction/lcp/known.h"', False),
    ("stiction/contact/a.h", '#include "stiction/cone/known.h"', True),
    ("stiction/lcp/a.h", '#include "stiction/cone/known.h"', False),
    ("stiction/cone/a.h", '#include "stiction/model/known.h"', False),
    ("stiction/lcp/a.cpp", '#include "problems/known.h"', False),
    ("stiction/linalg/test/a_test.cpp", '#include "problems/known.h"', False),
    ("stiction/lcp/a.cpp", '#include "apps/known.h"', False),
    ("problems/a.cpp", '#include "stiction/geometry/known.h"', False),
    ("stiction/lcp/a.cpp", '#include "../linalg/known.h"', False),
    ("stiction/lcp/a.cpp", '#include "known.h"', False),
    ("stiction/lcp/a.cpp", '#include "stiction/lcp/missing.h"', False),
    ("stiction/unknown/a.cpp", "#include <vector>", False),
]


def self_test():
    wrong = 0
    for name, include, expected in SELF_TEST:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for known in [*(f"stiction/{m}" for m in MAY_INCLUDE), *OUTSIDE]:
                (root / known).mkdir(parents=True)
                (root / known / "known.h").touch()
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// A line before.\n{include}\n", encoding="utf-8")
            messages = list(broken_rules(root))
            if (not messages) != expected:
                wrong += 1
                print(f"{name}: {include}: expected {'no message' if expected else 'a message'}, got {messages}")
    print(f"{len(SELF_TEST) - wrong} passed, {wrong} failed")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if len(arguments) != 1 or not (Path(arguments[0]) / "stiction").is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    messages = list(broken_rules(Path(arguments[0])))
    for message in messages:
        print(f"include graph: {message}", file=sys.stderr)
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
