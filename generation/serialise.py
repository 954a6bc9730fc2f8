"""Portraits as plain JSON values and back, exactly: for the cache, the API and exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from books.types import Span
from coref.types import Alias, Character, CharacterKind
from generation.types import (
    Category,
    Citation,
    Claim,
    Compared,
    CountedClaim,
    Fact,
    Label,
    NamedSpan,
    Portrait,
    Prisma,
    Provenance,
    Reference,
    RejectedDraft,
    Sentence,
    Strategy,
    Task,
    Usage,
    Verdict,
)

Json = dict[str, Any]


def to_dict(portrait: Portrait) -> Json:
    return {
        "task": portrait.task.value,
        "characters": [_character(c) for c in portrait.characters],
        "sentences": [_sentence(s) for s in portrait.sentences],
        "facts": [_fact(f) for f in portrait.facts],
        "prisma": _prisma(portrait.prisma),
        "provenance": {name: getattr(portrait.provenance, name) for name in Provenance.__slots__},
        "usage": {name: getattr(portrait.usage, name) for name in Usage.__slots__},
        "notes": list(portrait.notes),
        "rejected": _rejected(portrait.rejected),
    }


def from_dict(data: Json) -> Portrait:
    return Portrait(
        task=Task(data["task"]),
        characters=tuple(_read_character(c) for c in data["characters"]),
        sentences=tuple(_read_sentence(s) for s in data["sentences"]),
        facts=tuple(_read_fact(f) for f in data["facts"]),
        prisma=_read_prisma(data["prisma"]),
        provenance=_read_provenance(data["provenance"]),
        usage=Usage(**data["usage"]),
        notes=tuple(data.get("notes", ())),
        rejected=RejectedDraft(**data["rejected"]) if data.get("rejected") else None,
    )


def _rejected(rejected: RejectedDraft | None) -> Json | None:
    return {"generator": rejected.generator, "reason": rejected.reason} if rejected else None


def _read_provenance(data: Json) -> Provenance:
    return Provenance(**{**data, "strategy": Strategy(data.get("strategy", Strategy.RETRIEVE))})


def _span(span: Span) -> Json:
    return {"start": span.start, "end": span.end}


def _read_span(data: Json) -> Span:
    return Span(data["start"], data["end"])


def _citations(citations: Sequence[Citation]) -> list[Json]:
    return [{**_span(c.span), "chapter": c.chapter} for c in citations]


def _read_citations(data: Sequence[Json]) -> tuple[Citation, ...]:
    return tuple(Citation(_read_span(c), c["chapter"]) for c in data)


def _character(character: Character) -> Json:
    return {
        "id": character.id,
        "name": character.name,
        "aliases": [{"text": a.text, "count": a.count, "first": a.first} for a in character.aliases],
        "kind": character.kind.value,
        "pronouns": character.pronouns,
        "mention_count": character.mention_count,
        "first": character.first,
    }


def _read_character(data: Json) -> Character:
    aliases = tuple(Alias(**a) for a in data["aliases"])
    return Character(**{**data, "aliases": aliases, "kind": CharacterKind(data["kind"])})


def _sentence(sentence: Sentence) -> Json:
    return {
        "text": sentence.text,
        "citations": _citations(sentence.citations),
        "heading": sentence.heading,
        "characters": list(sentence.characters),
    }


def _read_sentence(data: Json) -> Sentence:
    citations = _read_citations(data["citations"])
    return Sentence(data["text"], citations, data["heading"], tuple(data["characters"]))


def _fact(fact: Fact) -> Json:
    return {"claim": _claim(fact.claim), "verdict": _verdict(fact.verdict), "overruled": fact.overruled}


def _read_fact(data: Json) -> Fact:
    overruled = Label(data["overruled"]) if data.get("overruled") else None
    return Fact(_read_claim(data["claim"]), _read_verdict(data["verdict"]), overruled)


def _claim(claim: Claim) -> Json:
    return {
        "text": claim.text,
        "category": claim.category.value,
        "sentence": claim.sentence,
        "span": _span(claim.span),
        "subject": claim.subject,
        "citations": _citations(claim.citations),
        "people": [{**_span(n.span), "character": n.character} for n in claim.people],
        "counted": {"said": claim.counted.said, "found": claim.counted.found} if claim.counted else None,
        "composed": claim.composed,
    }


def _read_claim(data: Json) -> Claim:
    return Claim(
        text=data["text"],
        category=Category(data["category"]),
        sentence=data["sentence"],
        span=_read_span(data["span"]),
        subject=data["subject"],
        citations=_read_citations(data["citations"]),
        people=tuple(NamedSpan(_read_span(n), n["character"]) for n in data["people"]),
        counted=CountedClaim(**data["counted"]) if data["counted"] else None,
        composed=data.get("composed", False),
    )


def _verdict(verdict: Verdict) -> Json:
    return {
        "label": verdict.label.value,
        "score": verdict.score,
        "evidence": _citations(verdict.evidence),
        "judge": verdict.judge,
        "note": verdict.note,
    }


def _read_verdict(data: Json) -> Verdict:
    shown = _read_citations(data["evidence"])
    return Verdict(Label(data["label"]), data["score"], shown, data["judge"], data.get("note"))


def _prisma(prisma: Prisma) -> Json:
    by_category = {category.value: list(counts) for category, counts in prisma.by_category.items()}
    return {
        "facts": prisma.facts,
        "supported": prisma.supported,
        "precision": prisma.precision,
        "by_category": by_category,
        "reference": reference_to_dict(prisma.reference) if prisma.reference else None,
        "overruled": prisma.overruled,
    }


def _read_prisma(data: Json) -> Prisma:
    by_category = {Category(name): (n[0], n[1]) for name, n in data["by_category"].items()}
    reference = reference_from_dict(data["reference"]) if data.get("reference") else None
    return Prisma(data["facts"], data["supported"], by_category, reference, data.get("overruled", 0))


def reference_to_dict(reference: Reference) -> Json:
    return {
        "source": reference.source,
        "whole": _compared(reference.whole),
        "by_category": {c.value: _compared(found) for c, found in reference.by_category.items()},
    }


def reference_from_dict(data: Json) -> Reference:
    by_category = {Category(name): Compared(**found) for name, found in data["by_category"].items()}
    return Reference(data["source"], Compared(**data["whole"]), by_category)


def _compared(compared: Compared) -> Json:
    return {name: getattr(compared, name) for name in Compared.__slots__}
