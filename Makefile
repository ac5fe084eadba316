# Everything a user or a developer runs. Each target sets itself up on a fresh machine (Python 3.11 or newer, Node 20 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SEARCHES := $(shell grep -rl 'support.volume import' tests --include='test_*.py' 2>/dev/null)
PAGE := src/idg/coordinator/static/index.html
EXTENSION := client/editors/vscode
CLIENT := $(wildcard client/*.json client/*.ts client/*.html client/*.js) src/idg/__init__.py \
	$(shell find client/src client/public spec -type f 2>/dev/null)

# Where the environment forbids to write bytecode, every process of the tests would compile the sources and the tests anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup play test test-exports lint lint-python lint-client lowest format docs docs-serve screenshots vscode bench holdout planted soak mutants spec lock clean

help:
	@echo "make play    set up, start the game and open it in the browser"
	@echo "make test    set up, lint, and run all tests"
	@echo "make test-exports  install other verifiers (Debian) and run them on exported proofs"
	@echo "make lowest  install the lowest versions of the dependencies, and use every part once"
	@echo "make format  lay out Python and the client as make lint wants it"
	@echo "make docs    build the documentation site into site/ (make docs-serve shows it while you write)"
	@echo "make screenshots  pictures of every screen"
	@echo "make vscode  build the extension for VS Code, a .vsix file"
	@echo "make bench   measure against named rivals (bench/)"
	@echo "make holdout FOLDER=…  the agent on a folder of C and SIP files: what it decides, and its CPU seconds (SECONDS=20 each)"
	@echo "make planted the same on 300 random loops with planted invariants, half of them made wrong"
	@echo "make soak    the tests' random searches at length, then attack the engine with a million queries (resumable)"
	@echo "make mutants break the engine on purpose: each time a test must fail"
	@echo "make spec    write the derived parts of spec/, docs/errors.md and client/src/wire.ts"
	@echo "make lock    pin the dependencies again"
	@echo "make clean   remove what make made"

setup: $(READY) $(PAGE)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "IDG needs Python 3.11 or newer; set PYTHON=…")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $(READY)

# The browser client, built into the Python package. Not in git. hatch_build.py does the same for a wheel or an sdist.
$(PAGE): $(CLIENT)
	@command -v node >/dev/null || { echo "The browser client needs Node 20 or newer to be built; idg play --terminal does without."; exit 1; }
	node client/ensure.mjs
	cd client && npm run --silent build

play: setup
	@$(BIN)/idg play

# Two processes more than two cores: tests with servers and browsers wait now and then, and others compute meanwhile. On a machine
# with more cores, or to try what is quickest, say how many: make test PROCESSES=6. A process gets
# whole modules, in the order of tests/conftest.py: the tests of a module share servers, browsers, and what was computed once.
PROCESSES := 4
test: lint
	@$(BIN)/python -m tools.ensure_chromium
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder --durations=20

# The verifiers that idg export writes for. They are large, so make test does without. Elsewhere than on Debian, install them by hand.
VERIFIERS := dafny boogie why3 z3 cvc4 cvc5 acl2 acl2-books acl2-books-certs frama-c-base
test-exports: setup
	@command -v apt-get >/dev/null && { dpkg -s $(VERIFIERS) >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y --no-install-recommends $(VERIFIERS); }; } || true
	IDG_TEST_EXPORTS=1 $(BIN)/python -m pytest -n 2 tests/export

# Pictures of every screen, light and dark, wide and phone: look at them.
screenshots: setup
	@$(BIN)/python -m tools.ensure_chromium
	$(BIN)/python -m tools.pictures.screenshots $(or $(FOLDER),screenshots)

# The extension for VS Code: checked, bundled and packed by Microsoft's own tool. It starts `idg lsp`, which is not inside.
vscode: $(READY)
	cp LICENSE $(EXTENSION)/LICENSE
	cd $(EXTENSION) && npm ci --silent --no-audit --no-fund
	cd $(EXTENSION) && npm run --silent package -- --no-update-package-json --out idg-sip.vsix \
		$$($(CURDIR)/$(BIN)/python -c 'import idg; print(idg.__version__)')
	@echo "Install it with: code --install-extension $(EXTENSION)/idg-sip.vsix"

# Both languages at the same time: each of these tools uses one core.
lint: setup
	@$(MAKE) --no-print-directory --jobs=2 lint-python lint-client

lint-python: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy src/idg tests bench tools hatch_build.py

lint-client: setup
	npm --prefix client run --silent format:check
	npm --prefix client run --silent check

# One formatter for Python, one for the client.
format: setup
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .
	npm --prefix client run --silent format

# The documentation site, as files that need no network. The variable silences a notice
# that the theme is maintained until May 2027 and has a successor, Zensical, which reads the same mkdocs.yml.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html"

docs-serve: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --strict --dev-addr 127.0.0.1:$(or $(PORT),7500)

bench: setup
	$(BIN)/python -m bench

# The agent on programs that must not be in the repository.
holdout: setup
	@test -n "$(FOLDER)" || { echo "Say which programs: make holdout FOLDER=programs SECONDS=20"; exit 2; }
	$(BIN)/python -m bench.holdout "$(FOLDER)" --seconds $(or $(SECONDS),20) $(if $(JSON),--json "$(JSON)")

# The agent on a suite of its own: random loops around planted invariants, half of them made wrong.
planted: setup
	$(BIN)/python -m bench.planted --seconds $(or $(SECONDS),20) $(if $(JSON),--json "$(JSON)")

# The random searches of the tests, several times as long; then a million random queries, attacked from all sides, which goes on
# where it was ended. Say SOAK="--seed 5 --queries 10000" for others.
soak: setup
	IDG_LONG_TESTS=1 $(BIN)/python -m pytest -n 2 $(SEARCHES)
	$(BIN)/python -m tools.soak $(SOAK)

# Breaks rules on purpose, in copies of the tree: each time a test must fail.
mutants: setup
	$(BIN)/python -m tools.mutants $(MUTANTS)

# Writes what spec/, docs/errors.md and client/src/wire.ts derive from the sources again; a test fails while they differ.
spec: setup
	$(BIN)/python -m tools.derived.spec

# Pins the dependencies again. The lock names no host.
lock: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --extra dev pyproject.toml -o requirements.lock

# The lowest versions that pyproject.toml allows, in an environment of their own. It takes several minutes and much of the network.
lowest: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python -m tools.lowest

clean:
	rm -rf $(VENV) site .pytest_cache .mypy_cache .ruff_cache .hypothesis client/node_modules src/idg/coordinator/static
