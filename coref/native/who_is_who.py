"""Resolves the network's mentions: the cast, the narration, the speakers, and mentions in speech."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from coref.language.tokens import Tokens
from coref.language.word_lists import table
from coref.names import person_cues
from coref.names.answers import NamedTurn
from coref.names.cast_building import Cast, draw_up, find_roles
from coref.names.cast_joins import ComparedPeople, compare, give_surnames, join_alike
from coref.names.gender import after_names, find_genders, lean
from coref.names.given_cast import find_given, learn
from coref.names.mention_assignment import KnownMeaning, MentionAssigner, MentionAssignments
from coref.names.name_clusters import CastMember
from coref.names.name_kinds import believed
from coref.names.name_signs import LedBack, NameUseReading, Signs, signs_of
from coref.names.name_uses import NameUse
from coref.names.person_candidates import HE, ME, SHE, YOU, noun_gender
from coref.names.stories import absent_people, part_by_story
from coref.native.antecedents import Links
from coref.native.book_pass import FoundMentions
from coref.native.document import Range
from coref.native.groundwork import Groundwork
from coref.native.mention_candidates import NetworkMention, give_uses, is_part_of_name, sight
from coref.native.name_links import led_back
from coref.native.read_names import with_read_names
from coref.native.steady_roles import steady_roles
from coref.protocols import KnownCharacter
from coref.speech import inside_quotes, letter_writers, narration, play_speakers, speakers
from coref.speech import narrators as tellers
from coref.speech.attributed_speech import AttributedSpeech, voice
from coref.speech.letter_writers import Tellers
from coref.speech.named_turns import named_turns
from coref.speech.pronoun_candidates import Shares, shares_of
from coref.speech.quote_surroundings import Surroundings
from coref.speech.turn_division import Divide, by_odds
from coref.speech.turns import Turn
from coref.types import CharacterKind, EntityCategory, MentionKind

_SHORT = 12_000
"""Number of words below which the rules cannot tell whom titles and roles refer to."""
_OFTEN = 8
"""How often a kin term must be written like a name to be one."""
_CALLED, _ROLE = 0.95, 0.4
"""Weights of known titles and roles. `the King` is whoever is known so, but `the old king` may be another."""
_FEW_PRONOUNS, _CLEARLY = 3, 2.0
_SURELY_SAID = 0.95
"""How certain it must be who speaks for `he` not to mean them."""
_OVERLOOKED = 40
"""How often one name must be overlooked for a book to be read once more.

In 28 novels it was *Friday* 125 times, *Captain Good* 74 and *Pooh* 57, and then none more than 18 times.
"""


@dataclass(frozen=True, slots=True)
class RuleTrust:
    """Weights of the rules' resolutions, relative to the network's shares."""

    pronoun: float
    """For pronouns in the narration."""
    nominal: float
    quoted: float
    """For mentions in quotations."""
    spoken: float
    """For "I" and "you" in quotations."""

    @staticmethod
    def of(words: int) -> RuleTrust:
        return RuleTrust(0.3, 0.5, 0.3, 0.9) if words < _SHORT else RuleTrust(0.9, 3.0, 0.9, 3.0)


@dataclass(slots=True)
class ResolvedBook:
    """All resolved mentions. `who` is a number in the cast, or None for anything outside it."""

    cast: Cast
    sightings: list[NetworkMention]
    """Without candidates that were only considered as possible names."""
    settled: MentionAssignments
    said: list[AttributedSpeech]
    tellers: Tellers
    every: list[NetworkMention]
    """All candidates, in the order by which `earlier` numbers them."""
    earlier: Links
    shares: list[Shares]
    """For each candidate, the people it may refer to through all its antecedents."""
    talk: Sequence[NamedTurn]
    """The names in and beside speech."""
    signs: Signs
    """What the book shows of each name. Empty if the cast was given."""
    compared: ComparedPeople
    """What it shows of the people that it has names for. Empty if the cast was given."""
    stories: bool
    """Whether each chapter is a story with people of its own."""


@dataclass(frozen=True, slots=True)
class CastDraft:
    """The cast before its mentions are resolved."""

    sightings: list[NetworkMention]
    holders: Sequence[NetworkMention | None]
    """The mentions with the uses of names."""
    cast: Cast
    talk: Sequence[NamedTurn]
    signs: Signs
    compared: ComparedPeople
    stories: bool
    """Whether each chapter is a story with people of its own."""


def make_sense_given(
    ground: Groundwork, found: FoundMentions, known: Sequence[KnownCharacter]
) -> ResolvedBook:
    """Resolve a book with a known cast. Further names of its members are learnt from the book."""
    own = draft_cast(ground, found).cast
    given = find_given(ground.tokens, known)
    learn(given, own, ground.uses)
    ground.uses, ground.evidence = given.uses, given.evidence
    sightings = sight(found, ground.words, ground.tokens)
    holders = give_uses(sightings, given.uses)
    _name(holders, given.uses, given.cast)
    talk = _talk(ground, sightings)
    draft = CastDraft(sightings, holders, given.cast, talk, {}, ComparedPeople({}, {}), stories=False)
    return make_sense(ground, found, draft)


def overlooked(ground: Groundwork, draft: CastDraft) -> list[Range]:
    """Return the places of people's names that the network overlooked, if one name was overlooked often.

    It takes the word for another: `Friday` for the day, `Good` for a quality.
    """
    uses = [
        use
        for use, holder in zip(ground.uses, draft.holders, strict=True)
        if holder is None and use.first in draft.cast.options
    ]
    counts = Counter(use.name for use in uses)
    return ground.places(uses) if max(counts.values(), default=0) >= _OVERLOOKED else []


def draft_cast(ground: Groundwork, found: FoundMentions, asked: Collection[Range] = ()) -> CastDraft:
    """Draw up a cast. A name that is believed to be somebody's is theirs wherever it stands.

    But of the places that were `asked` about, those that read as no person's are no names.
    """
    sightings = sight(found, ground.words, ground.tokens)
    if not ground.book.play:
        own = (s for s in sightings if not found.added[s.at])
        ground.uses = with_read_names(ground.tokens, ground.uses, own)
        ground.evidence = person_cues.gather(ground.tokens, ground.uses)
    holders = give_uses(sightings, ground.uses)
    led = led_back(sightings, found.earlier, ground.uses, holders)
    signs = _signs(ground, found, holders, led)
    names = believed(signs) | {use.name for use in ground.labels.uses}
    elsewhere = _elsewhere(ground, found, holders, frozenset(asked))
    told, linked = lean(after_names(ground.tokens, ground.uses)), lean(led)
    leaning = {name: gender for name, gender in told.items() if linked.get(name) == gender}
    cast = draw_up(ground.tokens, ground.uses, ground.evidence, leaning, judged=names, elsewhere=elsewhere)
    _name(holders, ground.uses, cast)
    talk = _talk(ground, sightings)
    give_surnames(ground.tokens, cast, ground.uses, sightings, found.earlier, led, talk)
    compared = compare(ground.tokens, cast, sightings, found.earlier, led, talk)
    join_alike(cast, compared)
    stories = part_by_story(cast, ground.uses, ground.chapter_of_token)
    ground.labels.enter(cast)
    return CastDraft(sightings, holders, cast, talk, signs, compared, stories)


def make_sense(ground: Groundwork, found: FoundMentions, draft: CastDraft) -> ResolvedBook:
    book, tokens = ground.book, ground.tokens
    sightings, holders, cast = draft.sightings, draft.holders, draft.cast
    _name(holders, ground.uses, cast)
    people = [s for s in sightings if s.category is EntityCategory.PERSON]
    _demote(people)
    nominals = [s for s in people if s.kind is MentionKind.NOMINAL]
    find_roles(
        cast,
        nominals,
        length=len(tokens),
        capitals=_capitals(tokens, nominals),
        steady=steady_roles(sightings, found.earlier),
    )
    cast.roles.update(ground.labels.roles)
    plain = _in_order(s for s in people if not s.several and (s.options or s.kind is not MentionKind.PROPER))
    find_genders(cast.people, cast.roles, tokens, plain)
    if book.play:
        told_by = tellers.nobody(book)
    else:
        told_by = tellers.find_tellers(book, tokens, cast, spots=plain, uses=ground.uses)
    reading = narration.NarrationKnowledge.of(cast, tokens)
    pins = _read_narration(ground, reading, plain, told_by)
    pins |= _pins(ground, sightings, cast, told_by)
    banned = _not_narrators(sightings, told_by, ground.paragraphs)
    if draft.stories:
        _keep_apart(ground, cast, sightings, told_by, pins, banned)
    settled = _settle(cast, sightings, found, pins, banned)
    _correct_genders(cast.people, settled)
    settled = _settle(cast, sightings, found, pins, banned)
    shares = shares_of(sightings, found.earlier, dict(enumerate(cast.people)))
    said = _attribute(ground, cast, sightings, told_by, shares)
    letter_writers.sign(said, tokens, told_by)
    pins |= _read_quotes(ground, reading, plain, said)
    pins |= _spoken_pins(tokens, sightings, said, RuleTrust.of(len(tokens)).spoken)
    banned |= _not_speakers(tokens, sightings, said)
    if draft.stories:
        _keep_apart(ground, cast, sightings, told_by, pins, banned)
    settled = _settle(cast, sightings, found, pins, banned)
    named = {i: s for s in holders if s is not None and s.use for i in range(s.use.first, s.use.end)}
    kept = [s for s in sightings if s.options or not (found.added[s.at] or is_part_of_name(s, named))]
    return ResolvedBook(
        cast,
        kept,
        settled,
        said,
        told_by,
        sightings,
        found.earlier,
        shares,
        draft.talk,
        draft.signs,
        draft.compared,
        draft.stories,
    )


def _talk(ground: Groundwork, sightings: Sequence[NetworkMention]) -> list[NamedTurn]:
    if ground.book.play:
        return []
    return named_turns(ground.tokens, _in_order(_single_people(sightings)), ground.heard, ground.chapters)


def _signs(
    ground: Groundwork,
    found: FoundMentions,
    holders: Sequence[NetworkMention | None],
    led: LedBack,
) -> Signs:
    """Return what the book shows of each name. `holders` are the mentions with the uses of names."""
    readings = [
        None if s is None else NameUseReading(s.category, found.kinds[s.at], found.added[s.at])
        for s in holders
    ]
    return signs_of(ground.tokens, ground.uses, readings, ground.evidence, led)


def _elsewhere(
    ground: Groundwork,
    found: FoundMentions,
    holders: Sequence[NetworkMention | None],
    asked: Collection[Range],
) -> set[int]:
    return {
        use.first
        for use, s in zip(ground.uses, holders, strict=True)
        if s is not None and s.category is not EntityCategory.PERSON and found.spans[s.at] in asked
    }


def _name(holders: Sequence[NetworkMention | None], uses: Sequence[NameUse], cast: Cast) -> None:
    """Set the people that each mention with a name may refer to."""
    for use, holder in zip(uses, holders, strict=True):
        if holder is not None and use.first in cast.options:
            holder.options = cast.options[use.first]
            holder.category = EntityCategory.PERSON
            holder.kind = MentionKind.PROPER


def _capitals(tokens: Tokens, nominals: Iterable[NetworkMention]) -> set[str]:
    """Return kin terms that are written like names: `the Grandmother`."""
    every: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for s in (s for s in nominals if s.head in table("kin")):
        every[s.head] += s.definite
        capital[s.head] += s.definite and tokens.words[s.end - 1][0].isupper()
    return {head for head, count in capital.items() if count >= _OFTEN and count > every[head] / 2}


def _demote(sightings: Iterable[NetworkMention]) -> None:
    """Turn names of nobody into nominals if they denote people: `the General`, `Papa`."""
    for s in sightings:
        if s.kind is MentionKind.PROPER and not s.options and noun_gender(s.head) is not None:
            s.kind = MentionKind.NOMINAL


def _in_order(sightings: Iterable[NetworkMention]) -> list[NetworkMention]:
    return sorted(sightings, key=lambda s: (s.first, s.end))


def _read_narration(
    ground: Groundwork,
    reading: narration.NarrationKnowledge,
    plain: Sequence[NetworkMention],
    told_by: Tellers,
) -> dict[int, KnownMeaning]:
    """Return the rules' resolutions in the narration, which count where the network is undecided."""
    narration.read_narration(
        reading,
        plain,
        narrators=told_by.by_paragraph,
        chapters=ground.chapters,
        paragraphs=ground.paragraphs,
        tell=lambda _: None,
    )
    trust = RuleTrust.of(len(ground.tokens))
    pins: dict[int, KnownMeaning] = {}
    for s in plain:
        if s.who is not None and s.kind is not MentionKind.PROPER:
            pins[s.at] = KnownMeaning(
                s.who, trust.pronoun if s.kind is MentionKind.PRONOUN else trust.nominal
            )
    return pins


def _read_quotes(
    ground: Groundwork,
    reading: narration.NarrationKnowledge,
    plain: Sequence[NetworkMention],
    said: Sequence[AttributedSpeech],
) -> dict[int, KnownMeaning]:
    asked = [s for s in plain if s.quote >= 0 and s.kind is not MentionKind.PROPER]
    for s in asked:
        s.who = None
    inside_quotes.read_quotes(reading, plain, said, chapters=ground.chapters, paragraphs=ground.paragraphs)
    pins: dict[int, KnownMeaning] = {}
    for s in asked:
        if s.who is not None:
            pins[s.at] = KnownMeaning(s.who, RuleTrust.of(len(ground.tokens)).quoted)
    return pins


def _pins(
    ground: Groundwork, sightings: Sequence[NetworkMention], cast: Cast, told_by: Tellers
) -> dict[int, KnownMeaning]:
    pins: dict[int, KnownMeaning] = {}
    for s in sightings:
        if s.options:
            pins[s.at] = KnownMeaning(s.options[0].number if s.who is None else s.who)
        elif s.head == ME and s.kind is MentionKind.PRONOUN and s.quote < 0:
            teller = told_by.by_paragraph[ground.paragraphs[s.first]]
            if teller is not None:
                pins[s.at] = KnownMeaning(teller)
        elif s.definite and s.kind is MentionKind.NOMINAL and s.head in cast.roles:
            alone = s.end - s.first == 2
            pins[s.at] = KnownMeaning(cast.roles[s.head].number, _CALLED if alone else _ROLE)
    return pins


def _keep_apart(
    ground: Groundwork,
    cast: Cast,
    sightings: Sequence[NetworkMention],
    told_by: Tellers,
    pins: dict[int, KnownMeaning],
    banned: dict[int, set[int]],
) -> None:
    """Let no mention without a name mean somebody who is not there in its story, nor tells it."""
    chapters = ground.chapter_of_token
    absent = absent_people(cast, ground.uses, (s for s in sightings if s.definite), chapters)
    for story, teller in zip(ground.chapters, told_by.by_paragraph, strict=True):
        if teller is not None:
            absent[story].discard(teller)
    for s in (s for s in sightings if not s.options):
        away = absent[chapters[s.first]]
        banned[s.at] = away | banned.get(s.at, set())
        if s.at in pins and pins[s.at].person in away:
            del pins[s.at]


def _settle(
    cast: Cast,
    sightings: Sequence[NetworkMention],
    found: FoundMentions,
    pins: dict[int, KnownMeaning],
    banned: dict[int, set[int]],
) -> MentionAssignments:
    settling = MentionAssigner(cast.people, found.earlier, found.new)
    settled = settling.run(sightings, [s.category for s in sightings], pins, banned=banned)
    for s, group in zip(sightings, settled.groups, strict=True):
        s.who = group.person
    return settled


def _correct_genders(people: Sequence[CastMember], settled: MentionAssignments) -> None:
    """Set missing genders from people's pronouns, if these clearly agree."""
    for group in settled.all_groups():
        if group.person is None or people[group.person].kind is CharacterKind.GROUP:
            continue
        he, she = group.pronouns[HE], group.pronouns[SHE]
        if max(he, she) >= _FEW_PRONOUNS and max(he, she) >= _CLEARLY * min(he, she):
            person = people[group.person]
            person.gender = person.gender or (HE if he > she else SHE)


def _attribute(
    ground: Groundwork,
    cast: Cast,
    sightings: Sequence[NetworkMention],
    told_by: Tellers,
    shares: Sequence[Shares],
) -> list[AttributedSpeech]:
    if ground.book.play:
        people = _in_order(_single_people(sightings))
        return play_speakers.attribute(ground.tokens, people, ground.heard, ground.chapters, ground.labels)
    said, turns, around = turns_heard(ground, cast, sightings, told_by, shares)
    speakers.decide(turns, around)
    return said


def turns_heard(
    ground: Groundwork,
    cast: Cast,
    sightings: Sequence[NetworkMention],
    told_by: Tellers,
    shares: Sequence[Shares],
    divide: Divide = by_odds,
) -> tuple[list[AttributedSpeech], list[Turn], Surroundings]:
    """Return the quotations in turns, before it is decided who speaks."""
    people = _in_order(_single_people(sightings))
    return speakers.prepared(
        ground.tokens,
        people,
        ground.heard,
        ground.chapters,
        parties=dict(enumerate(cast.people)),
        narrators=told_by.by_paragraph,
        meant={s.first: shares[s.at] for s in people if s.kind is MentionKind.PRONOUN and s.gender},
        divide=divide,
    )


def _single_people(sightings: Sequence[NetworkMention]) -> list[NetworkMention]:
    return [s for s in sightings if s.category is EntityCategory.PERSON and not s.several]


def _spoken_pins(
    tokens: Tokens, sightings: Sequence[NetworkMention], said: Sequence[AttributedSpeech], weight: float
) -> dict[int, KnownMeaning]:
    """Resolve "I" in a quotation to its speaker, as far as that is sure, and "you" to its addressee."""
    pins: dict[int, KnownMeaning] = {}
    for s in sightings:
        quote = voice(tokens, said, s)
        if quote is None or s.kind is not MentionKind.PRONOUN:
            continue
        if s.head == ME and quote.speaker is not None:
            pins[s.at] = KnownMeaning(quote.speaker, weight * quote.confidence)
        elif s.head == YOU and quote.hearer is not None:
            pins[s.at] = KnownMeaning(quote.hearer, weight)
    return pins


def _not_narrators(
    sightings: Sequence[NetworkMention], told_by: Tellers, paragraphs: Sequence[int]
) -> dict[int, set[int]]:
    """Return the narrator for each mention in the narration that cannot be the narrator: `he`, `the man`.

    In LitBank's 32 excerpts told by an "I", 15 of 1,600 such pronouns and 36 of 1,600 nouns are.
    """
    banned: dict[int, set[int]] = {}
    for s in sightings:
        third = s.kind is MentionKind.NOMINAL or (s.kind is MentionKind.PRONOUN and s.head in (HE, SHE))
        teller = told_by.by_paragraph[paragraphs[s.first]]
        if third and s.quote < 0 and teller is not None:
            banned[s.at] = {teller}
    return banned


def _not_speakers(
    tokens: Tokens, sightings: Sequence[NetworkMention], said: Sequence[AttributedSpeech]
) -> dict[int, set[int]]:
    """Return the people a mention cannot mean: `he` is not who says it, where that is certain."""
    banned: dict[int, set[int]] = {}
    for s in sightings:
        quote = voice(tokens, said, s)
        if quote is None or quote.speaker is None or quote.confidence < _SURELY_SAID:
            continue
        if s.kind is MentionKind.PRONOUN and s.head in (HE, SHE, "they"):
            banned[s.at] = {quote.speaker}
    return banned
