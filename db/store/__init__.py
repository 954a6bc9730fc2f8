"""Storage of files: uploaded sources and the version folders made from them. See `store.py`."""

from db.store.builder import Builder
from db.store.errors import FolderNotWritable, SourceMissing, StoreAway
from db.store.store import ArtefactStore
from db.store.sweeping import Swept

__all__ = ["ArtefactStore", "Builder", "FolderNotWritable", "SourceMissing", "StoreAway", "Swept"]
