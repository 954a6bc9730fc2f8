"""Parses written by hand: `She/PRON/2/nsubj@anna refused/VERB/0/root=refuse`, one line per sentence.

Heads count from 1 in their sentence, and 0 is the root. A lemma is given if it is not the word in lower case,
and a character if the word is a mention of one. Speech stands between curly marks.
"""

from __future__ import annotations

import re

from books.types import Book, Span
from coref.census import recount
from coref.language.syntax import ROOT, Parse
from coref.traits.finding import find_traits
from coref.types import Annotations, Mention, MentionKind, Quote, Trait
from tests.coref.conftest import make_book, person

_TOKEN = re.compile(r"(.+)/([A-Z]+)/(\d+)/([a-z:]+)(?:=([^@]+))?(?:@(\S+))?")
_KINDS = {"PRON": MentionKind.PRONOUN, "PROPN": MentionKind.PROPER}


def planted(lines: str) -> tuple[Book, Parse, Annotations]:
    rows, sentences = [], []
    text = ""
    for line in lines.strip().splitlines():
        first = len(rows)
        for token in line.split():
            found = _TOKEN.fullmatch(token)
            assert found, token
            word, tag, head, relation, lemma, who = found.groups()
            start = len(text)
            text += word + " "
            above = first + int(head) - 1 if int(head) else ROOT
            rows.append((start, start + len(word), tag, lemma or word.lower(), above, relation, who))
        sentences.append((first, len(rows)))
    starts, ends, tags, lemmas, heads, relations, who = zip(*rows, strict=True)
    parse = Parse(starts, ends, tuple(sentences), tags, lemmas, heads, relations, (False,) * len(rows))
    mentions = tuple(
        Mention(Span(a, b), _KINDS.get(tag, MentionKind.NOMINAL), w, text[a:b])
        for a, b, tag, w in zip(starts, ends, tags, who, strict=True)
        if w
    )
    quotes = tuple(Quote(Span(m.start(), m.end()), None, None, 1.0) for m in re.finditer("“[^”]*”", text))
    people = recount([person(w, w) for w in sorted({m.character for m in mentions if m.character})], mentions)
    return make_book(text), parse, Annotations("hand/1", people, mentions, quotes)


def told(trait: Trait) -> str:
    """Format a trait as `anna does refuse > tom, not, could, past, quoted`."""
    other = f" > {trait.other}" if trait.other else ""
    ways = ("not" * trait.negated, trait.modal, trait.tense, "quoted" * trait.quoted)
    return ", ".join((f"{trait.character} {trait.kind} {trait.lemma}{other}", *(str(w) for w in ways if w)))


def found(lines: str) -> list[str]:
    return [told(trait) for trait in find_traits(*planted(lines))]
