"""Carom's pictures in matplotlib axes: the few elements that its SVG files are made of, as patches."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

_NS = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"([MLCZ])([^MLCZ]*)")


def _path(outline: str) -> Any:
    """A matplotlib path from M, L, C and Z."""
    from matplotlib.path import Path

    codes: list[int] = []
    points: list[tuple[float, float]] = []
    for letter, text in _STEP.findall(outline):
        x = [float(n) for n in text.split()]
        pairs = list(zip(x[::2], x[1::2])) or [(0.0, 0.0)]
        kind = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}[letter]
        codes += [kind] * len(pairs)
        points += pairs
    return Path(points, codes)


def _transform(text: str) -> Any:
    """translate, rotate and scale of a group of letters, the last one applied first."""
    from matplotlib.transforms import Affine2D

    made = Affine2D()
    for name, numbers in reversed(re.findall(r"(translate|rotate|scale)\(([^)]*)\)", text)):
        x = [float(n) for n in numbers.split()]
        made = made.translate(*x) if name == "translate" else made.rotate_deg(x[0]) if name == "rotate" else made.scale(x[0])
    return made


def _ink(element: ET.Element) -> dict[str, Any]:
    """Colours and lines of a path; widths are of a page of 860 units."""
    fill, stroke = element.get("fill", "none"), element.get("stroke")
    dashes = [float(n) for n in element.get("stroke-dasharray", "").split()]
    alpha = element.get("fill-opacity") or element.get("stroke-opacity")
    return {
        "facecolor": fill,
        "edgecolor": stroke or "none",
        "linewidth": 0.6 * float(element.get("stroke-width", 0)),
        "linestyle": (0, dashes) if dashes else "-",
        "alpha": float(alpha) if alpha else None,
    }


class _Page:
    """The axes that a picture is drawn into, and what it defines on the way."""

    def __init__(self, ax: Any, root: ET.Element) -> None:
        self.ax = ax
        self.letters = {p.get("id"): _path(p.get("d", "")) for p in root.iter(f"{_NS}path") if p.get("id")}
        self.clips: dict[str, Any] = {}

    def put(self, outline: Any, clip: Any, **ink: Any) -> None:
        from matplotlib.patches import PathPatch

        patch = PathPatch(outline, **ink)
        patch.set_snap(False)
        self.ax.add_patch(patch)
        if clip is not None:
            x, y, wide, high = clip
            corner = _path(f"M{x} {y}L{x + wide} {y}L{x + wide} {y + high}L{x} {y + high}Z")
            patch.set_clip_path(corner, self.ax.transData)

    def draw(self, element: ET.Element, clip: Any = None) -> None:
        tag = element.tag.removeprefix(_NS)
        if tag == "clipPath":
            self.clips[element.get("id", "")] = [float(element[0].get(k, 0)) for k in ("x", "y", "width", "height")]
        elif tag == "path":
            self.put(_path(element.get("d", "")), clip, **_ink(element))
        elif tag == "g" and element.get("transform"):
            self.draw_letters(element)
        elif tag in ("g", "svg"):
            name = re.search(r"#(\w+)", element.get("clip-path", ""))
            inner = self.clips.get(name.group(1)) if name else clip
            for child in element:
                self.draw(child, inner)

    def draw_letters(self, group: ET.Element) -> None:
        from matplotlib.transforms import Affine2D

        place = _transform(group.get("transform", ""))
        for use in group:
            at = Affine2D().translate(float(use.get("x", 0)), 0) + place
            outline = self.letters[use.get("href", "")[1:]].transformed(at)
            self.put(outline, None, facecolor=group.get("fill"), edgecolor="none")


def draw(svg: str, ax: Any) -> Any:
    """Draw one of Carom's SVG texts into axes; returns them."""
    root = ET.fromstring(svg)
    wide, high = float(root.get("width", 1)), float(root.get("height", 1))
    _Page(ax, root).draw(root)
    ax.set_xlim(0, wide)
    ax.set_ylim(high, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax
