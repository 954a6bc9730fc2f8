"""`bookworm train people`, `names`, `ties`, `introductions`, `along`, `turns`: who is one person, whose a
name is, what people are to each other, which quotation says who they are, what follows a name, who goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from books.errors import BookwormError
from coref.training.commands.options import LitBank, WeightsFile, file_option
from coref.training.commands.pack import LITBANK
from evaluation.commands.options import CorpusTexts, OnlyNovels, ResolvedBooks, room_for
from service.cli import output
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from coref.native.groundwork import Groundwork
    from coref.native.who_is_who import ResolvedBook
    from evaluation.coref.odds_training import OddsLesson
    from evaluation.corpus.quotations import NovelNamed

N = TypeVar("N", bound="NovelNamed")

NobodiesFile = Annotated[
    Path | None, file_option("--nobodies", "File for the names that are nobody's in several novels.")
]


class PeopleTrainingInvalid(BookwormError):
    code = "people_training_invalid"
    remedy = "Give the folder with the texts that the corpus was made from, and more novels to --only."


class AlongTrainingInvalid(BookwormError):
    code = "along_training_invalid"
    remedy = "Use LitBank, with documents in train.ids and dev.ids in which several people are named."


def people(novels: CorpusTexts, to: WeightsFile, only: OnlyNovels = None, json: JsonFlag = False) -> None:
    """Train what says whether two characters are one person, on the casts of the corpus.

    Each novel is resolved first, in a minute or two.
    """
    from coref.names.one_person import ASKED
    from coref.names.person_pairs import FEATURES
    from evaluation.coref.one_person_lessons import lesson
    from evaluation.corpus.casts import casts

    _train(casts(), novels, to, only, lesson, FEATURES, least=ASKED, json=json)


def names(
    novels: CorpusTexts,
    to: WeightsFile,
    nobodies: NobodiesFile = None,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Train what says whether a name is a person's, on the casts of the corpus.

    Each novel is resolved first, in a minute or two.
    """
    from coref.names.name_kinds import BELIEVED
    from coref.names.name_signs import FEATURES
    from evaluation.coref.name_lessons import as_table, known_nobodies, lesson
    from evaluation.corpus.casts import casts

    if nobodies is not None:
        nobodies.write_text(as_table(known_nobodies(casts())), encoding="utf-8")
    _train(casts(), novels, to, only, lesson, FEATURES, least=BELIEVED, json=json)


def turns(novels: CorpusTexts, to: WeightsFile, only: OnlyNovels = None, json: JsonFlag = False) -> None:
    """Train what says whether two quotations of a paragraph have one speaker, on the corpus' pairs.

    Each novel is resolved first, in a minute or two.
    """
    from coref.speech.turn_division import FEATURES, ONE
    from evaluation.coref.turn_lessons import lesson
    from evaluation.corpus.turns import turns as told

    _train(told(), novels, to, only, lesson, FEATURES, least=ONE, json=json)


def ties(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFile,
    work: ResolvedBooks = None,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Train what says whether two people are husband and wife, or friends, on the ties of the casts."""
    from evaluation.coref.tie_lessons import lesson
    from evaluation.corpus.casts import casts
    from generation.story.statements import CERTAIN
    from generation.story.ties.tie_signs import FEATURES

    room = room_for(context, work)
    lessons = []
    for each, opened in room.open_novels((cast for cast in casts() if cast.ties), novels, only=only):
        lessons.append(lesson(each, opened.book, opened.annotations))
        output.tell(f"{each.novel}: {len(lessons[-1].true)} answers of readers")
    _learn(lessons, FEATURES, to, least=CERTAIN, json=json)


def introductions(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFile,
    work: ResolvedBooks = None,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Train what says whether a quotation says who somebody is, on what readers said of the corpus."""
    from evaluation.corpus import loading
    from evaluation.corpus.readings import readings
    from evaluation.keyfacts.introducing import lesson
    from generation.story.introductions import FEATURES, SHOWN

    room = room_for(context, work, embedder="minilm")
    lessons = []
    told = (
        novel
        for novel in loading.novels()
        if any(sentence.says_who for sentence in readings(novel.novel).sentences)
    )
    for novel, opened in room.open_novels(told, novels, only=only):
        lessons.append(lesson(novel, readings(novel.novel), opened))
        output.tell(f"{novel.novel}: {len(lessons[-1].true)} answers of readers")
    _learn(lessons, FEATURES, to, least=SHOWN, json=json)


def _train(
    told: Iterable[N],
    novels: Path,
    to: Path,
    only: list[str] | None,
    lesson_of: Callable[[N, Groundwork, ResolvedBook], OddsLesson],
    features: Sequence[str],
    *,
    least: float,
    json: bool,
) -> None:
    from coref.native.resolver import NativeResolver
    from evaluation.corpus.quotations import with_texts
    from evaluation.datasets.shelf import open_book

    resolver = NativeResolver()
    lessons = []
    for each, path in with_texts(told, novels, only):
        lessons.append(lesson_of(each, *resolver.resolve(open_book(path))))
        output.tell(f"{each.novel}: {len(lessons[-1].true)} answers of readers")
    _learn(lessons, features, to, least=least, json=json)


def _learn(
    lessons: Sequence[OddsLesson], features: Sequence[str], to: Path, *, least: float, json: bool
) -> None:
    from coref.odds import write
    from evaluation.coref.odds_training import learn, story_of

    try:
        model, trained = learn(lessons, features), story_of(lessons, features, least=least)
    except ValueError as error:
        raise PeopleTrainingInvalid(f"Nothing can be learnt: {error}.") from error
    _keep(to, write(model, trained), trained, json=json)


def along(litbank: LitBank, to: WeightsFile, json: JsonFlag = False) -> None:
    """Train which pronouns follow names that a correction moves, on LitBank's train.ids and dev.ids."""
    from coref.decisions.along import FEATURES
    from coref.odds import write
    from coref.training.litbank import LitbankDamaged, load, read_ids
    from evaluation.coref.along_lessons import lesson, story_of
    from evaluation.coref.odds_training import learn

    try:
        names = [name for part in ("train", "dev") for name in read_ids(litbank / f"{part}.ids")]
        documents = load(litbank, names)
        lessons = [lesson(each) for each in documents]
        model, trained = learn(lessons, FEATURES), story_of(documents, lessons)
    except (LitbankDamaged, OSError, ValueError) as error:
        raise AlongTrainingInvalid(f"Nothing can be learnt: {error}.") from error
    trained = {"on": LITBANK, **trained}
    _keep(to, write(model, trained), trained, json=json)


def display_names(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFile,
    work: ResolvedBooks = None,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Train which name of a character is displayed, on the casts of the corpus."""
    from coref.names.display_names import FEATURES
    from coref.odds import write
    from evaluation.coref.display_lessons import NovelNames, lesson, story_of
    from evaluation.coref.odds_training import learn
    from evaluation.corpus.casts import casts

    room = room_for(context, work)
    known = [
        NovelNames(cast, opened.book, opened.annotations.characters)
        for cast, opened in room.open_novels(casts(), novels, only=only)
    ]
    lessons = [lesson(each) for each in known]
    try:
        model, trained = learn(lessons, FEATURES), story_of(known, lessons)
    except ValueError as error:
        raise PeopleTrainingInvalid(f"Nothing can be learnt: {error}.") from error
    _keep(to, write(model, trained), trained, json=json)


def _keep(to: Path, weights: str, trained: Mapping[str, object], *, json: bool) -> None:
    to.write_text(weights, encoding="utf-8")
    if json:
        output.write_json(trained)
    else:
        output.tell(f"Weights in {to}")
