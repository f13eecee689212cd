# `make` alone lists what there is. Everything runs from `.venv`, which `setup` makes with pip and nothing else.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check
LINTED := contracts runtime services toolkit examples tests bench
TYPED := contracts/aml runtime/aml toolkit/aml examples/aml $(wildcard services/*/aml)

# The first interpreter that runs and that the lock file covers. `make PYTHON=/path/to/python setup` overrides it.
PYTHON ?= $(shell for candidate in python3 python3.12 python3.11 python3.13; do \
	$$candidate -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& echo $$candidate && break; done)

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types tests bench schemas lock clean
.DELETE_ON_ERROR:

help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-9s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Install everything into .venv; a second run installs nothing
	@echo "$(VENV) is ready"

$(STAMP): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11, 3.12 or 3.13 found; install one, or name it: make PYTHON=/path/to/python setup" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "error: $(PYTHON) cannot be run or is older than Python 3.11; name another: make PYTHON=/path/to/python setup" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "error: $(PYTHON) has no venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "installing into $(VENV) with $$($(PYTHON) --version)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install -qq --no-compile --require-hashes --no-deps -r requirements.lock
	@$(PIP) install -qq --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib
	@touch $@

demo: $(STAMP) ## Evaluate the example systems on a local stack and print the board
	@$(BIN)/aml demo

test: lint types tests ## All that CI checks: format, lint, types, import rules, generated files, tests

lint: $(STAMP) ## Format, lint, import rules
	$(BIN)/ruff check $(wildcard $(LINTED))
	$(BIN)/ruff format --check $(wildcard $(LINTED))
	$(BIN)/lint-imports

types: $(STAMP) ## mypy --strict over all source
	$(BIN)/mypy $(TYPED)

tests: $(STAMP) ## The tests, with the drift check of the generated schemas; PYTEST_ARGS adds arguments
	$(BIN)/python -m aml.toolkit.schemas --check
	@# What fails beside others on two busy cores is run once more, alone and in the open; a second failure stands.
	$(BIN)/pytest -n 2 --dist loadgroup $(PYTEST_ARGS) \
		|| { echo "once more, alone:"; $(BIN)/pytest --last-failed --last-failed-no-failures none $(PYTEST_ARGS); }

bench: $(STAMP) ## Measure; results are written to bench/results
	$(BIN)/python -m bench

schemas: $(STAMP) ## Regenerate contracts/schemas
	$(BIN)/python -m aml.toolkit.schemas

lock: $(STAMP) ## Resolve both lock files anew within their present pins; LOCK_ARGS=--upgrade moves them
	@$(call compile,dev,requirements.lock,)
	@$(call compile,image,requirements.services.lock,--constraint requirements.lock)

# No index and no path of this machine enters a lock. The distribution itself is left out: it comes from the checkout.
compile = echo "resolving $(2)" && $(BIN)/pip-compile --quiet --extra $(1) $(3) --generate-hashes --strip-extras \
	--no-emit-options --no-header \
	--unsafe-package agent-memory-leaderboard $(LOCK_ARGS) --output-file $(2) pyproject.toml 2>$(VENV)/lock.log \
	|| { cat $(VENV)/lock.log >&2; exit 1; }; sed -i.old -e '/^\# WARNING: The following packages were not pinned/,$$d' $(2) && rm $(2).old

clean: ## Remove .venv and caches; data under .aml stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
