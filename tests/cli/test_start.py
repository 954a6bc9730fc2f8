"""How the command starts: quickly, quietly, and with torch's threads told to sleep."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MAIN = "import sys; from service.cli.main import main; sys.argv = ['bookworm', *{arguments!r}]\n"
HEAVY = ("torch", "transformers", "faiss", "bm25s", "dbos", "sqlalchemy", "fastapi", "numpy")
LATE = ("torch", "transformers", "openvino", "scipy", "faiss", "openai", "jieba")


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {
        k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    } | environment
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=env)


@pytest.mark.parametrize("arguments", [["--help"], ["describe", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        MAIN.format(arguments=arguments)
        + "try:\n    main()\nexcept SystemExit as e:\n"
        + f"    print([m for m in {HEAVY!r} if m in sys.modules], e.code)"
    )
    done = python(code)
    assert done.stdout.splitlines()[-1] == "[] 0", done.stderr


def test_the_service_imports_no_networks_until_it_needs_them() -> None:
    """Every command that opens the library starts as the service does."""
    done = python(f"import sys, service.app; print([m for m in {LATE!r} if m in sys.modules])")
    assert done.stdout == "[]\n", done.stderr


def test_idle_threads_sleep_and_nothing_is_fetched() -> None:
    code = (
        MAIN.format(arguments=["--version"])
        + "import os\ntry:\n    main()\nexcept SystemExit:\n"
        + "    print(*(os.environ.get(n) for n in ('OMP_WAIT_POLICY', 'GOMP_SPINCOUNT', 'HF_HUB_OFFLINE')))"
    )
    assert python(code).stdout.splitlines()[-1] == "PASSIVE 0 1"
    assert python(code, OMP_WAIT_POLICY="ACTIVE").stdout.splitlines()[-1] == "ACTIVE 0 1"


def test_output_that_no_terminal_shows_is_utf_8() -> None:
    code = "from service.cli.main import settle\nsettle()\nprint('“Daisy Miller: Étude”')"
    assert python(code, PYTHONIOENCODING="ascii").stdout == "“Daisy Miller: Étude”\n"
    code = "import sys\nfrom service.cli.main import settle\nsettle()\nprint('caf\\udce9', file=sys.stderr)"
    assert python(code).stderr == "caf\\udce9\n", "the name of a file from an old disk"


def test_stopping_during_the_imports_leaves_no_trace() -> None:
    """`typer.Typer` is called while the application is imported."""
    stop = "import typer\ndef stop(**_):\n    raise KeyboardInterrupt\ntyper.Typer = stop\n"
    done = python(stop + MAIN.format(arguments=["books"]) + "main()")
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")


@pytest.mark.parametrize("arguments", [["--version"], ["read", __file__, "--json"]])
def test_a_closed_pipe_is_no_error(arguments: list[str]) -> None:
    """The first is written by Rich, the second directly."""
    code = MAIN.format(arguments=arguments) + "main()"
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stderr is not None
    with run.stderr:
        run.stdout.close()
        assert (run.wait(120), run.stderr.read()) == (0, b"")


def test_completion_is_offered() -> None:
    done = python(MAIN.format(arguments=[]) + "main()", _BOOKWORM_COMPLETE="source_bash")
    assert "bookworm" in done.stdout
    assert "complete" in done.stdout
