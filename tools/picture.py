#!/usr/bin/env python3
"""Draws a planar run (made with --csv) as one picture: where the capsules and balls were, from early (light) to late (dark).

usage: picture.py RUN_FOLDER OUT.svg [SECONDS]   a pose every so many seconds (0.05)
"""

import csv
import json
import math
import re
import sys
from pathlib import Path

SCALE = 420.0  # pixels a metre
MARGIN = 0.15  # m


def read_scene(folder):
    text = (folder / "scene.json").read_text(encoding="utf-8")
    return json.loads(re.sub(r"//[^\n]*", "", text))


def shape_of(body):
    shape = body.get("shape", {})
    if shape.get("type") == "capsule":
        return shape["length"], shape["radius"], shape.get("axis", [0, 0, 1])
    if shape.get("type") == "sphere":
        return 0.0, shape["radius"], [1, 0, 0]
    return None


def poses(folder, seconds):
    """(time, body, x, y, angle) of the start and then every so many seconds."""
    due = {}
    for row in csv.DictReader((folder / "states.csv").open(encoding="utf-8")):
        time, body = float(row["time"]), row["body"]
        if time + 1e-9 < due.get(body, 0.0):
            continue
        due[body] = due.get(body, 0.0) + seconds
        angle = 2 * math.atan2(float(row["orientation_z"]), float(row["orientation_w"]))
        yield time, body, float(row["position_x"]), float(row["position_y"]), angle


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    folder, out = Path(arguments[0]), Path(arguments[1])
    scene = read_scene(folder)
    shapes = {body["name"]: shape_of(body) for body in scene["bodies"] if shape_of(body)}
    drawn = [pose for pose in poses(folder, float(arguments[2]) if len(arguments) == 3 else 0.05) if pose[1] in shapes]
    if not drawn:
        sys.exit("picture.py: no capsule and no ball moves in this run")
    reach = max(length / 2 + radius for length, radius, _ in shapes.values())
    left, right = min(p[2] for p in drawn) - reach - MARGIN, max(p[2] for p in drawn) + reach + MARGIN
    bottom, top = min(-MARGIN, min(p[3] for p in drawn) - reach), max(p[3] for p in drawn) + reach + MARGIN
    width, height, last = SCALE * (right - left), SCALE * (top - bottom), max(p[0] for p in drawn)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<rect x="0" y="{SCALE * top:.1f}" width="{width:.0f}" height="{-SCALE * bottom:.1f}" fill="#d8d2c8"/>',
    ]
    for time, body, x, y, angle in drawn:
        length, radius, axis = shapes[body]
        turned = angle + math.atan2(axis[1], axis[0])
        dx, dy = 0.5 * length * math.cos(turned), 0.5 * length * math.sin(turned)
        shade = 0.15 + 0.85 * (time / last if last > 0 else 1)
        lines.append(
            f'<line x1="{SCALE * (x - dx - left):.1f}" y1="{SCALE * (top - y + dy):.1f}" '
            f'x2="{SCALE * (x + dx - left):.1f}" y2="{SCALE * (top - y - dy):.1f}" stroke="#1d4e89" '
            f'stroke-opacity="{0.6 * shade:.2f}" stroke-width="{2 * SCALE * radius:.1f}" stroke-linecap="round"/>'
        )
    out.write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
