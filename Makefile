# Needs make and a Python from 3.11 on with pip and venv; the rest is installed into a virtual environment here.
# Another Python: make test PYTHON=python3.12, which has an environment of its own.

PYTHON ?= python3
VENV ?= $(if $(filter python3,$(PYTHON)),.venv,.venv-$(notdir $(PYTHON)))
PYTHONS ?= python3.11 python3.12 python3.13
DIST ?= dist
SECONDS ?= 30
FUZZ ?= 600
RELEASES ?= 1000000
VERSION ?= # of the release to be made
SCREENSHOTS ?= build/screenshots
# What Python compiles is kept, and not compiled again by each of the processes that tests start, whatever the shell says of it.
unexport PYTHONDONTWRITEBYTECODE
COQ := coq libcoq-stdlib libcoq-coquelicot ocaml-nox

BIN := $(VENV)/bin
LOCK ?= # requirements-dev.lock installs the versions of that day
# --no-compile: of what is installed a tenth is ever imported, and compiled then.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile $(addprefix --constraint ,$(LOCK)) --editable

MYPY = $(BIN)/mypy
PYRIGHT = $(BIN)/basedpyright --pythonpath $(BIN)/python
# Every test is found once, before the processes that run them look for them at the same time: so it is compiled once.
COLLECT = { $(BIN)/python -m pytest -n 0 --collect-only -qq >$(VENV)/collected || { cat $(VENV)/collected; exit 1; }; }
# Side by side, since each keeps one core busy; it fails where either does.
both = { $(2); } & other=$$!; $(1); one=$$?; wait $$other && exit $$one

.NOTPARALLEL: # the order is part of the meaning
.PHONY: help demo test quick static style layers types unit assurance fuzz claimed names generated walk browser-test \
  spark-test \
  test-all-pythons bench \
  proofs lock release wheel format clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.with-package ## install the package alone and run the demonstration
	$(BIN)/dpcore demo

test: style layers ## everything a change must pass, fastest first
	@$(call both,$(MYPY),$(PYRIGHT) && $(COLLECT))
	@$(MAKE) --no-print-directory unit

quick: style layers types ## in seconds: what changed since the last commit, and the laws on it
	$(BIN)/python -m tools.quick

static: style layers ## format, lint, layers, types
	@$(call both,$(MYPY),$(PYRIGHT))

style: $(VENV)/.with-test ## format and lint alone
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

layers: $(VENV)/.with-test ## which module imports which, alone
	$(BIN)/lint-imports

types: $(VENV)/.with-test ## the types alone, as mypy reads them
	$(MYPY)

unit: $(VENV)/.with-test ## the tests alone
	$(BIN)/python -m pytest -n auto --dist worksteal

browser-test: $(VENV)/.with-test ## the report in headless Chromium; needs `apt-get install -y chromium`
	SCREENSHOTS=$(SCREENSHOTS) $(BIN)/python -m pytest -n 0 tests/browser/report.py
	@echo "screenshots are in $(SCREENSHOTS)"

spark-test: $(VENV)/.with-spark ## tables of Spark, classic and Connect; needs `apt-get install -y default-jre-headless`
	$(BIN)/python -m pytest -n 0 tests/engines/frames/spark.py

test-all-pythons: ## the tests under every Python of PYTHONS that is found
	@set -e; ran=; for python in $(PYTHONS); do \
	  if $$python -c '' 2>/dev/null; then \
	    echo "== $$python"; $(MAKE) unit PYTHON=$$python VENV=.venv-$$(basename $$python); ran="$$ran $$python"; \
	  else echo "== $$python: not found, skipped"; fi; \
	done; \
	test -n "$$ran" || { echo "none of $(PYTHONS) was found"; exit 1; }; echo "== passed under:$$ran"

assurance: $(VENV)/.with-test ## the long audits: every measurement, RELEASES on each side; FUZZ seconds of fuzzing
	EXAMPLES=all $(BIN)/python -m pytest -n auto --dist worksteal -m "long or thorough" --durations=10 --releases=$(RELEASES)
	@[ $(FUZZ) = 0 ] || $(MAKE) --no-print-directory fuzz SECONDS=$(FUZZ)

fuzz: $(VENV)/.with-fuzz ## the checker under coverage-guided fuzzing for SECONDS, against dpcheck where make proofs has built it
	$(BIN)/python -m tests.fuzz.certificates -max_total_time=$(SECONDS)

claimed: $(VENV)/.with-test ## write docs/claimed_and_true.md anew
	$(BIN)/python -m pytest -q -o python_files=claimed_and_true.py -o python_functions=write tests/laws

names: $(VENV)/.with-test ## write docs/names.md anew: every public name in its group
	$(BIN)/python tools/names.py

generated: $(VENV)/.with-test ## write anew all that is made from the rules: statements.txt, RULES.md, the schemas, claimed, names
	$(MAKE) -C proofs/coq statements.txt
	$(BIN)/python proofs/render_rules.py
	$(BIN)/python -m dpcore.certificates.schema
	$(MAKE) claimed names

walk: $(VENV)/.with-test ## write docs/walk.md anew: how many files a reader of one release goes through
	$(BIN)/python benchmarks/walk.py

bench: $(VENV)/.with-bench ## the benchmarks, side by side with other libraries
	$(BIN)/python benchmarks/algebra.py
	$(BIN)/python benchmarks/noise.py
	$(BIN)/python benchmarks/data.py
	$(BIN)/python benchmarks/certificates.py
	$(BIN)/python benchmarks/ledgers.py
	$(BIN)/python benchmarks/interaction.py

proofs: $(VENV)/.with-test ## the theory and the checker in Coq: compiled, checked again by coqchk, compared with the Python checker
	@command -v coqc >/dev/null && [ -d "$$(coqc -where)/user-contrib/Coquelicot" ] || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq $(COQ) >/dev/null; } || \
	  { echo "Coq is missing: apt-get install $(COQ)"; exit 3; }
	$(MAKE) -C proofs/coq check
	$(MAKE) -C proofs/coq -f Makefile.checker check PYTHON=$(abspath $(BIN))/python
	$(BIN)/python -m pytest -n 0 -m 'long or not long' tests/commands/test_kernel.py tests/proofs/test_gate.py \
	  tests/certificates/test_same_words.py tests/certificates/test_agreement.py tests/certificates/test_doubling.py \
	  tests/fuzz/test_corpus.py tests/commands/test_commands.py

lock: $(VENV)/.with-test ## write requirements-dev.lock anew: the versions of all that is installed for development
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --dry-run --ignore-installed --report $(VENV)/report.json \
	  --editable '.[test,fuzz]'
	$(BIN)/python -m tools.lock < $(VENV)/report.json > requirements-dev.lock

release: $(VENV)/.with-test ## VERSION=1.2.3: changelog, tag, wheel, sdist, digests, provenance; nothing is uploaded
	$(BIN)/python -m tools.release $(VERSION)

wheel: $(VENV)/.with-test ## build the wheel into DIST
	$(BIN)/python -m build --wheel --outdir $(DIST)

format: $(VENV)/.with-test ## format the code and apply the safe fixes
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## remove everything that was built or installed here
	rm -rf .venv .venv-* build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# A stamp says what the environment holds: nothing is installed twice until pyproject.toml changes.
$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.with-package: pyproject.toml | $(VENV)/.created
	$(INSTALL) '.[tables]'
	touch $@

$(VENV)/.with-test: pyproject.toml | $(VENV)/.created
	$(INSTALL) '.[test]'
	touch $(VENV)/.with-package $@

$(VENV)/.with-spark: pyproject.toml | $(VENV)/.created
	$(INSTALL) '.[test,spark-test]'
	touch $(VENV)/.with-package $(VENV)/.with-test $@

$(VENV)/.with-fuzz: pyproject.toml | $(VENV)/.created
	$(INSTALL) '.[test,fuzz]'
	touch $(VENV)/.with-package $(VENV)/.with-test $@

$(VENV)/.with-bench: pyproject.toml | $(VENV)/.created
	$(INSTALL) '.[bench]'
	touch $(VENV)/.with-package $@
