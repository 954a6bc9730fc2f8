"""A text to check, and the result."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from service.usecases.checking import Checked
from service.usecases.given_texts import TEXT_MOST
from service.wire.answers import FactOut, PersonOut, PrismaOut, UsageOut
from service.wire.engine_names import JudgeName, ShownName
from service.wire.references import OfOne
from service.wire.shapes import DECISIONS, Out, SpanOut


class CheckIn(BaseModel):
    """A text about a character."""

    model_config = ConfigDict(extra="forbid")

    character: str = Field(min_length=1, max_length=200, description="Id, name or alias of the character.")
    text: str = Field(
        min_length=1,
        description="Plain text. Control characters are removed.",
        json_schema_extra={"maxLength": TEXT_MOST},
    )
    judge: JudgeName | None = Field(default=None, description="Judge to use. The default is the setting.")
    reference: OfOne | None = Field(
        default=None, description="Also compare it with the reference text of the character for this task."
    )


class CheckedSentenceOut(Out):
    text: str
    span: SpanOut = Field(description="Position in `text` of the response.")


class CheckOut(Out):
    book: str = Field(description="The book's id.")
    character: PersonOut
    text: str = Field(description="The text as it was checked, without control characters.")
    sentences: list[CheckedSentenceOut] = Field(description="The sentences of `text`, in order.")
    facts: list[FactOut] = Field(description="The claims in them, each with its verdict.")
    prisma: PrismaOut = Field(description="How many of the facts the book supports.")
    judge: ShownName = Field(description="Engine that checked the facts.")
    extractor: ShownName = Field(description="Engine that split the text into facts.")
    resolver: str = Field(description="Engine that found the characters of the book.")
    text_sha256: str = Field(description="Hash of the text of the book.")
    decisions: int = Field(description=DECISIONS)
    upto: int | None = Field(description="Offset up to which the book was used; null for the whole book.")
    usage: UsageOut = Field(description="Cost of finding the facts, if a language model was used.")
    notes: list[ShownName] = Field(description="What to know before the verdicts are believed.")

    @classmethod
    def of(cls, checked: Checked) -> CheckOut:
        view = checked.view
        told = zip(checked.sentences, checked.spans, strict=True)
        return cls.like(
            checked,
            book=view.record.id,
            character=checked.person,
            sentences=[CheckedSentenceOut(text=s.text, span=SpanOut.of(at)) for s, at in told],
            facts=[FactOut.of(f, book=view.book, upto=view.upto) for f in checked.facts],
            prisma=PrismaOut.of(checked.prisma),
            resolver=view.annotations.resolver,
            text_sha256=view.text_sha256,
            decisions=view.decisions,
            upto=view.upto,
        )
