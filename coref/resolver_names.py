"""Full names of the resolvers that are part of Bookworm, which are known without loading them.

Raise the number of one whenever it annotates a book otherwise than before.
"""

from __future__ import annotations

from typing import Final

CHINESE: Final = "chinese/3"
NATIVE: Final = "native/22"
RULES: Final = "rules/14"

NAMES: Final = {"chinese": CHINESE, "native": NATIVE, "rules": RULES}
"""By the names under which they are registered."""
