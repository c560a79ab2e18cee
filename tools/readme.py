#!/usr/bin/env python3
"""Keeps the README and other pages true: their examples are taken out of them and run.

usage: readme.py extract LANGUAGE [PAGE]     print the first ```LANGUAGE block
       readme.py run-commands FOLDER [PAGE]  run each line of the ```sh blocks that follow the mark <!-- tested -->, with
                                             FOLDER first on the PATH and TMPDIR a folder of its own, in which the blocks
                                             that follow a mark <!-- file: NAME --> lie; exit code 1 at the first that fails
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
        sys.exit(f"readme.py: the page has no ```{language} block")
    return match.group(1)


def tested_commands(text):
    blocks = re.findall(r"^<!-- tested -->\n```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def files(text):
    return re.findall(r"^<!-- file: ([\w.]+) -->\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run_commands(text, folder):
    commands = tested_commands(text)
    if not commands:
        sys.exit("readme.py: the page has no tested commands")
    with tempfile.TemporaryDirectory() as temporary:
        for name, content in files(text):
            (Path(temporary) / name).write_text(content, encoding="utf-8")
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
