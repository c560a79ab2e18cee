#!/usr/bin/env python3
"""Puts what one check or benchmark printed into a Markdown page, in place of what it printed before.

Each has a row in the table at the top, with the revision and the date of that run, and a section between two comments.

usage: tools/report_page.py PAGE TITLE COMMAND NAME VERDICT SECONDS REVISION DATE MACHINE <SECTION
"""

import pathlib
import re
import sys

HEAD = "| check | verdict | seconds | revision | date | machine |\n|---|---|---|---|---|---|\n"


def read(text):
    """The rows and the sections of a page, by name."""
    table = text.split("\n<!-- begin ")[0]
    rows = {m[1]: m[0] for m in re.finditer(r"^\| `(\w+)` \|.*\n", table, re.M)}
    parts = re.finditer(r"^<!-- begin (\w+) -->\n(.*?)^<!-- end \1 -->\n", text, re.M | re.S)
    return rows, {m[1]: m[2] for m in parts}


def main():
    page, title, command, name, verdict, seconds, revision, date, machine = sys.argv[1:]
    path = pathlib.Path(page)
    rows, sections = read(path.read_text() if path.exists() else "")
    rows[name] = f"| `{name}` | {verdict} | {seconds} | {revision} | {date} | {machine} |\n"
    sections[name] = sys.stdin.read().strip() + "\n"
    # What a step costs comes first.
    names = sorted(sections, key=lambda n: (not n.startswith("step_"), n))
    text = f"# {title}\n\nMade by `{command}`; do not edit.\n\n{HEAD}"
    text += "".join(rows[n] for n in names)
    text += "".join(f"\n<!-- begin {n} -->\n{sections[n]}<!-- end {n} -->\n" for n in names)
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


main()
