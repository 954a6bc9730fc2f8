"""The make targets: what they are, and that a second run installs nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = (
    "demo",
    "test",
    "serve",
    "lint",
    "types",
    "bench",
    "bench-coref",
    "bench-retrieval",
    "bench-generation",
    "soak",
    "soak-short",
    "clean",
)

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")


def make(*arguments: str, cwd: Path = ROOT) -> str:
    # What an outer make hands down is not this one's business.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(
        ["make", *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A checkout whose .venv is there and stamped, as after a first run."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    cksum = subprocess.run(
        ["cksum"], stdin=(ROOT / "pyproject.toml").open("rb"), capture_output=True, check=True
    )
    total = cksum.stdout.split()[0].decode()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/python", f".base-{total}", f".dev-{total}"):
        (tmp_path / ".venv" / name).touch()
    return tmp_path


@pytest.mark.parametrize("target", TARGETS)
def test_the_target_is_there_and_says_what_for(target: str) -> None:
    assert re.search(rf"^{target}:.*## \S", MAKEFILE, re.M)
    assert f"make {target}" in make("help")


@pytest.mark.parametrize("target", ["demo", "serve", "test", "lint", "types"])
def test_the_second_time_nothing_is_installed(installed: Path, target: str) -> None:
    assert "pip" not in make("--dry-run", target, cwd=installed)


@pytest.mark.parametrize("target", ["demo", "test"])
def test_changed_dependencies_are_installed(installed: Path, target: str) -> None:
    with (installed / "pyproject.toml").open("a") as project:
        project.write("\n# changed\n")
    assert "pip install" in make("--dry-run", target, cwd=installed)


def test_the_demo_needs_the_base_install_only(installed: Path) -> None:
    next((installed / ".venv").glob(".dev-*")).unlink()
    assert "pip" not in make("--dry-run", "demo", cwd=installed)
    assert "[dev]" in make("--dry-run", "test", cwd=installed)


def test_ci_stops_at_the_first_failure_and_ends_with_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    text = script.read_text("utf-8")
    assert "set -euo pipefail" in text
    targets = re.findall(r"^make .*?(lint|types|test|soak-short)\b", text, re.M)
    assert targets == ["lint", "types", "test", "soak-short"]
    subprocess.run(["bash", "-n", str(script)], check=True)
