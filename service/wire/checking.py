"""A text to be checked, and what came of it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from service.usecases.checking import Checked
from service.usecases.given_texts import TEXT_MOST
from service.wire.answers import FactOut, PersonOut, PrismaOut, UsageOut
from service.wire.engine_names import JudgeName
from service.wire.references import OfOne
from service.wire.shapes import Out, SpanOut


class CheckIn(BaseModel):
    """Any text about a character."""

    model_config = ConfigDict(extra="forbid")

    character: str = Field(min_length=1, max_length=200, description="The character's id, name or an alias.")
    text: str = Field(
        min_length=1,
        description="Plain text; control characters are taken out.",
        json_schema_extra={"maxLength": TEXT_MOST},
    )
    judge: JudgeName | None = Field(default=None, description="Who checks; by default as the settings say.")
    reference: OfOne | None = Field(
        default=None, description="Compare it with the character's reference text for this task, too."
    )


class CheckedSentenceOut(Out):
    text: str
    span: SpanOut = Field(description="Where it stands in `text` of the answer.")


class CheckOut(Out):
    book: str = Field(description="The book's id.")
    character: PersonOut
    text: str = Field(description="As it was read: without control characters.")
    sentences: list[CheckedSentenceOut]
    facts: list[FactOut]
    prisma: PrismaOut
    judge: str
    extractor: str
    resolver: str
    text_sha256: str = Field(description="Of the book's text.")
    decisions: int
    upto: int | None = Field(description="The offset of the spoiler gate.")
    usage: UsageOut = Field(description="What a language model took to find the facts, if one did.")
    notes: list[str]

    @classmethod
    def of(cls, checked: Checked) -> CheckOut:
        view = checked.view
        told = zip(checked.sentences, checked.spans, strict=True)
        return cls(
            book=view.record.id,
            character=PersonOut.of(checked.person),
            text=checked.text,
            sentences=[CheckedSentenceOut(text=s.text, span=SpanOut.of(at)) for s, at in told],
            facts=[FactOut.of(f, book=view.book, upto=view.upto) for f in checked.facts],
            prisma=PrismaOut.of(checked.prisma),
            judge=checked.judge,
            extractor=checked.extractor,
            resolver=view.annotations.resolver,
            text_sha256=view.text_sha256,
            decisions=view.decisions,
            upto=view.upto,
            usage=UsageOut.of(checked.usage),
            notes=list(checked.notes),
        )
