"""`bookworm quiz`: questions to a reader about what they have read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from generation.quiz.types import QuizLevel, QuizLoad
from service.cli import files, output
from service.cli.library import file_of, reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from service.wire.quiz import CorrectionOut, QuizOut, QuizQuestionOut

Count = Annotated[int, typer.Option("--count", min=1, max=50, help="Number of questions.")]
RandomSeed = Annotated[
    int, typer.Option("--seed", help="Random seed. The same seed gives the same questions.")
]

Load = Annotated[
    QuizLoad | None,
    typer.Option("--load", help="Ask only about the later half of what you have read, or the earlier."),
]
Corrections = Annotated[
    bool, typer.Option("--corrections", help="Show summaries with errors to be corrected instead.")
]
Level = Annotated[
    QuizLevel | None,
    typer.Option("--level", help="What each of those summaries covers: by default a chapter."),
]
Writer = Annotated[
    str | None,
    typer.Option(
        "--generator",
        metavar="NAME",
        help="Generator whose language model writes those summaries; by default they are quoted.",
    ),
]
Export = Annotated[
    Path | None,
    typer.Option(
        "--export",
        metavar="FILE",
        dir_okay=False,
        help="Write --count questions for the end of each chapter as JSON lines instead.",
    ),
]

NONE = "None of these."
TOO_SHORT = "This book is too short, or has too few scenes, for a quiz."
TOO_EARLY = "Too little has happened so far to ask about."


def quiz(
    context: typer.Context,
    book: Book,
    upto: Upto = None,
    count: Count = 5,
    load: Load = None,
    corrections: Corrections = False,
    level: Level = None,
    generator: Writer = None,
    export: Export = None,
    seed: RandomSeed = 0,
    json: JsonFlag = False,
) -> None:
    """Ask what happened in a BOOK, as far as you have read it.

    Without a terminal, the answers are printed below the questions.
    """
    from books.languages import unit_of
    from service.usecases import quiz as usecase
    from service.wire.quiz import QuizOut

    _check(load, level, generator, export, corrections=corrections)
    if export:
        files.keep_inputs([file_of(book)], to=export)
    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        if export:
            _export(usecase.exported(library, view, each=count, seed=seed), export, json=json)
            return
        made = (
            usecase.correcting(
                view,
                level=level or QuizLevel.CHAPTER,
                count=count,
                seed=seed,
                model=library.services.engines.model(generator),
            )
            if corrections
            else usecase.quiz(view, count=count, seed=seed, load=load)
        )
        found, unit = QuizOut.of(made), unit_of(view.book.language)
    if json:
        output.write_json(found)
        return
    asked = len(found.questions) + len(found.corrections)
    if not asked:
        output.tell(TOO_SHORT if upto is None else TOO_EARLY)
    elif not corrections and asked < count:
        output.tell(f"There is enough for {asked} of {count} questions.")
    if not output.at_terminal():
        _print_with_answers(found, unit)
        return
    right = [_ask(number, question, unit) for number, question in enumerate(found.questions, 1)]
    for number, task in enumerate(found.corrections, 1):
        _correct(number, task)
    if right:
        output.out.print(f"{sum(right)} of {len(right)} right.", style="bold")


def _check(
    load: QuizLoad | None,
    level: QuizLevel | None,
    generator: str | None,
    export: Path | None,
    *,
    corrections: bool,
) -> None:
    """Refuse options that would have no effect."""
    if export and (corrections or load):
        raise typer.BadParameter("It goes with neither --corrections nor --load.", param_hint="--export")
    for option, given in (("--level", level), ("--generator", generator)):
        if given and not corrections:
            raise typer.BadParameter("It needs --corrections.", param_hint=option)
    if load and corrections:
        raise typer.BadParameter("It does not go with --corrections.", param_hint="--load")


def _export(lines: list[str], to: Path, *, json: bool) -> None:
    files.write_text(to, "".join(f"{line}\n" for line in lines))
    if json:
        output.write_json({"file": str(to), "questions": len(lines)})
    else:
        output.tell(f"{len(lines)} questions written to {to}.")


def _print_with_answers(found: QuizOut, unit: str) -> None:
    """Print the questions, and below them the answers, where nobody can be asked."""
    answers = []
    for number, question in enumerate(found.questions, 1):
        _show_question(number, question)
        answers.append(f"{number}. {question.answer + 1}.{_where(question, unit)}")
    for number, task in enumerate(found.corrections, 1):
        _show_task(number, task)
        answers.append(f"{number}. The book: {task.right}")
    if answers:
        output.out.print("Answers", style="bold")
    for answer in answers:
        output.out.print(Text(answer))


def _show_question(number: int, question: QuizQuestionOut) -> None:
    where = "what you have read" if question.chapter is None else f"chapter {question.chapter}"
    where += f", “{question.title}”" if question.title else ""
    output.out.print(Text(f"{number}. Which of these happens in {where}?", style="bold"))
    for n, text in enumerate([*(choice.text for choice in question.choices), NONE], 1):
        output.out.print(Text(f"   {n}  {text}"))


def _where(question: QuizQuestionOut, unit: str) -> str:
    if question.place is None:
        return ""
    return f" Chapter {question.place.chapter}, {question.load_words:,} {unit} ago."


def _ask(number: int, question: QuizQuestionOut, unit: str) -> bool:
    _show_question(number, question)
    said = _chosen(len(question.choices) + 1)
    right = said == question.answer
    told = ("Right." if right else f"No, it is {question.answer + 1}.") + _where(question, unit)
    output.out.print(Text(told, style="green" if right else "red"), end="\n\n")
    return right


def _chosen(most: int) -> int:
    while not 1 <= (said := typer.prompt("Your answer", type=int)) <= most:
        output.tell(f"A number from 1 to {most}.")
    return int(said) - 1


def _show_task(number: int, task: CorrectionOut) -> None:
    output.out.print(Text(f"{number}. What is wrong here?", style="bold"))
    output.out.print(Text(task.given))


def _correct(number: int, task: CorrectionOut) -> None:
    _show_task(number, task)
    typer.prompt("Your version", default="", show_default=False)
    output.out.print(Text(f"The book: {task.right}", style="green"), end="\n\n")
