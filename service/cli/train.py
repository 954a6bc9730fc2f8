"""`bookworm train …`: the group of commands that train models."""

from __future__ import annotations

import typer

from coref.training.commands.certainty import certainty
from coref.training.commands.cross_validate import cross_validate
from coref.training.commands.eight_bits import eight_bits
from coref.training.commands.literary_model import coref
from coref.training.commands.pack import pack
from coref.training.commands.speakers import speakers
from evaluation.commands.telling import telling
from evaluation.commands.train_asking import asking
from evaluation.commands.train_booookscore import booookscore
from evaluation.commands.train_categories import categories
from evaluation.commands.train_chinese import chinese_links, chinese_names, chinese_telling
from evaluation.commands.train_entailment import citations, entailment
from evaluation.commands.train_events import events
from evaluation.commands.train_lora import lora
from evaluation.commands.train_pairs import pairs
from evaluation.commands.train_people import (
    along,
    display_names,
    introductions,
    names,
    people,
    ties,
    turns,
)

train = typer.Typer(no_args_is_help=True)
train.command()(along)
train.command()(asking)
train.command()(booookscore)
train.command()(categories)
train.command()(certainty)
train.command()(chinese_links)
train.command()(chinese_names)
train.command()(chinese_telling)
train.command()(citations)
train.command()(cross_validate)
train.command()(display_names)
train.command()(eight_bits)
train.command()(entailment)
train.command()(events)
train.command()(introductions)
train.command()(lora)
train.command()(pack)
train.command()(pairs)
train.command()(people)
train.command()(names)
train.command()(ties)
train.command()(turns)
train.command()(speakers)
train.command()(coref)
train.command()(telling)


@train.callback()
def _group() -> None:
    """Train the models of Bookworm."""
