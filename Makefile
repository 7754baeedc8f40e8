# Every target sets itself up; `make setup` makes .venv in the checkout and does only that.
PYTHON ?= python3
OPENCV ?= opencv-python-headless>=4.10,<6
GAME ?= tanis
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
# As in the program itself: small matrices are quicker on one thread.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: setup demo test bench bench-photos bench-rendered rules nights screens wiring train lint clean test-container test-machine
.DEFAULT_GOAL := help

help: ## show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: $(VENV)/ready ## make .venv with everything the other targets need

$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Thoth needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[desk,print,dev]' '$(OPENCV)'
	@touch $@

demo: setup ## watch a whole night of GAME=tanis on the simulated table
	@$(BIN)/thoth demo --game $(GAME) --seed $(SEED)

test: setup ## run every test (TESTS=tests/engines: some of them)
	@$(BIN)/python -m pytest -n 2 $(TESTS)

test-container: setup ## install, boot, play, update and take away Thoth in a Debian 13 container (root; BARE=1: from nothing)
	@$(BIN)/python -m tests.machine $(if $(BARE),--bare)

test-machine: setup ## play, pull plugs and cut power on an emulated machine with pins, bus and camera (root, qemu)
	@$(BIN)/python -m tests.machine.vm

bench: setup ## measure speed and memory, write build/bench.json
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@$(BIN)/python -m tests.bench

bench-photos: setup ## read every set of real photos in DIR=..., rows in build/photos (LEAVE=suggested or LEAVE=each: faces left out)
	@$(BIN)/python -m tests.photos $(DIR) $(if $(LEAVE),--leave-out $(LEAVE))

bench-rendered: setup ## read the rendered suite (SET=hard COUNT=200), rows in build/rendered; resumes
	@$(BIN)/python -m tests.rendered --processes 2 $(if $(SET),--set $(SET)) $(if $(COUNT),--count $(COUNT))

rules: setup ## list every rule with the tests that name it
	@$(BIN)/python -m tests.rules

nights: setup ## play SEEDS=1-100 simulated nights, one row per night in build/nights.csv; resumes
	@$(BIN)/python -m tests.nights $(if $(SEEDS),--seeds $(SEEDS)) $(if $(MISTAKES),--mistakes $(MISTAKES))

screens: setup ## draw every screen into build/screens
	@$(BIN)/thoth screens --out build/screens

wiring: setup ## draw the wires of the settings into docs/wiring.svg
	@$(BIN)/thoth wiring --signals --svg --out docs/wiring.svg

train: setup ## make the weights of vision/network anew (about 4 hours); resumes
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@$(BIN)/python -m vision.network.training search
	@$(BIN)/python -m vision.network.training pair
	@$(BIN)/python -m vision.network.training covered
	@$(BIN)/python -m tests.rendered.learn

lint: setup ## ruff, mypy --strict and the import contract
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports --no-cache

clean: ## remove .venv and build
	rm -rf $(VENV) build
