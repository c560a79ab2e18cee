#!/usr/bin/env python3
"""Keeps the README true: its examples are taken out of it and run.

usage: readme.py extract LANGUAGE [README]   print the first ```LANGUAGE block
       readme.py run-commands FOLDER [README] run each line of the ```sh blocks that follow the mark <!-- tested -->, with
                                              FOLDER first on the PATH and TMPDIR a folder of its own; exit code 1 at the
                                              first that fails
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def first_block(text, language):
    match = re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not match:
        sys.exit(f"readme.py: the README has no ```{language} block")
    return match.group(1)


def tested_commands(text):
    blocks = re.findall(r"^<!-- tested -->\n```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def run_commands(text, folder):
    commands = tested_commands(text)
    if not commands:
        sys.exit("readme.py: the README has no tested commands")
    with tempfile.TemporaryDirectory() as temporary:
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "TMPDIR": temporary}
        for command in commands:
            print(f"$ {command}", flush=True)
            code = subprocess.run(["bash", "-c", command], env=environment, check=False).returncode
            if code != 0:
                sys.exit(f"readme.py: exit code {code} from: {command}")


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    command, argument = arguments[:2]
    readme = Path(arguments[2]) if len(arguments) == 3 else Path(__file__).parent.parent / "README.md"
    text = readme.read_text(encoding="utf-8")
    if command == "extract":
        print(first_block(text, argument), end="")
    elif command == "run-commands":
        run_commands(text, argument)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
