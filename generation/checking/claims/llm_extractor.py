"""The extractor that asks a language model. Its answer is checked, and the offline extractor is the fallback.

The model is shown a few sentences at a time. A fact that is not of these sentences is left out, and an answer
without any that is requested once more. Nothing in the text can produce a fact that is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any

from books.types import Span
from generation.checking.claims.json_asking import (
    PROMPTS,
    JsonAsk,
    MalformedAnswer,
    ask,
    number_in,
    rows_in,
    schema_of,
)
from generation.checking.claims.sentence_claims import stated
from generation.checking.claims.standalone_wording import ended
from generation.checking.protocols import Extracted, Extractor
from generation.lexicon import words
from generation.models.prompt_quoting import quoted, quoted_name, restored
from generation.models.protocols import LanguageModel
from generation.models.types import Message, MessageRole
from generation.stems import stem
from generation.story.cast import cast_of
from generation.story.named_people import Names, agrees
from generation.types import Category, Claim, Context, Draft, Plan, Sentence

TOGETHER = 10
"""Sentences in one request."""
MOST_ASKED = 5_000
"""Words of a text. The rest is read offline."""
_PEOPLE = 40
"""Most names that the model is told."""
_LONGEST = 400
"""Characters of one fact."""
_MOST_FACTS = 24
"""Most facts of one sentence."""
_GROUNDED = 0.75
"""Share of a fact's words that must be in the text or in a name of the book's people."""
WORDS_A_SENTENCE = 12
"""Fewest words of a sentence, on average, for planning."""
_NAME = 6
"""Tokens of a name, for planning."""
_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_LEADING = re.compile(r"(?P<word>he|she|they|his|her|their)\b", re.IGNORECASE)

_SCHEMA = schema_of(
    "facts",
    {
        "sentence": {"type": "integer"},
        "fact": {"type": "string"},
        "quote": {"type": "string"},
        "subject": {"type": "string"},
        "category": {"type": "string", "enum": [category.value for category in Category]},
    },
)

_Placed = tuple[int, Sentence]


@dataclass(frozen=True, slots=True)
class _Fact:
    at: int
    """Position of its sentence in the draft."""
    text: str
    quote: str
    subject: str
    category: Category


class LlmExtractor:
    def __init__(self, model: LanguageModel, *, offline: Extractor) -> None:
        self._model = model
        self._offline = offline

    @property
    def name(self) -> str:
        return f"{self._model.name}+facts/{PROMPTS.fingerprint}"

    def plan(self, words: int) -> Plan:
        sentences = ceil(words / WORDS_A_SENTENCE)
        calls = ceil(sentences / TOGETHER)
        fixed = (PROMPTS.piece(name) for name in ("system", "example_question", "example_answer", "extract"))
        told = sum(map(self._model.count_tokens, fixed)) + _PEOPLE * _NAME
        return Plan(calls, calls * told + 2 * words, calls * 200 + 8 * words + 120 * sentences)

    def extract(self, draft: Draft, context: Context) -> Extracted:
        names = cast_of(context.book, context.annotations).names
        made = [c for at, s in enumerate(draft.sentences) for c in stated(at, s)]
        asked, left = _shared(draft)
        parts = [asked[at : at + TOGETHER] for at in range(0, len(asked), TOGETHER)]
        answers, usage = ask(self._model, [self._ask(part, context, names) for part in parts])
        notes: list[str] = []
        for part, got in zip(parts, answers, strict=True):
            found = got.value or []
            made += (_claim(f, draft.sentences[f.at], context, names) for f in found)
            told = {f.at for f in found}
            left += [(at, s) for at, s in part if at not in told]
            if got.fault is not None:
                notes.append(f"{self._model.name} gave no facts that can be used: {got.fault}.")
        if left:
            rest = self._read_offline(left, draft, context)
            made += rest.claims
            note = f"The facts of {len(left)} of {len(draft.sentences)} sentences were found offline."
            notes = [*dict.fromkeys(notes), note, *rest.notes]
        ordered = sorted(made, key=lambda claim: claim.sentence)
        return Extracted(ordered, tuple(notes), usage)

    def _ask(self, part: Sequence[_Placed], context: Context, names: Names) -> JsonAsk[list[_Fact]]:
        shown = "\n".join(f"{n}: {quoted(s.text)}" for n, (_, s) in enumerate(part, 1))
        people = [c.name for c in context.annotations.characters[:_PEOPLE]]
        question = PROMPTS.fill(
            "extract",
            about=" and ".join(quoted_name(c.name) for c in context.people) or "somebody",
            title=quoted_name(context.book.title),
            people=", ".join(map(quoted_name, people)) or "not known",
            sentences=shown,
        )
        messages = (
            Message(MessageRole.SYSTEM, PROMPTS.piece("system")),
            Message(MessageRole.USER, PROMPTS.piece("example_question")),
            Message(MessageRole.ASSISTANT, PROMPTS.piece("example_answer")),
            Message(MessageRole.USER, question),
        )
        tokens = 200 + 8 * sum(len(s.text.split()) for _, s in part) + 120 * len(part)
        return JsonAsk(messages, tokens, partial(_checked, part=part, known=_stems(names.owners)), _SCHEMA)

    def _read_offline(self, left: Sequence[_Placed], draft: Draft, context: Context) -> Extracted:
        """Read sentences in the order of the text, so that pronouns have an antecedent."""
        ordered = sorted(left, key=lambda placed: placed[0])
        rest = self._offline.extract(replace(draft, sentences=tuple(s for _, s in ordered)), context)
        placed = [replace(c, sentence=ordered[c.sentence][0]) for c in rest.claims]
        return replace(rest, claims=placed)


def _shared(draft: Draft) -> tuple[list[_Placed], list[_Placed]]:
    """Return the sentences that the model is asked about, and the others."""
    unknown = [(at, s) for at, s in enumerate(draft.sentences) if s.unread]
    counted = 0
    for taken, (_, sentence) in enumerate(unknown):
        counted += len(sentence.text.split())
        if counted > MOST_ASKED:
            return unknown[:taken], unknown[taken:]
    return unknown, []


def _checked(answer: Any, *, part: Sequence[_Placed], known: frozenset[str]) -> list[_Fact]:
    listed = rows_in(answer, "facts")
    if not listed:
        raise MalformedAnswer("it lists no fact")
    if len(listed) > _MOST_FACTS * len(part):
        raise MalformedAnswer("it lists more facts than the text can hold")
    said = known | _stems(s.text for _, s in part)
    found: list[_Fact] = []
    problems: list[MalformedAnswer] = []
    for n, row in enumerate(listed, 1):
        try:
            found.append(_fact(row, n, part, said))
        except MalformedAnswer as problem:
            problems.append(problem)
    if problems and not found:
        raise problems[0]
    return found


def _fact(row: Any, n: int, part: Sequence[_Placed], said: frozenset[str]) -> _Fact:
    if not isinstance(row, dict):
        raise MalformedAnswer(f"fact {n} is no object")
    number, text = number_in(row.get("sentence")), row.get("fact")
    if number is None or not 1 <= number <= len(part):
        raise MalformedAnswer(f"fact {n} names no sentence from 1 to {len(part)}")
    if not isinstance(text, str) or not any(c.isalnum() for c in text) or len(text) > _LONGEST:
        raise MalformedAnswer(f"fact {n} is no sentence of up to {_LONGEST} characters")
    category = category_of(row.get("category"))
    if category is None:
        raise MalformedAnswer(f"fact {n} has none of the categories {', '.join(Category)}")
    own = _stems([text])
    if own and len(own & said) < _GROUNDED * len(own):
        raise MalformedAnswer(f"fact {n} is not in the text")
    plain = " ".join(restored(text).split())
    return _Fact(part[number - 1][0], plain, _text(row, "quote"), _text(row, "subject"), category)


def category_of(said: Any) -> Category | None:
    """Return the category as a model may write it: “Mental State”, “relationships”."""
    low = re.sub(r"[\s-]+", "_", said.strip().lower()) if isinstance(said, str) else ""
    return next((c for c in Category if low in (c.value, f"{c.value}s", f"{c.value}_fact")), None)


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    return restored(value).strip() if isinstance(value, str) else ""


def _claim(fact: _Fact, sentence: Sentence, context: Context, names: Names) -> Claim:
    text = _named(ended(fact.text.rstrip(" .。")), context)
    people = names.find(text)
    owner = names.owners.get(fact.subject)
    opening = next((n.character for n in people if not n.span.start), None)
    subject = owner.id if owner else opening
    return Claim(
        text=text[:1].upper() + text[1:],
        category=fact.category,
        sentence=fact.at,
        span=_place(fact.quote, sentence.text),
        subject=subject,
        citations=sentence.citations,
        people=people,
    )


def _named(text: str, context: Context) -> str:
    """Replace a pronoun left at the beginning by the name of the text's subject, if it agrees."""
    match = _LEADING.match(text)
    about = next((c for c in context.people if match and agrees(match["word"], c)), None)
    if match is None or about is None or (about.pronouns is None and match["word"].lower()[:3] == "the"):
        return text
    own = match["word"].lower() in ("his", "her", "their")
    return f"{about.name}{'’s' if own else ''}{text[match.end() :]}"


def _place(quote: str, text: str) -> Span:
    """Return the span of the words, or of the whole sentence if they are not in it."""
    pattern = r"\s+".join(map(re.escape, quote.rstrip(" .").split()))
    found = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return Span(found.start(), found.end()) if found and found.end() > found.start() else Span(0, len(text))


def _stems(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of content words."""
    found = (w.lower() for text in texts for w in _WORD.findall(restored(text)))
    return frozenset(stem(w) for w in found if w not in words("stop_words"))
