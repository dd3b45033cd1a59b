"""The static picture of an explanation: code with its marks, versions, the node that cannot run, the fix."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from ..core import palette
from ..core.picture import Picture
from .explain_record import place_words, remark, words
from .state import CodeLine, Explanation

_WIDTH = 760
_PADDING = 20
_ROW = 34
_CODE = 400
"""Width of the column of code."""
_TRACK = _PADDING + _CODE + 36
_NODE = _PADDING + _CODE + 90
_LANE = 36
_CLOSING = "，。、；：）”"
_RADIUS = 12
_MONO = 0.602
"""Width of a monospaced character, per px of its size."""
_BOLD = dict.fromkeys("mMwW", 1.03) | dict.fromkeys("iIjltfrJ", 0.42)
"""Widths of bold letters that are not about 0.7, per px of size."""


def picture(told: Explanation) -> Picture:
    """Draw an explanation, worded in the language in force."""
    heading, detail = words.say(told.heading), folded(words.say(told.detail), 12.5, _WIDTH - 2 * _PADDING)
    titles = folded(heading, 19, _WIDTH - 2 * _PADDING)
    top = 26 + 26 * len(titles) + 18 * len(detail) + 10
    rows = _rows(told.lines)
    marks = _marks(told, rows)
    lowest = max((row for _, row, _ in marks), default=0)
    slot = top + 40 + max(len(rows) * _ROW - 14, (lowest + 1) * _ROW + 34) if told.node_title else 0
    bottom = max(top + 48 + len(rows) * _ROW, slot + 40 if slot else 0) if rows or slot else top
    below = _below(told)
    height = bottom + 20 + sum(step for _, step in below) + 14
    scene = Picture(_WIDTH, round(height), words("explain.text.title"), f"{heading} {words.say(told.detail)}")
    ink = palette.light()
    scene.rect(0.5, 0.5, _WIDTH - 1, round(height) - 1, ink["paper"], ink["rule"], 6)
    for at, line in enumerate(titles):
        scene.text(_PADDING, 40 + 26 * at, line, 19, ink["ink"], bold=True)
    for at, line in enumerate(detail):
        scene.text(_PADDING, 40 + 26 * len(titles) + 18 * at - 2, line, 12.5, ink["ink2"])
    if bottom > top:
        scene.rect(1, top, _WIDTH - 2, bottom - top, ink["field"])
        scene.line([(1, top), (_WIDTH - 1, top)], ink["rule"])
        scene.line([(1, bottom), (_WIDTH - 1, bottom)], ink["rule"])
        _draw_code(scene, told, rows, top + 40)
        _draw_track(scene, told, marks, top + 40, slot)
    if slot:
        _draw_node(scene, told, slot)
    _draw_below(scene, told, bottom + 20, below)
    return scene


def _rows(lines: list[CodeLine]) -> list[CodeLine | None]:
    rows: list[CodeLine | None] = []
    for at, line in enumerate(lines):
        if at and line.number > lines[at - 1].number + 1:
            rows.append(None)
        rows.append(line)
    return rows


def _marks(told: Explanation, rows: list[CodeLine | None]) -> list[tuple[str, int, str]]:
    """Shape, row and label of each mark, in the order in which they came to be."""
    at = {row.number: place for place, row in enumerate(rows) if row is not None}
    counted = told.kind == "in_place"
    marks = [("circle", at[told.keeper], str(told.expected) if counted else "")] if told.keeper in at else []
    for line in dict.fromkeys(told.culprits):
        own = [
            version for number, version in zip(told.culprits, told.versions, strict=False) if number == line
        ]
        span = str(own[-1]) if own and own[0] == own[-1] else f"{own[0]}–{own[-1]}" if own else ""
        if line in at:
            marks.append(("square", at[line], span if counted else "≠" if told.kind == "behind" else "×"))
    return marks


def _draw_code(scene: Picture, told: Explanation, rows: list[CodeLine | None], top: float) -> None:
    ink = palette.light()
    place = place_words(told)
    if rows and place:
        scene.text(_PADDING, top - 16, words("explain.text.code", place=place), 11.5, ink["ink2"])
    if told.kind == "in_place" and rows:
        name = told.tensor if len(told.tensor) <= 10 else ""
        title = words("explain.text.version_of", name=name) if name else words("explain.text.version")
        scene.text(_TRACK, top - 16, title, 11.5, ink["ink2"], anchor="middle")
    for at, row in enumerate(rows):
        y = top + _ROW * at
        if row is None:
            scene.text(_PADDING + 22, y + 22, "⋮", 12, ink["ink2"], anchor="end")
            continue
        changed = row.number in told.culprits
        if changed:
            scene.rect(_PADDING, y, _CODE, _ROW, ink["refused-field"])
            scene.rect(_PADDING, y, 4, _ROW, ink["refused"])
        said = remark(told, row.number)
        room = int((_CODE - 52 - (width(said, 11.5) + 16 if said else 0)) / (13 * _MONO))
        scene.text(_PADDING + 26, y + 22, str(row.number), 11.5, ink["ink2"], mono=True, anchor="end")
        text = row.text if len(row.text) <= room else row.text[: max(room - 1, 1)] + "…"
        scene.text(_PADDING + 40, y + 22, text, 13, ink["ink"], mono=True, bold=changed)
        shade = ink["refused"] if changed else ink["ink2"]
        scene.text(_PADDING + _CODE - 8, y + 22, said, 11.5, shade, bold=changed, anchor="end")


def _draw_track(
    scene: Picture, told: Explanation, marks: list[tuple[str, int, str]], top: float, slot: float
) -> None:
    ink = palette.light()
    twice = len({row for _, row, _ in marks}) < len(marks)
    places = []
    for shape, row, label in marks:
        shift = (
            0
            if not twice or [other for _, other, _ in marks].count(row) < 2
            else -14
            if shape == "circle"
            else 14
        )
        places.append((shape, _TRACK + shift, top + _ROW * row + _ROW / 2, label))
    for _, x, y, _ in places:
        scene.line([(_PADDING + _CODE + 3, y), (x - 16, y)], ink["edge"], 1.5, (1.5, 3))
    for (_, x0, y0, _), (_, x1, y1, _) in pairwise(places):
        scene.line([(x0, y0), (x1, y0), (x1, y1)], ink["done"], 2.5)
    if places and slot:
        _, x, y, _ = places[-1]
        free = all(other <= y for _, _, other, _ in places)
        turn = x if free else _TRACK + _LANE
        scene.line([(x, y), (turn, y), (turn, slot), (_NODE - 7, slot)], ink["refused"], 2.5)
        for step in range(7):
            scene.line(
                [(_NODE - 7 + step, slot - 6 + step * 6 / 7), (_NODE - 7 + step, slot + 6 - step * 6 / 7)],
                ink["refused"],
                1.4,
            )
    for shape, x, y, label in places:
        half = max(_RADIUS, len(label) * 4 + 4)
        fill, radius = (ink["done"], _RADIUS) if shape == "circle" else (ink["refused"], 3)
        scene.rect(x - half, y - _RADIUS, 2 * half, 2 * _RADIUS, fill, radius=radius)
        scene.text(x, y + 4.5, label, 12.5, ink["on"], bold=True, anchor="middle")


def _draw_node(scene: Picture, told: Explanation, slot: float) -> None:
    ink = palette.light()
    wide, top = _WIDTH - _PADDING - _NODE, slot - (48 if told.slot else 19)
    scene.rect(_NODE, top, wide, 66 if told.slot else 38, ink["paper"], ink["refused"], 6, 2.5)
    scene.rect(_NODE + 8, top + 8, 22, 22, ink["refused"], radius=3)
    for line in ([(14, 14), (24, 24)], [(24, 14), (14, 24)]):
        scene.line([(_NODE + x, top + y) for x, y in line], ink["on"], 2)
    stem = told.node_title.split("Backward")[0] or told.node_title
    state = words("explain.text.cannot_run" if told.kind != "behind" else "explain.text.wrong")
    room = wide - 38 - width(state, 11.5) - 18
    shown = stem if width(stem, 14) <= room else stem[: int(room / 9)] + "…"
    scene.text(_NODE + 38, top + 24, shown, 14, ink["ink"], bold=True)
    suffix = told.node_title[len(stem) :]
    after = _NODE + 38 + sum(14 * _BOLD.get(c, 0.7) for c in shown) + 2
    if after + width(suffix, 10.5) < _NODE + wide - 18 - width(state, 11.5):
        scene.text(after, top + 24, suffix, 10.5, ink["ink2"])
    scene.text(_NODE + wide - 10, top + 24, state, 11.5, ink["refused"], bold=True, anchor="end")
    if told.slot:
        _draw_slot(scene, told, top + 36, wide)


def _draw_slot(scene: Picture, told: Explanation, top: float, wide: float) -> None:
    ink = palette.light()
    scene.rect(_NODE + 8, top, wide - 16, 22, ink["refused-field"], radius=3)
    scene.text(_NODE + 16, top + 15.5, told.slot[:14], 11.5, ink["ink"], mono=True)
    x = _NODE + 16 + min(len(told.slot), 14) * 11.5 * _MONO + 12
    if told.kind == "behind":
        scene.text(x, top + 15.5, words("explain.text.same_version"), 11.5, ink["refused"], bold=True)
        return
    expected = f"{words('explain.text.expected')} {told.expected}"
    scene.text(x, top + 15.5, expected, 11.5, ink["ink2"])
    found = f"{words('explain.text.found')} {told.found}"
    scene.text(x + width(expected, 11.5) + 12, top + 15.5, found, 11.5, ink["refused"], bold=True)


def _below(told: Explanation) -> list[tuple[tuple[str, str], float]]:
    """What stands below the scene: kind and text of each line, and how far the next one is."""
    found: list[tuple[tuple[str, str], float]] = []
    if told.way is not None or told.fix_new:
        found.append((("title", words("explain.text.fix").rstrip(":：")), 22))
    found += [(("old", line), 24) for line in told.fix_old.splitlines()]
    found += [(("new", line), 24) for line in told.fix_new.splitlines()]
    inner = _WIDTH - 2 * _PADDING
    for said, kind in ((told.way, "way"), (told.price, "price"), (told.unknown, "unknown")):
        if said is None:
            continue
        lines = folded(words.say(said), 12.5, inner)
        gap = 10 if kind == "unknown" or (kind == "way" and told.fix_new) else 0
        found += [((kind, line), 18 + (gap if not at else 0)) for at, line in enumerate(lines)]
    if told.error:
        lines = folded(told.error, 11.5, inner - 60)
        found.append((("said", words("explain.text.said")), 32))
        found += [(("error", line), 17) for line in lines]
    return found


def _draw_below(
    scene: Picture, told: Explanation, top: float, below: list[tuple[tuple[str, str], float]]
) -> None:
    ink = palette.light()
    y, number = top, {"old": told.fix_line, "new": told.fix_line}
    for (kind, text), step in below:
        y += step
        if kind in number:
            shade, sign = ("refused", "−") if kind == "old" else ("view", "+")
            scene.rect(_PADDING, y - 17, _WIDTH - 2 * _PADDING, 24, ink[f"{shade}-field"])
            scene.text(_PADDING + 12, y, sign, 13, ink[shade], bold=True, mono=True)
            scene.text(_PADDING + 48, y, str(number[kind]), 11.5, ink["ink2"], mono=True, anchor="end")
            scene.text(_PADDING + 62, y, text[:80], 13, ink["ink"], mono=True)
            number[kind] += 1
        elif kind == "title":
            scene.text(_PADDING, y - 8, text, 14, ink["ink"], bold=True)
        elif kind == "said":
            scene.line([(1, y - 20), (_WIDTH - 1, y - 20)], ink["rule"])
            scene.text(_PADDING, y, text, 11.5, ink["ink2"])
        else:
            shade = "ink" if kind == "way" else "ink2"
            mono = kind == "error"
            scene.text(_PADDING, y, text, 11.5 if mono else 12.5, ink[shade], mono=mono)


def width(text: str, size: float) -> float:
    """About how wide a line is, px: wide East Asian characters are as wide as they are high."""
    return sum(size if _is_wide(character) else 0.56 * size for character in text)


def folded(text: str, size: float, room: float) -> list[str]:
    """Break a sentence into lines of at most `room` px; Chinese breaks between any two characters."""
    lines, line = [], ""
    for piece in _pieces(text):
        if line and width((line + piece).rstrip(), size) > room:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


def _pieces(text: str) -> list[str]:
    """The shortest stretches a line may not break in."""
    pieces = [""]
    for character in text:
        last = pieces[-1][-1:]
        if last == " " or (character not in _CLOSING and (_is_wide(character) or _is_wide(last or "a"))):
            pieces.append("")
        pieces[-1] += character
    return [piece for piece in pieces if piece]


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
