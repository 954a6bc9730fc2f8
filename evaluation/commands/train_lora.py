"""`bookworm train lora`: fine-tunes a language model on references. It resumes after an interruption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from books.digests import file_sha256
from evaluation.commands import lora_options as ask
from evaluation.commands import lora_view as view
from generation.training.types import LAYERS, Decay, Precision, Recipe
from service.cli import output, progress
from service.cli.device_options import DeviceOption, Threads, chosen, ready
from service.cli.options import JsonFlag
from service.cli.session import Session
from service.cli.training_books import Prompting, lessons

if TYPE_CHECKING:
    from generation.training.course import Course
    from generation.training.types import LossPoint, TrainingState


def lora(
    context: typer.Context,
    data: ask.Data,
    base: ask.Base,
    to: ask.To,
    full: ask.Full = False,
    bits: ask.Bits = 16,
    skip_unknown: ask.SkipUnknown = False,
    dry_run: ask.DryRun = False,
    anew: ask.Anew = False,
    rank: ask.Rank = 8,
    alpha: ask.Alpha = 16,
    dropout: ask.Dropout = 0.05,
    layers: ask.Layers = None,
    rate: ask.Rate = 2e-5,
    decay: ask.DecayOption = Decay.LINEAR,
    warm_up: ask.WarmUp = 0,
    weight_decay: ask.WeightDecay = 0.0,
    clip: ask.Clip = 1.0,
    batch: ask.Batch = 1,
    accumulation: ask.Accumulation = 4,
    epochs: ask.Epochs = 4,
    seed: ask.Seed = 1,
    tokens: ask.Tokens = 8192,
    packed: ask.Packed = None,
    apart: ask.Apart = False,
    rope: ask.Rope = None,
    retriever: ask.Retriever = None,
    budget: ask.Budget = None,
    cast_list: ask.CastList = None,
    precision: ask.PrecisionOption = Precision.AUTO,
    checkpointing: ask.Checkpointing = True,
    save_every: ask.SaveEvery = 50,
    picture: ask.PictureOption = ask.Picture.PNG,
    threads: Threads = None,
    device: DeviceOption = None,
    json: JsonFlag = False,
) -> None:
    """Fine-tune a language model to describe characters: a LoRA adapter, or all weights with --full."""
    recipe = _recipe(locals())
    ready(threads)
    session = Session.of(context)
    prompting = Prompting.of(session.settings, retriever=retriever, budget=budget, cast_list=cast_list)
    course = _course(session, data, prompting, base, recipe, to, chosen(device), skip_unknown=skip_unknown)
    course = replace(course, save_every=save_every)
    _tell_outlook(course, dry_run=dry_run, as_json=json)
    if not dry_run:
        _train(course, picture, anew=anew, as_json=json)


def _recipe(options: Mapping[str, Any]) -> Recipe:
    """Options and fields have the same names."""
    named = {each.name: options[each.name] for each in fields(Recipe)}
    return Recipe(**{**named, "layers": tuple(options["layers"] or LAYERS)})


def _course(
    session: Session,
    data: Path,
    prompting: Prompting,
    base: str,
    recipe: Recipe,
    to: Path,
    device: str,
    *,
    skip_unknown: bool,
) -> Course:
    from generation.training.base_model import find, quantised
    from generation.training.course import Course

    found = find(base)
    quantised(recipe, device)  # to report a missing dependency now and not after the prompts are made
    context = found.context(recipe.rope)
    if context is not None and context < recipe.tokens:
        output.tell(f"“{base}” has a context of {context:,} tokens, which limits prompt and answer.")
        recipe = replace(recipe, tokens=context)
    made = lessons(session, data, prompting, found, recipe, skip_unknown=skip_unknown)
    return Course(found, recipe, made, device, to, prompting.told(), file_sha256(data))


def _tell_outlook(course: Course, *, dry_run: bool, as_json: bool) -> None:
    """Reports the data, steps and memory of the training: on stdout for a dry run, otherwise on stderr."""
    from generation.models.llama.memory import free
    from generation.training import schedule
    from generation.training.sample_statistics import of_split
    from generation.training.training_memory import estimate
    from generation.training.types import DataSplit

    found = {split.value: told for split in DataSplit if (told := of_split(course.lessons, split))}
    learnt = [lesson.example for lesson in course.lessons if lesson.placed.split is DataSplit.TRAIN]
    steps = schedule.steps(len(learnt), course.recipe)
    read = course.recipe.epochs * sum(len(e.prompt) + len(e.answer) for e in learnt)
    every = [lesson.example for lesson in course.lessons]
    memory = estimate(course.base.sketch(course.recipe), every, course.recipe, course.device)
    if dry_run and as_json:
        output.write_json(
            {
                "splits": {split: asdict(each) for split, each in found.items()},
                "recipe": asdict(course.recipe),
                "prompts": dict(course.prompts),
                "device": course.device,
                "steps": steps,
                "tokens": read,
                "memory": {**asdict(memory), "total": memory.total},
            }
        )
        return
    page = output.out if dry_run else output.err
    page.print(view.statistics(found))
    for line in view.outlook(steps, read, memory, course.device):
        page.print(line)
    if memory.total > (available := free(course.device)):
        output.warn(f"Only {available / view.GB:.1f} GB of memory are free.")
    if DataSplit.VALIDATION not in found:
        output.warn("There is no validation data, so the last epoch is used.")
    if cut := sum(each.truncated for each in found.values()):
        output.warn(f"References that are too long and are truncated: {cut}. Increase --tokens.")


def _train(course: Course, picture: ask.Picture, *, anew: bool, as_json: bool) -> None:
    from generation.training import training_checkpoint
    from generation.training.course import train

    if picture is not ask.Picture.NONE:
        from evaluation.commands.lora_picture import library

        library()  # to report a missing dependency now and not at the end
    if anew:
        training_checkpoint.forget(course.folder)
    with progress.stages("Training") as shown:
        trained = train(course, told=_Telling(course, picture, shown))
    _draw(course, trained.outcome.story, picture)
    if as_json:
        output.write_json({**trained.manifest, "folder": str(trained.folder)})
    else:
        for line in view.outcome(trained):
            output.out.print(line)


@dataclass(slots=True)
class _Telling:
    """Shows a progress bar, prints a line per epoch and updates the picture of the losses."""

    course: Course
    picture: ask.Picture
    shown: progress.Told
    _seconds: list[float] = field(default_factory=list)

    def step(self, point: LossPoint, total: int) -> None:
        self._seconds = [*self._seconds[-49:], point.seconds]
        left = (total - point.step) * sum(self._seconds) / len(self._seconds)
        self.shown(f"epoch {point.epoch}, loss {point.loss:.3f}", point.step / total, left)

    def epoch(self, story: TrainingState) -> None:
        epoch = story.epochs[-1]
        validation = "" if epoch.validation is None else f", validation {epoch.validation:.4f}"
        output.tell(f"epoch {epoch.number} (step {epoch.step:,}): loss {epoch.loss:.4f}{validation}")
        _draw(self.course, story, self.picture)


def _draw(course: Course, story: TrainingState, picture: ask.Picture) -> None:
    from evaluation.commands.lora_picture import draw
    from generation.training import training_checkpoint

    if picture is not ask.Picture.NONE:
        title = f"{course.base.name}: {len(course.lessons):,} samples"
        draw(
            training_checkpoint.points(course.folder),
            story.epochs,
            course.folder / f"loss.{picture}",
            title=title,
        )
