"""Keeps the people of a collection's stories apart: the Jack of one is not the Jack of another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from coref.language.word_lists import table
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import MentionCandidate
from coref.names.titles import gender_of_given_name

_STORIES: Final = 6
_OFTEN: Final = 5
"""Uses from which on a name tells where it belongs."""
_AT_HOME: Final = 0.9
_COLLECTION: Final = 0.5
"""Share of the names that are used in one chapter alone, from which on the chapters are stories.

Of 80 other novels with so many chapters none has more than 0.37; *Dubliners* has 0.93, Sherlock Holmes 0.72.
"""
_SERIES: Final = 1 / 2
"""Share of the stories from which on somebody belongs to all of them, like Watson."""


def are_stories(named: Iterable[NameUse], chapters: Sequence[int]) -> bool:
    """Whether chapters are stories with a cast each. `chapters` holds the chapter of each token."""
    there: dict[ProperName, Counter[int]] = defaultdict(Counter)
    for use in named:
        there[use.name][chapters[use.first]] += 1
    told = [counts for counts in there.values() if counts.total() >= _OFTEN]
    at_home = sum(max(counts.values()) >= _AT_HOME * counts.total() for counts in told)
    stories = len(set(chapters))
    return stories >= _STORIES and len(told) >= stories and at_home >= _COLLECTION * len(told)


def part_by_story(cast: Cast, uses: Iterable[NameUse], chapters: Sequence[int]) -> bool:
    """Return whether chapters are stories.

    If so, let a bare given name mean those who have more of a name in that story, or somebody of its own.
    """
    named = [use for use in uses if cast.options.get(use.first)]
    if not are_stories(named, chapters):
        return False
    called: dict[int, dict[int, set[ProperName]]] = defaultdict(lambda: defaultdict(set))
    for use in named:
        called[cast.options[use.first][0].number][chapters[use.first]].add(use.name)
    most = _SERIES * len(set(chapters))
    alone: dict[int, dict[int, list[NameUse]]] = defaultdict(lambda: defaultdict(list))
    for use in (use for use in named if _is_bare(use.name)):
        options, story = cast.options[use.first], chapters[use.first]
        likeliest = options[0].number
        if there := [p for p in options if _may_mean(use.name, p, called[p.number].get(story, set()))]:
            cast.options[use.first] = there
        elif len(called[likeliest]) < most:
            alone[likeliest][story].append(use)
    for number, stories in alone.items():
        if stories.keys() == called[number].keys():
            del stories[max(stories, key=lambda story: (len(stories[story]), -story))]
        for apart in stories.values():
            _give(cast, cast.people[number], apart)
    return True


def absent_people(
    cast: Cast, uses: Iterable[NameUse], definite: Iterable[MentionCandidate], chapters: Sequence[int]
) -> dict[int, set[int]]:
    """Return who is not there in each story, but perhaps spoken of: only a name can mean them.

    Somebody known by a role is there in one story alone.
    """
    named: dict[int, Counter[int]] = defaultdict(Counter)
    for use in uses:
        for person in cast.options.get(use.first, ())[:1]:
            named[person.number][chapters[use.first]] += 1
    called: dict[int, Counter[int]] = defaultdict(Counter)
    for spot in definite:
        if spot.head in cast.roles and cast.roles[spot.head].number not in named:
            called[cast.roles[spot.head].number][chapters[spot.first]] += 1
    stories = set(chapters)
    absent: dict[int, set[int]] = {story: set() for story in stories}
    for number, counts in (named | called).items():
        if len(counts) >= _SERIES * len(stories):
            continue
        home = max(counts, key=lambda story: (counts[story], -story))
        passing = counts.total() if number in called else int(counts[home] >= _OFTEN)
        for story in stories - {home}:
            if counts[story] <= passing:
                absent[story].add(number)
    return absent


def _may_mean(name: ProperName, person: CastMember, called: set[ProperName]) -> bool:
    """Whether a bare name may mean somebody, by what a story calls them: no Mary is called Polly there."""
    bare = {each for each in called if _is_bare(each)}
    return called != bare and (name.core[0] in person.givens or bare <= {name})


def _is_bare(name: ProperName) -> bool:
    word = name.core[0]
    return len(name.core) == 1 and (gender_of_given_name(word) is not None or word in table("nicknames"))


def _give(cast: Cast, person: CastMember, uses: Sequence[NameUse]) -> None:
    own = cast.add()
    own.gender = gender_of_given_name(uses[0].name.core[0])
    for use in uses:
        cast.options[use.first] = [own]
    own.names, own.givens = Counter(use.name for use in uses), Counter(use.name.core[0] for use in uses)
    person.names -= own.names
    person.givens -= own.givens
