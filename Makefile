# Everything installs itself into .venv; only Python 3.11 or newer and make are needed.
PYTHON ?= python3
BIN = .venv/bin
YARDSTICK ?=

.PHONY: report test lint bench ladder clean

report: .venv/installed
	@for game in $$($(BIN)/komi list games | cut -d ' ' -f 1); do $(BIN)/komi run $$game --force || exit 1; done

test: .venv/installed
	@echo "without JIT, beside the same with JIT; its output comes at the end"
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -p no:cacheprovider > .venv/plain.log 2>&1 & plain=$$!; \
	$(BIN)/python -m pytest; compiled=$$?; wait $$plain; status=$$?; cat .venv/plain.log; exit $$((compiled | status))

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
