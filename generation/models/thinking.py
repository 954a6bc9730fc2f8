"""Tells an answer from what a model thinks before it, also while it is written.

Models mark their thinking in several ways, and servers take it out only if they know the model. A template
may open the thinking in the prompt, so that the answer has only the end of it; and the marks of some models
are channels, of which only the last one is the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OPEN, CLOSE = "<think>", "</think>"
_BEGINS = re.compile(
    r"<(?:think|thinking|thought|reasoning)>|\[THINK\]"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<]{0,40}<\|message\|>",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]"
    r"|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final[^<]{0,40}<\|message\|>",
    re.IGNORECASE,
)
_MARK = re.compile(
    f"(?P<begins>{_BEGINS.pattern})|(?P<ends>{_ENDS.pattern})|<\\|(?:end|return)\\|>", re.IGNORECASE
)
_UNFINISHED = re.compile(
    r"(?:<\|[^<]{0,20}\|?>?){1,4}[a-z]{0,10}(?:<[|a-z/]{0,10})?\Z|[<\[][/a-z|]{0,10}\Z", re.IGNORECASE
)
"""The beginning of what may become a mark with the next piece."""


@dataclass(frozen=True, slots=True)
class SpokenPiece:
    text: str = ""
    thinking: bool = False
    """Whether the model is thinking now."""
    void: bool = False
    """Whether the text so far has turned out to be thinking. This piece comes after it."""


class ThinkingSplitter:
    """Receives an answer in pieces."""

    def __init__(self) -> None:
        self._pending = ""
        self.thinking = False
        self.thought = False
        """Whether there was any thinking."""

    def hear(self, piece: str, *, last: bool = False) -> SpokenPiece:
        text, self._pending = self._pending + piece, ""
        spoken, void = "", False
        while (mark := _MARK.search(text)) is not None:
            spoken += "" if self.thinking else text[: mark.start()]
            text = text[mark.end() :]
            if mark["ends"] and not self.thinking:
                spoken, void = "", True
            self.thought = self.thought or bool(mark["begins"] or mark["ends"])
            self.thinking = bool(mark["begins"]) or (self.thinking and not mark["ends"])
        if not last and (unfinished := _UNFINISHED.search(text)):
            text, self._pending = text[: unfinished.start()], unfinished.group()
        return SpokenPiece(spoken + ("" if self.thinking else text), self.thinking, void)


def spoken(text: str) -> str:
    """Return an answer without the thinking."""
    return ThinkingSplitter().hear(text, last=True).text


def thinks(text: str) -> bool:
    splitter = ThinkingSplitter()
    splitter.hear(text, last=True)
    return splitter.thought


def only_closes(text: str) -> bool:
    """Return whether there is an end of thinking without its beginning."""
    return ThinkingSplitter().hear(text, last=True).void
