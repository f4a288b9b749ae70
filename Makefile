# Everything installs itself into .venv; only Python 3.11 or newer and make are needed.
PYTHON ?= python3
BIN = .venv/bin
YARDSTICK ?=
PYTEST = $(BIN)/python -m pytest -p no:cacheprovider

.PHONY: report test lint bench ladder clean

report: .venv/installed
	@for game in $$($(BIN)/komi list games | cut -d ' ' -f 1); do $(BIN)/komi run $$game --force || exit 1; done

# Two at once: reports; rules and strategies, compiled and then without JIT.
test: .venv/installed
	@echo "reports; the output of rules and strategies, with JIT and without, comes at the end"
	@($(PYTEST) tests/sim tests/strategies; compiled=$$?; NUMBA_DISABLE_JIT=1 $(PYTEST) tests/sim tests/strategies; \
	exit $$((compiled | $$?))) > .venv/rules.log 2>&1 & rules=$$!; \
	$(PYTEST) tests/reports tests/test_*.py; reports=$$?; wait $$rules; status=$$?; cat .venv/rules.log; \
	exit $$((reports | status))

lint: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed
	$(BIN)/python benchmarks/speed.py $(if $(YARDSTICK),--yardstick $(YARDSTICK))
	$(BIN)/python benchmarks/matchups.py

ladder: .venv/installed
	@for game in $$($(BIN)/komi list games | cut -d ' ' -f 1); do $(BIN)/komi ladder $$game --force || exit 1; done

clean:
	rm -rf .venv out dist

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "komi needs Python 3.11 or newer; make PYTHON=... names one")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@
