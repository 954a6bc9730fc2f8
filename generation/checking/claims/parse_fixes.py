"""Correct mistakes that the parser often makes in sentences about people, before they are split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from coref.language.parsed_sentence import ParsedSentence
from coref.language.syntax import Parse

_SUBJECTS = ("nsubj", "nsubj:pass")
_NOMINAL = ("NOUN", "PROPN")
_Change = tuple[int, int, str]
"""A word, its better head, and its relation to it."""


def mended(text: str, parse: Parse) -> Parse:
    """Return the parse with corrected heads."""
    heads, relations = list(parse.heads), list(parse.relations)
    for rule in _RULES:
        found = replace(parse, heads=list(heads), relations=list(relations))
        for first, end in parse.sentences:
            changes = list(rule(ParsedSentence(text, found, first, end)))
            for word, head, relation in changes:
                heads[word], relations[word] = head, relation
            if changes and not _is_tree(heads, first, end):
                heads[first:end], relations[first:end] = found.heads[first:end], found.relations[first:end]
    return replace(parse, heads=heads, relations=relations)


def _is_tree(heads: Sequence[int], first: int, end: int) -> bool:
    """Whether every word is connected to a root."""
    for word in range(first, end):
        at = word
        for _ in range(end - first + 1):
            if not first <= heads[at] < end:
                break
            at = heads[at]
        else:
            return False
    return True


def _after_semicolon(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "She is one of five; she is witty": a clause with its own subject is independent of the
    one before.
    """
    roots = [i for i in s if s.head(i) is None]
    for i in s:
        if s.word(i) == ";":
            for k in range(i + 1, s.end):
                head = s.head(k)
                if s.kids(k, *_SUBJECTS) and head is not None and head < i:
                    if roots[0] < i:
                        yield k, roots[0], "parataxis"
                    break


def _second_subject(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "Captain Crane, an old sailor, was dismissed": the second noun is an apposition to the first."""
    for i in s:
        first, *others = [k for k in s.kids(i, *_SUBJECTS) if s.tag(k) in _NOMINAL] or [i]
        for k in others:
            if k > first and s.kids(k, "det", "nmod:poss") and _comma_before(s, k):
                yield k, first, "appos"


def _beside_subject(s: ParsedSentence) -> Iterator[_Change]:
    """Fix the same where the noun looks like an adverbial: it stands between commas, before its verb."""
    for k in s:
        verb = s.head(k)
        if verb is None or k > verb or s.tag(k) != "NOUN" or s.kids(k, "case", "cc", "cop"):
            continue
        if s.relation(k) not in ("obl", "dislocated", "parataxis", "conj", "vocative", "dep"):
            continue
        subject = next((i for i in s.kids(verb, *_SUBJECTS) if i < k and s.tag(i) == "PROPN"), None)
        if subject is not None and s.kids(k, "det", "nmod:poss") and _comma_before(s, k):
            yield k, subject, "appos"


def _joined_predicate(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "is the sister of Tom and a friend of Lydia": the friend is no second owner of the sister."""
    for k in s:
        d = s.head(k)
        if d is None or s.relation(k) != "conj" or s.tag(k) != "NOUN" or s.tag(d) != "PROPN":
            continue
        p = s.head(d)
        begins = any(s.word(a) in ("a", "an", "the") for a in s.kids(k, "det")) or s.kids(k, "nmod:poss")
        if p is not None and s.relation(d) == "nmod" and s.kids(p, "cop") and begins:
            yield k, p, "conj"


def _noun_joined_to_verb(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "loves Mr. Knightley, her neighbour": an apposition to the name before the comma."""
    for k in s:
        head = s.head(k)
        if head is None or s.relation(k) not in ("conj", "parataxis", "dep") or s.tag(head) != "VERB":
            continue
        if s.tag(k) != "NOUN" or s.kids(k, "cop", "cc", *_SUBJECTS) or not s.kids(k, "det", "nmod:poss"):
            continue
        first = min((k, *s.kids(k, "det", "nmod:poss", "amod")))
        before = first - 2
        if s.holds(before) and s.word(first - 1) == "," and s.tag(before) == "PROPN":
            yield k, _whole_name(s, before), "appos"


def _relative(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "befriends Harriet, whom she hopes to marry off": the clause modifies the noun before the comma."""
    for w in s:
        if s.word(w) not in ("who", "whom", "whose") or not s.holds(w - 2) or s.word(w - 1) != ",":
            continue
        k = w
        while (above := s.head(k)) is not None and above > w:
            k = above
        above = s.head(w)
        if k == w and above is not None and s.word(w) == "whom":  # both depend on the verb
            k = next((v for v in s.kids(above, "advcl:relcl", "advcl") if v > w), w)
            if k != w:
                yield w, k, "obj"
        said_of = ("advcl", "advcl:relcl", "ccomp", "conj", "parataxis")
        if k != w and s.relation(k) in said_of and s.tag(w - 2) in _NOMINAL:
            yield k, _whole_name(s, w - 2), "acl:relcl"


def _hung_by_pronoun(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "of Bess, whom Crane dislikes": the clause modifies the noun, and the pronoun is inside it."""
    for w in s:
        clause = next(iter(s.kids(w, "acl:relcl")), None)
        if s.word(w) in ("who", "whom") and clause is not None and s.holds(w - 2) and s.word(w - 1) == ",":
            yield clause, _whole_name(s, w - 2), "acl:relcl"
            yield w, clause, "nsubj" if s.word(w) == "who" else "obj"


def _closed_by_comma(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "loves Tom, who married Lydia, and trusts him": the comma ends the clause about Tom."""
    for k in s:
        clause, joints = s.head(k), s.kids(k, "cc")
        if clause is None or s.relation(k) != "conj" or s.relation(clause) != "acl:relcl" or not joints:
            continue
        if s.kids(k, *_SUBJECTS) or not s.holds(joints[0] - 1) or s.word(joints[0] - 1) != ",":
            continue
        p = s.head(clause)
        while p is not None and s.tag(p) != "VERB" and not s.kids(p, "cop"):
            p = s.head(p)
        if p is not None and s.word(p).endswith("s") == s.word(k).endswith("s"):
            yield k, p, "conj"


def _whole_name(s: ParsedSentence, i: int) -> int:
    """Return the head word of a name."""
    while (above := s.head(i)) is not None and s.relation(i) in ("flat", "compound", "nmod:desc"):
        i = above
    return i


def _also_suffered(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "is loved by all, respected by some": another passive of the same subject."""
    for k in s:
        noun = s.head(k)
        if noun is None or s.relation(k) != "acl" or s.tag(k) != "VERB" or not _comma_before(s, k):
            continue
        p = s.head(noun)
        if p is not None and s.kids(p, "aux:pass") and s.kids(k, "obl:agent") and s.tag(noun) != "PROPN":
            yield k, p, "conj"


def _before_joining(s: ParsedSentence) -> Iterator[_Change]:
    """Fix "was brought there by him and raised": what precedes the "and" belongs to the first verb."""
    for k in s:
        p, joints = s.head(k), s.kids(k, "cc")
        if p is not None and p < k and s.relation(k) == "conj" and joints:
            for kid in s.kids(k, "obl", "obl:agent", "advmod", "obj", "nmod"):
                if p < kid < joints[0]:
                    yield kid, p, s.relation(kid)


def _comma_before(s: ParsedSentence, k: int) -> bool:
    first = min((k, *s.kids(k, "det", "nmod:poss", "amod", "case", "punct")))
    return any(s.holds(at) and s.word(at) == "," for at in (first, first - 1))


_RULES: tuple[Callable[[ParsedSentence], Iterator[_Change]], ...] = (
    _after_semicolon,
    _second_subject,
    _beside_subject,
    _joined_predicate,
    _noun_joined_to_verb,
    _also_suffered,
    _relative,
    _hung_by_pronoun,
    _closed_by_comma,
    _before_joining,
)
