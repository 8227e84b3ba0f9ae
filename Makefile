# Two commands for a fresh machine with Python 3.11+: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := demo
SITE := build/docs
PAPER := build/paper

CASES := 10000
MINUTES := 10
QUICK_CASES := 120
SEED := $(shell date +%s)
KERNEL_TESTS := $(wildcard tests/*/kernels tests/*/*/kernels) tests/recommendation/ranking \
  tests/base/test_ids.py tests/base/test_integer_ids.py tests/base/test_text_ids.py tests/collection/text/test_parsing.py \
  tests/recommendation/recommenders/test_hitting_time.py tests/recommendation/recommenders/test_relevance_models.py \
  tests/recommendation/runs/test_lists.py tests/scoring/measurement/test_weighted_scores.py \
  tests/significance/test_pigeonhole.py tests/validity/meta/test_averages.py tests/validity/meta/test_thinned_systems.py

MEASURED := $(CURDIR)/build/coverage
MEASURE := BIN=$(BIN) .ci/measure
MUTANTS := 400

# Compiled tests are kept beside them: two processes need not compile all of them each time.
unexport PYTHONDONTWRITEBYTECODE

PARITY := --quick

.PHONY: demo test test-long test-slow fuzz fuzz-quick uncompiled coverage mutation matrix wheel parity browser \
  lint docs reference dist paper clean

demo: $(VENV)/installed
	@echo "── running examples/demo.toml: six systems, 480 ways to measure them"
	@$(BIN)/cranfield run examples/demo.toml --store $(DEMO)/store --out $(DEMO)

test: $(VENV)/installed-tests
	@echo "── running the fast test suite on $$($(BIN)/python -c 'import os; print(len(os.sched_getaffinity(0)))') processors"
	@$(BIN)/python -m pytest -q -n auto

test-long: $(VENV)/installed-tests
	@echo "── running the tests that take most of a second or more: whole studies, processes, browsers"
	@$(BIN)/python -m pytest -q -n auto -m "long and not slow"

test-slow: $(VENV)/installed-tests
	@echo "── running the slow tests, and the fast ones on all their cases"
	@CRANFIELD_CASES=all $(BIN)/python -m pytest -q -n auto -m "slow or not slow"

fuzz: $(VENV)/installed-tests
	@echo "── $(CASES) fresh cases of each reader (make fuzz CASES=…), then what once failed"
	@echo "   make fuzz SEED=$(SEED) tries the same ones again"
	@CRANFIELD_FUZZ=$(CASES) $(BIN)/python -m pytest -q -n auto --hypothesis-seed=$(SEED) tests/fuzz
	@echo "── $(CASES) cases of each reader or $(MINUTES) minutes, guided by coverage"
	@$(BIN)/python tests/fuzz/guided.py --cases $(CASES) --minutes $(MINUTES)

fuzz-quick: $(VENV)/installed-tests
	@echo "── $(QUICK_CASES) fresh cases of each reader; make fuzz-quick SEED=$(SEED) tries the same ones again"
	@CRANFIELD_FUZZ=$(QUICK_CASES) $(BIN)/python -m pytest -q -n auto --hypothesis-seed=$(SEED) tests/fuzz

uncompiled: $(VENV)/installed-tests
	@echo "── kernels as plain Python, which coverage can look into"
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto $(KERNEL_TESTS)

coverage: $(VENV)/installed-tests
	@echo "── the fast suite, and tests of kernels as plain Python: which lines and branches they run"
	@rm -rf $(MEASURED) && mkdir -p $(MEASURED)
	@CRANFIELD_TEST_TIMES=$(MEASURED)/times-compiled.jsonl $(MEASURE) compiled
	@NUMBA_DISABLE_JIT=1 CRANFIELD_TEST_TIMES=$(MEASURED)/times-plain.jsonl $(MEASURE) plain $(KERNEL_TESTS)
	@$(BIN)/coverage combine -q --keep --data-file=$(MEASURED)/all $(MEASURED)/compiled $(MEASURED)/plain
	@$(BIN)/python .ci/coverage $(MEASURED)/all

mutation: $(VENV)/installed-tests
	@test -e $(MEASURED)/all || $(MAKE) coverage
	@echo "── small changes of the source that tests should notice (make mutation MUTANTS=…)"
	@PYTHONPATH=tests $(BIN)/python -m mutation.run --mutants $(MUTANTS)

matrix: $(VENV)/installed-tests
	@echo "── the wheel with every Python here, with the oldest and the newest libraries"
	@$(BIN)/python .ci/matrix

wheel: $(VENV)/installed-tests
	@echo "── the wheel in an environment that nobody may write, alone"
	@$(BIN)/python .ci/matrix --read-only

parity: $(VENV)/installed-tests
	@echo "── the tools of the field, each in its environment (all of them: make parity PARITY=)"
	@$(BIN)/python .ci/parity $(PARITY)

browser:
	@.ci/chromium

lint: $(VENV)/installed-tests
	@echo "── style, types, import contracts"
	@$(BIN)/ruff check && $(BIN)/ruff format --check && $(BIN)/mypy && $(BIN)/lint-imports

docs: $(VENV)/installed-docs
	@echo "── building the site and running its notebooks; a warning is an error"
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs $(SITE)
	@echo "site: $(SITE)/index.html"

$(BIN)/python:
	@echo "── making a virtual environment in $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit("Cranfield needs Python 3.11 or later; this is " + sys.version.split()[0] + ". Try make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml
	@echo "── installing Cranfield and what it needs"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-tests: $(BIN)/python pyproject.toml
	@echo "── installing Cranfield and what its tests need"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[test,check]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-docs: $(BIN)/python pyproject.toml
	@echo "── installing Cranfield and what its site needs"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/installed

reference: $(VENV)/installed-tests
	@$(BIN)/python docs/reference

dist: $(VENV)/installed-tests
	@echo "── building what a release publishes: the source and the wheel"
	@rm -rf dist
	@$(BIN)/python -m build -q
	@$(BIN)/python -m twine check --strict dist/*

paper: $(VENV)/installed-tests
	@echo "── building paper/paper.tex with the figures of the docs"
	@mkdir -p $(PAPER)
	@$(BIN)/python paper/figures.py $(PAPER)/figures.tex
	@cd $(PAPER) && for pass in 1 2; do TEXINPUTS=.: pdflatex -interaction=batchmode -halt-on-error \
	  $(CURDIR)/paper/paper.tex >/dev/null || { tail -n 20 paper.log; exit 1; }; done
	@echo "paper: $(PAPER)/paper.pdf"

clean:
	rm -rf $(VENV) $(DEMO) $(SITE) $(PAPER) docs/tutorials
