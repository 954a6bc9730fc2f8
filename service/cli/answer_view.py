"""Renders an answer on a terminal: sentences with citations, the checked facts and the score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from books import languages
from books.types import Book, count_words
from generation.checking.overruling import identify
from generation.checking.prisma import doubted_sentences
from generation.types import (
    Citation,
    Claim,
    Fact,
    Label,
    Plan,
    Portrait,
    Prisma,
    Reference,
    Sentence,
    Usage,
)
from retrieval.sentences import flat, split
from service.usecases.answers import Estimate
from service.wire.markdown import provenance_line

MARKS: dict[Label, tuple[str, str]] = {
    Label.SUPPORTED: ("✓", "green"),
    Label.CONTRADICTED: ("✗", "red"),
    Label.UNSUPPORTED: ("–", "yellow"),
    Label.UNCERTAIN: ("?", "cyan"),
}
QUOTE = 150
"""Maximum characters of evidence in a table cell."""
WORD = re.compile(r"\w+")


def show_portrait(portrait: Portrait, *, book: Book) -> RenderableType:
    return Group(
        show_text(portrait),
        *_checked(portrait, book),
        *(Text(line, style="yellow") for line in note_lines(portrait)),
        Text(cost_line(portrait.usage, portrait.kept), style="dim"),
        Text(provenance_line(portrait.provenance), style="dim"),
    )


def _checked(portrait: Portrait, book: Book) -> list[RenderableType]:
    """The facts and their score. Quotations that tell the story have none."""
    if not portrait.facts and all(sentence.remark for sentence in portrait.sentences):
        return []
    table = fact_table(portrait.facts, book=book, upto=portrait.provenance.upto)
    return [table, *(Text(line, style="bold") for line in prisma_lines(portrait.prisma))]


def show_text(portrait: Portrait) -> RenderableType:
    return Group(
        Text(headline(portrait), style="bold"),
        Text(),
        *paragraphs(portrait.sentences, doubted_sentences(portrait.facts)),
        Text(),
    )


def headline(portrait: Portrait) -> str:
    if portrait.question is not None:
        return portrait.question
    names = ", ".join(c.name for c in portrait.characters) or _story(portrait.chapter)
    gate = "" if portrait.provenance.upto is None else ", in the chapters you have read"
    length = f"{count_words(portrait.text)} {languages.unit_of(languages.identify(portrait.text))}"
    return f"{names}: {portrait.task.value} in {length}{gate}"


def _story(chapter: int | None) -> str:
    return "The story" if chapter is None else f"Chapter {chapter + 1}"


def paragraphs(sentences: Iterable[Sentence], doubted: Mapping[int, Label]) -> list[RenderableType]:
    """One paragraph per heading. After every sentence the cited chapters, and its doubt if there is one."""
    done: list[RenderableType] = []
    text = Text()
    for n, sentence in enumerate(sentences):
        if sentence.heading:
            done += [text, Text(), Text(sentence.heading, style="bold underline")] if text else []
            text = Text() if text else Text(f"{sentence.heading}\n", style="bold underline")
        elif sentence.line and text:
            done.append(text)
            text = Text()
        text.append(sentence.text, style="").append(" ")
        if sentence.citations or not sentence.remark:
            text.append(chapters(sentence.citations), style="dim").append(" ")
        if n in doubted:
            text.append(f"[{doubted[n].value}] ", style=MARKS[doubted[n]][1])
    return [*(Padding(part, (0, 2)) for part in [*done, text])]


def chapters(citations: Iterable[Citation]) -> str:
    """`[ch. 3, 7]`, counted from 1; `[no passage]` if none was found."""
    numbers = sorted({c.chapter + 1 for c in citations})
    return f"[ch. {', '.join(map(str, numbers))}]" if numbers else "[no passage]"


def fact_table(facts: Iterable[Fact], *, book: Book, upto: int | None) -> Table:
    """The facts with their verdicts. `upto` is the last place that the judge could use.

    The id of a fact is below its category.
    """
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
    """The verdict that counts: that of a reader if there is one, otherwise that of the judge.

    Of a quotation only whom it means is judged.
    """
    quoted = fact.claim.quoted and fact.verdict.label is Label.SUPPORTED
    judged = f"{'quoted' if quoted else fact.verdict.label.value} {fact.verdict.score:.2f}"
    return f"{fact.overruled.value} (marked by a reader; judge: {judged})" if fact.overruled else judged


def evidence(fact: Fact, book: Book) -> Text:
    """The most relevant sentence of the first passage of evidence, with its chapter."""
    if not fact.verdict.evidence:
        return Text("no passage found", style="dim")
    first = fact.verdict.evidence[0]
    return Text(quote(book.slice(first.span), fact.claim)).append(f" [ch. {first.chapter + 1}]", style="dim")


def quote(passage: str, claim: Claim) -> str:
    """The sentence of a passage that shares the most words with the claim, shortened to fit."""
    wanted = _words(claim.text)
    sentences = [flat(span.of(passage)) for span in split(passage)] or [flat(passage)]
    best = max(sentences, key=lambda s: (len(wanted & _words(s)), min(len(s), QUOTE)))
    return best if len(best) <= QUOTE else best[: QUOTE - 1].rsplit(" ", 1)[0] + "…"


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def prisma_line(prisma: Prisma) -> str:
    """`PRISMA 0.92: 11 of 12 facts supported (role 2/2, event 5/6)`."""
    if not prisma.facts:
        return "PRISMA: no facts to check"
    if prisma.precision is None:
        return f"PRISMA: not checked ({prisma.decided} of {prisma.facts} facts could be judged)"
    parts = ", ".join(
        f"{c.value.replace('_', ' ')} {yes}/{all_}" for c, (yes, all_) in prisma.by_category.items()
    )
    return f"PRISMA {prisma.precision:.2f}: {prisma.supported} of {prisma.facts} facts supported ({parts})"


def prisma_lines(prisma: Prisma) -> list[str]:
    """PRISMA against the book, the number of overruled verdicts, and PRISMA against the reference text."""
    lines = [prisma_line(prisma)]
    if prisma.overruled:
        lines.append(f"Changed by readers: {prisma.overruled} of {prisma.facts} verdicts")
    if prisma.reference is not None:
        parts = ", ".join(
            f"{c.value.replace('_', ' ')} {found.borne_out}/{found.said} and {found.found}/{found.wanted}"
            for c, found in prisma.reference.by_category.items()
        )
        lines.append(f"{compared_line(prisma.reference)} ({parts})")
    return lines


def compared_line(reference: Reference) -> str:
    """`Compared with “…”: 8 of 12 facts supported, 5 of its 20 covered: precision 0.67, …`."""
    whole = reference.whole
    shares = (("precision", whole.precision), ("recall", whole.recall), ("F1", whole.f1))
    told = ", ".join(f"{name} {'–' if share is None else f'{share:.2f}'}" for name, share in shares)
    counts = f"{whole.borne_out} of {whole.said} facts supported, {whole.found} of its {whole.wanted} covered"
    return f"Compared with “{reference.source}”: {counts}: {told}"


def note_lines(portrait: Portrait) -> list[str]:
    """Notes on the answer. A rejected draft comes first."""
    rejected = portrait.rejected
    instead = [] if rejected is None else [f"Rejected: a draft by {rejected.generator} ({rejected.reason})"]
    return [*instead, *(f"Note: {note}" for note in portrait.notes)]


def cost_line(usage: Usage, kept: Usage = Usage()) -> str:
    """`Cost: 2 calls, 7,812 + 131 tokens, 4.1 s. Kept from before: 1 call, 2,100 + 90 tokens`."""
    line = f"Cost: {_calls(usage)}, {usage.seconds:.1f} s"
    return f"{line}. Kept from before: {_calls(kept)}" if kept.calls else line


def _calls(cost: Usage | Plan) -> str:
    calls = "1 call" if cost.calls == 1 else f"{cost.calls} calls"
    return f"{calls}, {cost.prompt_tokens:,} + {cost.completion_tokens:,} tokens"


def estimate_lines(estimate: Estimate) -> list[str]:
    """The estimated cost of an answer, and the generator that would write it."""
    request, plan = estimate.asked.request, estimate.plan
    people = ", ".join(c.name for c in estimate.asked.context.people)
    about = request.question or people or _story(request.chapter)
    kept = "It is stored already and costs nothing." if estimate.kept else f"{estimate.passages} passages."
    budget = request.limits.tokens
    within = "" if budget is None else f", of {budget:,} allowed"
    texts = f". Kept from before: {_calls(plan.kept)}" if plan.kept.calls else ""
    return [
        f"{about}: {request.task.value}, not generated. {kept}",
        f"At most {_calls(plan)}{within}{texts}",
        f"generator {request.provenance.generator}, strategy {request.provenance.strategy.value}",
    ]
