"""For the whole suite: one thread per process, no network, the same examples on every run."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

OFFLINE = Path(__file__).parent / "offline"

# Collecting makes millions of objects that live until the end. Looking through them for garbage takes more
# time than making them: it starts when all are there, and leaves them out.
gc.disable()

# Before anything imports torch: its idle threads spin, and the suite runs several processes on few cores.
os.environ.update(
    OMP_NUM_THREADS="1",
    OMP_WAIT_POLICY="PASSIVE",
    GOMP_SPINCOUNT="0",
    TOKENIZERS_PARALLELISM="false",
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    # Tables break their words on a narrow page, and how wide it is would hang on who runs the suite.
    COLUMNS="140",
)
# Modules are compiled once, not in each of the hundreds of processes that the suite starts.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A developer's own settings are not the tests' business, nor are their library and an `.env` file.
for name in [n for n in os.environ if n.startswith("BOOKWORM_") and not n.startswith("BOOKWORM_TESTS_")]:
    del os.environ[name]
data_home = TemporaryDirectory(prefix="bookworm-data-")
os.environ["XDG_DATA_HOME"] = data_home.name
# The same numbers on every machine, whatever is fastest there.
os.environ["BOOKWORM_ENCODER_BITS"] = "32"
# No test depends on a server that happens to run here.
os.environ["BOOKWORM_GENERATOR"] = "offline"
# The models of the tests write; few of them can find facts or judge.
os.environ["BOOKWORM_EXTRACTOR"] = os.environ["BOOKWORM_JUDGE"] = "offline"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(OFFLINE), os.environ.get("PYTHONPATH")]))

import offline_network  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from service.settings import Settings  # noqa: E402

offline_network.shut()
Settings.model_config["env_file"] = None

settings.register_profile(
    "house",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

pytest_plugins = ["tests.durations", "tests.novella", "tests.postgres", "tests.spreading"]


def pytest_make_parametrize_id(val: object) -> str | None:
    """Bytes are called by their length: what a packer makes holds the hour, and every worker must agree."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()
