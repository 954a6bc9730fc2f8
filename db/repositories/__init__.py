"""Queries and updates, a class for each thing that persists. Each takes a session and returns values."""

from db.repositories.books import BookRepository
from db.repositories.chapters import ChapterEditRepository
from db.repositories.characters import CharacterRepository
from db.repositories.completions import CompletionRepository
from db.repositories.counts import CountRepository
from db.repositories.decisions import DecisionRepository
from db.repositories.events import EventRepository
from db.repositories.jobs import JobRepository
from db.repositories.keys import KeyRepository
from db.repositories.overrulings import OverrulingRepository
from db.repositories.portraits import PortraitRepository
from db.repositories.references import ReferenceRepository
from db.repositories.workers import WorkerRepository

__all__ = [
    "BookRepository",
    "ChapterEditRepository",
    "CharacterRepository",
    "CompletionRepository",
    "CountRepository",
    "DecisionRepository",
    "EventRepository",
    "JobRepository",
    "KeyRepository",
    "OverrulingRepository",
    "PortraitRepository",
    "ReferenceRepository",
    "WorkerRepository",
]
