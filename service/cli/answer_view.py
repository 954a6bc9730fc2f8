"""How a portrait looks on a terminal: cited sentences, the facts with what the book says, the score."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from books.types import Book
from generation.checking.overruling import identify
from generation.sentences import flat, split
from generation.types import Citation, Claim, Fact, Label, Portrait, Prisma, Reference, Sentence, Usage
from service.usecases.answers import Estimate

MARKS: dict[Label, tuple[str, str]] = {
    Label.SUPPORTED: ("✓", "green"),
    Label.CONTRADICTED: ("✗", "red"),
    Label.UNSUPPORTED: ("–", "yellow"),
    Label.UNCERTAIN: ("?", "cyan"),
}
QUOTE = 150
"""Characters of evidence that a table cell has room for."""
WORD = re.compile(r"\w+")


def show_portrait(portrait: Portrait, *, book: Book) -> RenderableType:
    return Group(
        show_text(portrait),
        fact_table(portrait.facts, book=book, upto=portrait.provenance.upto),
        *(Text(line, style="bold") for line in prisma_lines(portrait.prisma)),
        *(Text(line, style="yellow") for line in note_lines(portrait)),
        Text(cost_line(portrait.usage), style="dim"),
        Text(provenance_line(portrait), style="dim"),
    )


def show_text(portrait: Portrait) -> RenderableType:
    return Group(Text(headline(portrait), style="bold"), Text(), *paragraphs(portrait.sentences), Text())


def headline(portrait: Portrait) -> str:
    names = ", ".join(c.name for c in portrait.characters)
    gate = "" if portrait.provenance.upto is None else ", as far as you have read"
    words = len(portrait.text.split())
    return f"{names}: {portrait.task.value} in {words} words{gate}"


def paragraphs(sentences: Iterable[Sentence]) -> list[RenderableType]:
    """One paragraph for each heading, every sentence followed by its chapters."""
    done: list[RenderableType] = []
    text = Text()
    for sentence in sentences:
        if sentence.heading:
            done += [text, Text(), Text(sentence.heading, style="bold underline")] if text else []
            text = Text() if text else Text(f"{sentence.heading}\n", style="bold underline")
        text.append(sentence.text, style="").append(" ").append(
            chapters(sentence.citations), style="dim"
        ).append(" ")
    return [*(Padding(part, (0, 2)) for part in [*done, text])]


def chapters(citations: Iterable[Citation]) -> str:
    """`[ch. 3, 7]`, counted from 1 as readers do; `[unsupported]` where nothing was found."""
    numbers = sorted({c.chapter + 1 for c in citations})
    return f"[ch. {', '.join(map(str, numbers))}]" if numbers else "[unsupported]"


def fact_table(facts: Iterable[Fact], *, book: Book, upto: int | None) -> Table:
    """`upto` is the gate behind which the facts were judged. Under its category stands a fact's id."""
    table = Table(box=None, padding=(0, 1), header_style="bold", expand=True)
    table.add_column("", width=1)
    table.add_column("Fact", ratio=4)
    table.add_column("Category", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    table.add_column("The book says", ratio=5, style="italic")
    for fact in facts:
        mark, colour = MARKS[fact.label]
        verdict = Text(verdict_of(fact), style=colour)
        category = Text(fact.claim.category.value.replace("_", " "))
        category.append(f"\n{identify(fact.claim, upto=upto)}", style="dim")
        table.add_row(
            Text(mark, style=colour), Text(fact.claim.text), category, verdict, evidence(fact, book)
        )
    return table


def verdict_of(fact: Fact) -> str:
    """What counts: a reader's word, if there is one, before the judge's."""
    judged = f"{fact.verdict.label.value} {fact.verdict.score:.2f}"
    return f"{fact.overruled.value} (a reader; judged {judged})" if fact.overruled else judged


def evidence(fact: Fact, book: Book) -> Text:
    """The likeliest sentence of the first passage of evidence, and its chapter."""
    if not fact.verdict.evidence:
        return Text("nothing found", style="dim")
    first = fact.verdict.evidence[0]
    return Text(quote(book.slice(first.span), fact.claim)).append(f" [ch. {first.chapter + 1}]", style="dim")


def quote(passage: str, claim: Claim) -> str:
    """The sentence of a passage that shares most words with the claim, cut to fit."""
    wanted = _words(claim.text)
    sentences = [flat(span.of(passage)) for span in split(passage)] or [flat(passage)]
    best = max(sentences, key=lambda s: (len(wanted & _words(s)), min(len(s), QUOTE)))
    return best if len(best) <= QUOTE else best[: QUOTE - 1].rsplit(" ", 1)[0] + "…"


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def prisma_line(prisma: Prisma) -> str:
    """`PRISMA 0.92: 11 of 12 facts supported (role 2/2, event 5/6)`."""
    if prisma.precision is None:
        return "PRISMA: no facts to check"
    parts = ", ".join(
        f"{c.value.replace('_', ' ')} {yes}/{all_}" for c, (yes, all_) in prisma.by_category.items()
    )
    return f"PRISMA {prisma.precision:.2f}: {prisma.supported} of {prisma.facts} facts supported ({parts})"


def prisma_lines(prisma: Prisma) -> list[str]:
    """PRISMA by the book, what readers overruled, and PRISMA by the reference text."""
    lines = [prisma_line(prisma)]
    if prisma.overruled:
        lines.append(f"Overruled by readers: {prisma.overruled} of {prisma.facts} verdicts")
    if prisma.reference is not None:
        parts = ", ".join(
            f"{c.value.replace('_', ' ')} {found.borne_out}/{found.said} and {found.found}/{found.wanted}"
            for c, found in prisma.reference.by_category.items()
        )
        lines.append(f"{compared_line(prisma.reference)} ({parts})")
    return lines


def compared_line(reference: Reference) -> str:
    """`Beside “…”: 8 of 12 facts borne out, 5 of its 20 found: precision 0.67, recall 0.25, F1 0.36`."""
    whole = reference.whole
    shares = (("precision", whole.precision), ("recall", whole.recall), ("F1", whole.f1))
    told = ", ".join(f"{name} {'–' if share is None else f'{share:.2f}'}" for name, share in shares)
    counts = f"{whole.borne_out} of {whole.said} facts borne out, {whole.found} of its {whole.wanted} found"
    return f"Beside “{reference.source}”: {counts}: {told}"


def note_lines(portrait: Portrait) -> list[str]:
    """What was done beside writing; a rejected draft first."""
    rejected = portrait.rejected
    instead = [] if rejected is None else [f"Rejected: a draft by {rejected.generator} ({rejected.reason})"]
    return [*instead, *(f"Note: {note}" for note in portrait.notes)]


def cost_line(usage: Usage) -> str:
    """`Cost: 2 calls, 7,812 + 131 tokens, 4.1 s`."""
    calls = "1 call" if usage.calls == 1 else f"{usage.calls} calls"
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return f"Cost: {calls}, {tokens}, {usage.seconds:.1f} s"


def estimate_lines(estimate: Estimate) -> list[str]:
    """What an answer would take, and who would write it."""
    request, plan = estimate.asked.request, estimate.plan
    names = ", ".join(c.name for c in estimate.asked.context.people)
    kept = "It is kept already and takes nothing." if estimate.kept else f"{estimate.passages} passages."
    budget = request.limits.tokens
    within = "" if budget is None else f", of {budget:,} allowed"
    calls = "1 call" if plan.calls == 1 else f"{plan.calls} calls"
    return [
        f"{names}: {request.task.value}, not written. {kept}",
        f"At most {calls}, {plan.prompt_tokens:,} + {plan.completion_tokens:,} tokens{within}",
        f"generator {request.provenance.generator}, strategy {request.provenance.strategy.value}",
    ]


def provenance_line(portrait: Portrait) -> str:
    p = portrait.provenance
    engines = f"resolver {p.resolver}, retriever {p.retriever}, generator {p.generator}, judge {p.judge}"
    shown = f", strategy {p.strategy.value}, prompts {p.prompts[:12]}" if p.prompts else ""
    found = f", extractor {p.extractor}" if p.extractor else ""
    return f"text {p.text_sha256[:12]}, {engines}{shown}, seed {p.seed}, {p.decisions} decisions{found}"
