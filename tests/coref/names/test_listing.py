"""Which people are listed as characters."""

from __future__ import annotations

from collections import Counter

import pytest

from coref.census import NARRATOR
from coref.language.tokens import tokenize
from coref.names.cast_building import Cast
from coref.names.character_list import characters_of, ids_of
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import HE, ME, MentionCandidate
from coref.types import MentionKind
from tests.coref.conftest import make_book

TEXT = "Fundador came. Fundador came. Fundador came. He came."


def listed(name: ProperName, *, pronoun: bool = False, speakers: set[int] | None = None) -> bool:
    tokens = tokenize(make_book(TEXT))
    person = CastMember(0)
    person.names[name] = 3
    spots = [
        MentionCandidate(at, at + 1, MentionKind.PROPER, -1, name.text, who=0, options=[person])
        for at in (0, 3, 6)
    ]
    if pronoun:
        spots.append(MentionCandidate(9, 10, MentionKind.PRONOUN, -1, HE, who=0))
    return 0 in ids_of(tokens, Cast([person]), spots, None, chapters=[0], speakers=speakers)


def test_an_odd_word_that_is_seldom_said_is_hardly_a_name() -> None:
    odd = ProperName((), ("Fundador",))
    assert not listed(odd, speakers=set())
    assert listed(odd, speakers={0})
    assert listed(odd, speakers=set(), pronoun=True)
    assert listed(odd, speakers=None)


def test_titles_whole_names_and_given_names_are_names_however_seldom() -> None:
    assert listed(ProperName(("Mr",), ("Fundador",)), speakers=set())
    assert listed(ProperName((), ("Juan", "Fundador")), speakers=set())
    assert listed(ProperName((), ("Sophia",)), speakers=set())


@pytest.mark.parametrize(("quotes", "found"), [((0,), False), ((-1,), True), ((0, 0), True), ((-1, 0), True)])
def test_whoever_is_named_once_and_only_by_others_is_not_listed(quotes: tuple[int, ...], found: bool) -> None:
    tokens = tokenize(make_book(TEXT))
    person = CastMember(0)
    person.names[ProperName(("Mrs",), ("Fundador",))] = len(quotes)
    spots = [
        MentionCandidate(at * 3, at * 3 + 1, MentionKind.PROPER, quote, "Fundador", who=0, options=[person])
        for at, quote in enumerate(quotes)
    ]
    spots += [MentionCandidate(9, 10, MentionKind.PRONOUN, -1, HE, who=0)] * 2
    assert (0 in ids_of(tokens, Cast([person]), spots, None, chapters=[0])) is found
    often = [*spots, *[MentionCandidate(9, 10, MentionKind.PRONOUN, -1, HE, who=0)] * 20]
    assert 0 in ids_of(tokens, Cast([person]), often, None, chapters=[0])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Our Dickon ran. Our Dickon sang. Dickon ran. Dickon sang. Dickon slept.", "Dickon"),
        ("Mary Reed ran. Mary Reed sang. Mary ran. Mary sang. Mary slept.", "Mary Reed"),
        ("Friend John ran. Friend John sang. John ran. John sang. John slept.", "John"),
    ],
)
def test_what_is_said_before_a_name_is_no_part_of_it(text: str, name: str) -> None:
    tokens = tokenize(make_book(f"{text} He was {'our friend ' * 9}."))
    person = CastMember(0)
    person.names[ProperName((), (name.split()[0],))] = 5
    ends = [at for at, word in enumerate(tokens.words) if word in ("ran", "sang", "slept")]
    starts = [0, *(end + 2 for end in ends[:-1])]
    spots = [
        MentionCandidate(at, end, MentionKind.PROPER, -1, name, who=0, options=[person])
        for at, end in zip(starts, ends, strict=True)
    ]
    [found] = characters_of(tokens, Cast([person]), spots, {0: "one"})
    assert found.name == name


def test_whose_somebody_is_is_no_part_of_their_name() -> None:
    tokens = tokenize(make_book("Jeff’s Zava ran. Zava sang. Zava slept."))
    person, name = CastMember(0), ProperName((), ("Zava",))
    person.names[name] = 3
    spots = [
        MentionCandidate(first, at + 1, MentionKind.PROPER, -1, "", who=0, use=NameUse(at, at + 1, name))
        for first, at in ((0, 2), (5, 5), (8, 8))
    ]
    [found] = characters_of(tokens, Cast([person]), spots, {0: "one"})
    assert found.name == "Zava"


def test_a_narrator_without_a_name_is_called_so_whatever_nouns_mean_them() -> None:
    tokens = tokenize(make_book("I came. The lodger came. The lodger went."))
    person = CastMember(0, role=NARRATOR)
    spots = [MentionCandidate(0, 1, MentionKind.PRONOUN, -1, ME, who=0)]
    spots += [MentionCandidate(at, at + 2, MentionKind.NOMINAL, -1, "lodger", who=0) for at in (3, 7)]
    ids = ids_of(tokens, Cast([person]), spots, 0, chapters=[0])
    (found,) = characters_of(tokens, Cast([person]), spots, ids)
    assert (found.name, found.aliases) == (NARRATOR, ())
    assert found.id.startswith("the-narrator")


@pytest.mark.parametrize(
    ("chapters", "narrates", "starts"),
    [((0, 0), False, "dinah-"), ((0, 1), False, "the-cook-"), ((0, 1), True, "the-narrator-")],
)
def test_an_id_tells_no_name_of_a_later_chapter(
    chapters: tuple[int, ...], narrates: bool, starts: str
) -> None:
    tokens = tokenize(make_book("I came. The cook sang.\n\nDinah ran. Dinah sang."))
    person = CastMember(0)
    person.names[ProperName((), ("Dinah",))] = 2
    spots = [MentionCandidate(3, 5, MentionKind.NOMINAL, -1, "cook", who=0)]
    spots += [
        MentionCandidate(at, at + 1, MentionKind.PROPER, -1, "", who=0, options=[person]) for at in (7, 10)
    ]
    if narrates:
        spots.insert(0, MentionCandidate(0, 1, MentionKind.PRONOUN, -1, ME, who=0))
    ids = ids_of(tokens, Cast([person]), spots, 0 if narrates else None, chapters=chapters)
    assert ids[0].startswith(starts)


def test_two_people_are_not_displayed_by_one_name_if_there_is_another() -> None:
    tokens = tokenize(
        make_book("Milt Dale ran. Milt Dale sat. Dale sang. Dale slept. Milt Dale came. Milt went.")
    )
    many, few, none = people = [CastMember(number) for number in range(3)]
    whose = [
        (0, 2, many),
        (4, 6, many),
        (8, 9, many),
        (11, 12, many),
        (14, 16, few),
        (18, 19, few),
        (14, 16, none),
    ]
    for first, end, person in whose:
        person.names[ProperName((), tuple(tokens.words[first:end]))] += 1
    spots = [
        MentionCandidate(first, end, MentionKind.PROPER, -1, "", who=person.number, options=[person])
        for first, end, person in whose
    ]
    found = characters_of(tokens, Cast(people), spots, dict(enumerate("abc")))
    assert [c.name for c in found] == ["Milt Dale", "Milt", "Milt Dale"]


@pytest.mark.parametrize(
    ("text", "first", "name"),
    [
        ("Hitherto Tom Hale had not stirred.", 0, "Tom Hale"),
        ("So poor Tom Hale had not stirred.", 1, "Tom Hale"),
        ("Now the Young Tom Hale had not stirred.", 2, "Young Tom Hale"),
        ("So uncle Tom Hale had not stirred.", 1, "uncle Tom Hale"),
    ],
)
def test_what_only_stands_before_a_name_is_not_displayed(text: str, first: int, name: str) -> None:
    tokens = tokenize(make_book(text))
    at = tokens.words.index("Tom")
    person = CastMember(0, names=Counter({ProperName((), ("Tom", "Hale")): 1}))
    use = NameUse(at, at + 2, ProperName((), ("Tom", "Hale")))
    spot = MentionCandidate(first, at + 2, MentionKind.PROPER, -1, "", who=0, options=[person], use=use)
    [found] = characters_of(tokens, Cast([person]), [spot], {0: "one"})
    assert found.name == name


def test_whoever_bears_the_name_of_another_is_displayed_with_what_stands_before_it() -> None:
    tokens = tokenize(make_book("Tom came. Tom went. There was old Tom."))
    young, old = people = [
        CastMember(number, names=Counter({ProperName((), ("Tom",)): 1})) for number in (0, 1)
    ]
    spots = [
        MentionCandidate(first, end, MentionKind.PROPER, -1, "", who=who.number, options=[who])
        for first, end, who in ((0, 1, young), (3, 4, young), (8, 10, old))
    ]
    found = characters_of(tokens, Cast(people), spots, {0: "young", 1: "old"})
    assert [c.name for c in found] == ["Tom", "old Tom"]
