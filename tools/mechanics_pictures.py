#!/usr/bin/env python3
"""Draws the pictures of docs/joints.md and docs/forces.md: one small sketch for each kind of joint, drive and force.

usage: mechanics_pictures.py OUT_FOLDER, such as docs/pictures; writes OUT_FOLDER/joints and OUT_FOLDER/forces
"""

import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 180, 120
BODY, PARTNER, FREE, HELD = "#4878a8", "#b8b0a4", "#c04830", "#202020"


class Sketch:
    def __init__(self):
        self.parts = []

    def add(self, text):
        self.parts.append(text)
        return self

    def line(self, x1, y1, x2, y2, color=HELD, width=2, dash=""):
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        return self.add(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width}"{extra}/>')

    def box(self, x, y, w, h, color=BODY, turn=0):
        at = f' transform="rotate({turn} {x:g} {y:g})"' if turn else ""
        return self.add(f'<rect x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w}" height="{h}" rx="3" fill="{color}"{at}/>')

    def circle(self, x, y, r, fill=BODY, stroke="none"):
        return self.add(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>')

    def text(self, x, y, words, color=HELD):
        return self.add(f'<text x="{x:g}" y="{y:g}" font-size="11" font-family="sans-serif" fill="{color}">{words}</text>')

    def ground(self, x, y, w):
        self.line(x - w / 2, y, x + w / 2, y)
        for i in range(int(w / 8)):
            left = x - w / 2 + 8 * i
            self.line(left + 6, y, left, y + 6, PARTNER, 1)
        return self

    def arrow(self, x1, y1, x2, y2, color=FREE, both=False):
        self.line(x1, y1, x2, y2, color)
        for (tip, tail) in [((x2, y2), (x1, y1))] + ([((x1, y1), (x2, y2))] if both else []):
            way = math.atan2(tip[1] - tail[1], tip[0] - tail[0])
            points = [tip] + [(tip[0] - 8 * math.cos(way + s), tip[1] - 8 * math.sin(way + s)) for s in (0.4, -0.4)]
            self.add('<polygon points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + f'" fill="{color}"/>')
        return self

    def arc(self, x, y, r, start, end, color=FREE, both=False):
        """An arrow along a circle; angles in degrees, counted as on paper."""
        def at(angle):
            return x + r * math.cos(math.radians(angle)), y - r * math.sin(math.radians(angle))
        (x1, y1), (x2, y2) = at(start), at(end)
        large, sweep = int(abs(end - start) > 180), int(end < start)
        self.add(f'<path d="M {x1:.1f} {y1:.1f} A {r:g} {r:g} 0 {large} {sweep} {x2:.1f} {y2:.1f}" fill="none" '
                 f'stroke="{color}" stroke-width="2"/>')
        for tip, side in [(end, 1 if end > start else -1)] + ([(start, 1 if start > end else -1)] if both else []):
            px, py = at(tip)
            way = math.radians(tip + side * 90)
            points = [(px + 5 * math.cos(way), py - 5 * math.sin(way))]
            points += [(px - 5 * math.cos(way + s), py + 5 * math.sin(way + s)) for s in (0.8, -0.8)]
            self.add('<polygon points="' + " ".join(f"{u:.1f},{w:.1f}" for u, w in points) + f'" fill="{color}"/>')
        return self

    def save(self, path):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        path.write_text("\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *self.parts, "</svg>"]) + "\n",
                        encoding="utf-8")


def wheel(sketch, x, y, r, teeth, turn=0.0, color=BODY):
    points = []
    for i in range(4 * teeth):
        radius = r + (4 if i % 4 in (1, 2) else -4)
        angle = 2 * math.pi * (i + 0.5) / (4 * teeth) + turn
        points.append(f"{x + radius * math.cos(angle):.1f},{y + radius * math.sin(angle):.1f}")
    sketch.add(f'<polygon points="{" ".join(points)}" fill="{color}"/>')
    return sketch.circle(x, y, 3, "#ffffff", HELD)


def spring(sketch, x, y, length):
    points = [(x, y)] + [(x + length * (i + 0.5) / 8, y + (6 if i % 2 else -6)) for i in range(8)] + [(x + length, y)]
    return sketch.add('<polyline points="' + " ".join(f"{u:.1f},{w:.1f}" for u, w in points) + f'" fill="none" stroke="{HELD}" stroke-width="2"/>')


def joint_sketches():
    yield "fixed", Sketch().box(60, 60, 60, 30, PARTNER).box(120, 60, 60, 30).line(88, 47, 92, 73).line(92, 47, 88, 73)
    yield "revolute", (Sketch().ground(40, 90, 60).line(40, 90, 40, 60).line(40, 60, 140, 40, BODY, 10).circle(40, 60, 7, "#ffffff", HELD)
                       .arc(40, 60, 70, -15, 35, both=True))
    yield "prismatic", Sketch().line(20, 75, 160, 75, PARTNER, 8).box(85, 62, 50, 26).arrow(55, 32, 120, 32, both=True)
    yield "spherical", (Sketch().ground(90, 100, 60).line(90, 100, 90, 75).circle(90, 66, 12, "#ffffff", HELD).circle(90, 66, 7)
                        .line(90, 66, 130, 20, BODY, 8).arc(90, 66, 44, 15, 95, both=True))
    yield "distance", Sketch().ground(40, 30, 40).line(40, 30, 130, 80, HELD, 3).circle(40, 30, 4, "#ffffff", HELD).circle(130, 80, 13).text(92, 48, "length")
    yield "universal", (Sketch().line(15, 60, 75, 60, PARTNER, 10).line(105, 60, 165, 35, BODY, 10).line(75, 40, 75, 80, PARTNER, 5).line(75, 42, 96, 42, PARTNER, 5)
                        .line(75, 78, 96, 78, PARTNER, 5).line(92, 42, 92, 78).line(80, 65, 105, 55).arc(40, 60, 22, -60, 60).arc(140, 45, 22, -40, 80))
    yield "cylindrical", (Sketch().line(15, 60, 165, 60, PARTNER, 6).box(85, 60, 50, 30).arrow(55, 25, 120, 25, both=True).arc(145, 60, 20, -70, 70, both=True))
    yield "planar", (Sketch().add(f'<polygon points="20,95 60,45 165,45 125,95" fill="{PARTNER}"/>').add(f'<polygon points="75,80 92,58 128,58 111,80" fill="{BODY}"/>')
                     .arrow(100, 68, 150, 68).arrow(100, 68, 78, 92).line(100, 68, 100, 18, HELD, 1, "4 3").arc(100, 30, 14, -150, 120))
    gear = Sketch()
    wheel(gear, 55, 62, 26, 10)
    wheel(gear, 122, 62, 40, 15, math.pi / 15, PARTNER)
    yield "gear", gear.arc(55, 62, 38, 60, 140).arc(122, 62, 50, 120, 60)
    rack = Sketch()
    wheel(rack, 90, 50, 28, 12, math.pi / 2)
    for i in range(9):
        rack.box(26 + 16 * i, 84, 8, 10, PARTNER)
    yield "rack", rack.line(15, 94, 165, 94, PARTNER, 12).arc(90, 50, 40, 60, 130).arrow(60, 110, 120, 110)
    yield "rope", (Sketch().ground(90, 18, 40).add(f'<path d="M 90 18 Q 60 110 135 62" fill="none" stroke="{HELD}" stroke-width="2"/>').circle(140, 58, 12)
                   .add(f'<path d="M 15 18 A 75 75 0 0 0 165 18" fill="none" stroke="{PARTNER}" stroke-width="1" stroke-dasharray="4 3"/>').text(20, 110, "at most its length"))
    yield "rolling", (Sketch().ground(90, 100, 160).circle(80, 65, 34, "#ffffff", BODY).circle(80, 65, 3).line(80, 65, 80, 98, BODY).circle(80, 99, 3, FREE)
                      .arc(80, 65, 44, 100, 40).arrow(80, 65, 130, 65).text(92, 93, "no slip", FREE))
    yield "knife_edge", (Sketch().box(90, 60, 80, 26, BODY, -25).line(55, 76, 125, 44, HELD, 3).arrow(90, 60, 150, 32).line(80, 38, 100, 82, FREE, 2, "4 3")
                         .text(100, 100, "axis: held", FREE))
    yield "limits", (Sketch().line(15, 75, 165, 75, PARTNER, 8).box(85, 62, 40, 26).box(22, 60, 10, 30, HELD).box(158, 60, 10, 30, HELD).arrow(40, 32, 140, 32, both=True)
                     .text(14, 100, "low").text(148, 100, "high"))
    ratchet = Sketch()
    wheel(ratchet, 85, 66, 34, 12)
    yield "one_way", ratchet.line(150, 20, 112, 42, HELD, 5).circle(150, 20, 4, "#ffffff", HELD).arc(85, 66, 46, 200, 130)
    yield "motor", Sketch().line(15, 85, 165, 85, PARTNER, 8).box(50, 68, 44, 28).circle(50, 68, 9, "#ffffff", HELD).text(46, 72, "M").arrow(80, 62, 130, 62).text(82, 50, "velocity")
    yield "servo", spring(Sketch().line(15, 85, 165, 85, PARTNER, 8).box(50, 68, 44, 28), 72, 68, 56).line(128, 45, 128, 90, FREE, 2, "4 3").text(106, 38, "position", FREE)
    yield "friction", (Sketch().line(15, 85, 165, 85, PARTNER, 8).box(85, 68, 50, 28).arrow(90, 62, 135, 62).arrow(80, 81, 40, 81, HELD).text(16, 106, "at most friction"))


def force_sketches():
    yield "gravity", Sketch().box(90, 40, 44, 28).circle(90, 40, 3, "#ffffff", HELD).arrow(90, 40, 90, 100).text(98, 96, "m g", FREE)
    yield "spring", spring(Sketch().box(20, 60, 10, 60, PARTNER).box(132, 60, 44, 40), 26, 48, 84).line(26, 74, 60, 74).line(60, 66, 60, 82).add(
        f'<path d="M 54 66 L 80 66 L 80 82 L 54 82" fill="none" stroke="{HELD}" stroke-width="2"/>').line(80, 74, 110, 74).arrow(132, 60, 92, 60)
    yield "force", Sketch().ground(90, 100, 150).box(85, 80, 60, 38).circle(115, 68, 3, "#ffffff", HELD).arrow(115, 68, 160, 40).text(106, 32, "8*cos(t)", FREE)
    yield "torque", Sketch().box(90, 64, 70, 30, BODY, -20).circle(90, 64, 3, "#ffffff", HELD).arc(90, 64, 46, -30, 100)
    cone = Sketch().ground(90, 96, 150).box(90, 76, 54, 38)
    yield "coulomb", (cone.add(f'<polygon points="90,96 66,20 114,20" fill="none" stroke="{PARTNER}" stroke-width="2" stroke-dasharray="4 3"/>')
                      .arrow(90, 96, 68, 28).arrow(122, 70, 160, 70, HELD).text(118, 30, "mu c_n", FREE))
    yield "anisotropic", (Sketch().box(90, 60, 160, 96, "#eeeae4").add(f'<ellipse cx="90" cy="60" rx="54" ry="26" fill="none" stroke="{HELD}" stroke-width="2"/>')
                          .arrow(90, 60, 144, 60).arrow(90, 60, 90, 34).text(112, 76, "mu", FREE).text(96, 46, "mu2", FREE))
    yield "spin_friction", (Sketch().ground(90, 92, 150).circle(90, 62, 30).line(90, 14, 90, 92, HELD, 1, "4 3")
                            .add(f'<ellipse cx="90" cy="92" rx="16" ry="4" fill="none" stroke="{FREE}" stroke-width="2"/>').arc(90, 26, 14, -150, 120))
    yield "roll_friction", (Sketch().ground(90, 96, 150).circle(80, 62, 34, "#ffffff", BODY).arc(80, 62, 44, 100, 40).arrow(90, 96, 90, 44)
                            .text(98, 90, "roll_friction", FREE))


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    for kind, sketches in (("joints", joint_sketches()), ("forces", force_sketches())):
        folder = Path(arguments[0]) / kind
        folder.mkdir(parents=True, exist_ok=True)
        for name, sketch in sketches:
            sketch.save(folder / f"{name}.svg")


main(sys.argv[1:])
