"""What holds for every citation of every answer over HTTP, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx


def assert_quoted(client: httpx.Client, answer: dict[str, Any]) -> None:
    """The quote of a citation is the words at its place, which is in its chapter and before the gate."""
    chapters: dict[int, dict[str, Any]] = {}
    for place in _citations(answer):
        number, quote, span = place["chapter"], place["quote"], place["span"]
        if number not in chapters:
            told = client.get(f"/books/{answer['book']}/chapters/{number}")
            assert told.status_code == 200, told.text
            chapters[number] = told.json()
        chapter = chapters[number]
        assert quote.strip()
        assert len(quote) == span["end"] - span["start"]
        assert chapter["span"]["start"] <= span["start"] < span["end"] <= chapter["span"]["end"], quote
        upto = answer["provenance"]["upto"]
        assert upto is None or span["end"] <= upto, f"“{quote}” is past the gate"
        shared = [
            (max(start, span["start"]), min(end, span["end"]), start, paragraph["text"])
            for paragraph in chapter["paragraphs"]
            for start, end in [(paragraph["span"]["start"], paragraph["span"]["end"])]
            if start < span["end"] and span["start"] < end
        ]
        assert shared, f"“{quote}” is in no paragraph"
        for start, end, at, text in shared:
            assert text[start - at : end - at] == quote[start - span["start"] : end - span["start"]]


def _citations(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for sentence in answer["sentences"]:
        yield from sentence["citations"]
    for fact in answer["facts"]:
        yield from fact["evidence"]
