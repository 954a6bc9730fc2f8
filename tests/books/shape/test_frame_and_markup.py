"""Where a licence frame ends in the middle of a marked-up block, the rest of the block is the story."""

from __future__ import annotations

from books.shape.frame.boilerplate import frame
from books.shape.structure import shape_of
from books.source import Block, Role, Source
from books.types import Span

PROSE = "It rained on the harbour all that morning, and the boats stayed in. " * 40


def test_a_block_across_the_frame_keeps_what_is_inside() -> None:
    header = "*** START OF THE PROJECT GUTENBERG EBOOK THE TIDE ***\n"
    footer = "\n*** END OF THE PROJECT GUTENBERG EBOOK THE TIDE ***"
    text = f"{header}The first line.\n\n{PROSE}\nThe end of it.{footer}"
    parting = text.index("\n\n")
    blocks = (
        Block(text, Span(0, parting), Role.TEXT),
        Block(text, Span(parting + 2, len(text)), Role.TEXT),
    )
    source = Source(text, "html", "utf-8", blocks=blocks)
    framing = frame(text)
    shape = shape_of(source, framing.story)
    assert shape is not None
    assert [p.span.of(text)[:15] for p in shape.paragraphs] == ["The first line.", PROSE[:15]]
    assert shape.paragraphs[-1].span.of(text).endswith("The end of it.")
