"""The forgetting curves as a picture: accuracy by the words read since, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from evaluation.memory.measuring import BOUNDS, CurvePoint

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 150, 16, 48
_COLOURS: Final = ("#7a3b1d", "#24603a", "#2b4f81", "#7a5a00", "#6b2a6b", "#444444")
_PARTS: Final = len(BOUNDS) + 1


def picture(curves: Mapping[str, Sequence[CurvePoint]], chance: float) -> str:
    """Return an SVG with one line for each taker of the test."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="11"><title>Right answers by words read since the scene</title>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf9"/>',
        *_axes(),
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(chance):.1f}" y2="{_y(chance):.1f}" '
        f'stroke="#888" stroke-dasharray="4 4"/>',
        f'<text x="{_WIDTH - _RIGHT + 8}" y="{_y(chance) + 4:.1f}" fill="#666">chance</text>',
    ]
    for n, (name, points) in enumerate(curves.items()):
        lines += _line(name, points, _COLOURS[n % len(_COLOURS)], n, len(curves))
    return "\n".join((*lines, "</svg>", ""))


def _axes() -> Iterator[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5ded0"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    for part, low in enumerate((0, *BOUNDS)):
        high = f"–{BOUNDS[part] // 1000}" if part < len(BOUNDS) else "+"
        x = f"{_x(part):.1f}"
        yield f'<text x="{x}" y="{_HEIGHT - 28}" text-anchor="middle">{low // 1000}{high}</text>'
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield (
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">'
        "thousand words read since the scene</text>"
    )


def _line(name: str, points: Sequence[CurvePoint], colour: str, n: int, count: int) -> Iterator[str]:
    lows = (0, *BOUNDS)
    aside = 6 * (n - (count - 1) / 2)
    places = [(_x(lows.index(point.low)) + aside, point) for point in points]
    path = " ".join(f"{x:.1f},{_y(point.accuracy.mean):.1f}" for x, point in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, point in places:
        measured = point.accuracy
        yield f'<circle cx="{x:.1f}" cy="{_y(measured.mean):.1f}" r="3" fill="{colour}"/>'
        if measured.low is not None and measured.high is not None:
            yield (
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(measured.low):.1f}" '
                f'y2="{_y(measured.high):.1f}" stroke="{colour}" opacity=".5"/>'
            )
    y = _TOP + 14 * (n + 1)
    yield f'<text x="{_WIDTH - _RIGHT + 8}" y="{y}" fill="{colour}">{escape(name)}</text>'


def _x(part: int) -> float:
    return _LEFT + (part + 0.5) * (_WIDTH - _LEFT - _RIGHT) / _PARTS


def _y(share: float) -> float:
    return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)
