"""Storage of files: uploaded sources and the version folders made from them. See `store.py`."""

from db.store.builder import Builder
from db.store.errors import SourceMissing, StoreAway
from db.store.store import ArtefactStore
from db.store.sweeping import Swept

__all__ = ["ArtefactStore", "Builder", "SourceMissing", "StoreAway", "Swept"]
