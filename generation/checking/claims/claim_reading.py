"""Read claims from parsed sentences: their clauses, as text that stands alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from coref.protocols import ParsesText
from generation.checking.claims.clause_splitting import SUBJECTS, Clause, clauses
from generation.checking.claims.sentence_claims import CITED
from generation.checking.claims.standalone_wording import Wording, ended, worded
from generation.story.cast import cast_of
from generation.types import Category, Claim, Context, Sentence

LONGEST = 120
"""Words of the longest sentence that is split. A longer one is one claim."""
_HALVES = re.compile(
    r"(?<=;)[ ](?=(?:and |but |yet |so )?"
    r"(?:[A-Z]|(?:he|she|they|it|there|the|his|her|their|an?|when|in|as|at)\b))"
)
"""A clause after a semicolon with a beginning of its own is read as a separate sentence."""


def read(placed: Sequence[tuple[int, Sentence]], context: Context, parser: ParsesText) -> Iterator[Claim]:
    """Yield the claims of sentences, given with their positions in a draft. They are parsed at once."""
    cast = cast_of(context.book, context.annotations)
    lines = [_bare(s.text) for _, s in placed]
    text = "\n".join(lines)
    grammar = parser.parse_text(_HALVES.sub("\n", text))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    last: str | None = None
    for first, end in grammar.sentences:
        parsed = ParsedSentence(text, grammar, first, end)
        number = bisect_right(starts, parsed.start(first)) - 1
        at, sentence = placed[number]
        base = starts[number]
        declared = cast.by_id.get(sentence.characters[0]) if sentence.characters else None
        about = (declared,) if declared else context.people
        for clause in _split(parsed):
            said = worded(parsed, text, clause.words, about, cast, last)
            last = _subject(parsed, clause, said)
            body = said.text.rstrip(" .!?;:,。！？；：，")
            if not any(c.isalnum() for c in body):
                continue
            first_word, last_word = clause.own[0], clause.own[-1]
            yield Claim(
                text=ended(body),
                category=Category.OTHER,
                sentence=at,
                span=Span(parsed.start(first_word) - base, parsed.span(last_word, last_word).end - base),
                subject=last,
                citations=sentence.citations,
                people=tuple(n for n in said.people if n.span.end <= len(body)),
            )


def _subject(s: ParsedSentence, clause: Clause, said: Wording) -> str | None:
    """Return the subject of the clause's main predicate, or whose it is, or whom the clause begins with."""
    subjects = [i for i in clause.words if s.relation(i) in SUBJECTS]
    main = [i for i in subjects if (head := s.head(i)) is not None and s.relation(head) != "advcl"]
    words = [k for i in (*main[:1], *clause.words[:1]) for k in (i, *s.kids(i, "nmod:poss"))]
    return next((who for word in words if (who := said.named(word))), None)


def _split(s: ParsedSentence) -> list[Clause]:
    every = list(s)
    while every and s.tag(every[-1]) == "PUNCT":
        every.pop()
    if not every:
        return []
    one = [Clause(tuple(every), tuple(every))]
    if s.end - s.first > LONGEST:
        return one
    found = clauses(s)
    return found if found and not any(_broken(s, clause) for clause in found) else one


def _broken(s: ParsedSentence, clause: Clause) -> bool:
    """Whether a clause is malformed: the parse went wrong, and the sentence is better left whole."""
    return len(clause.words) == 1 or s.tag(clause.words[0]) == "AUX"


def _bare(text: str) -> str:
    """Return the text on one line without citation markers. Every letter keeps its position."""
    return CITED.sub(lambda m: " " * len(m.group()), text).replace("\n", " ").replace("\r", " ")
