# Every command sets up what it needs in .cache/ first. The only prerequisite is Python 3.11 or newer.

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell \
	$(name) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $(name))))
DEV = $(if $(PYTHON),$(PYTHON) -B -m dev,$(error No Python 3.11 or newer with its venv module was found. \
	Install it (on Debian: python3 and python3-venv), or name one: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)))

export MODEL PORT ARGS PACKS COMFYUI

.DEFAULT_GOAL := help
.PHONY: help run demo setup check test nightly reliability reliability-nightly test-host test-local-model test-templates test-packs test-postgresql test-reloads test-versions bench \
	contract build model-table record-nodes format screenshots tool-cards clean

help: ## list the commands
	@echo "make <command>"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## open a real ComfyUI with the assistant in it (PORT=8188, MODEL=1.5b|small|none, COMFYUI=<folder or git>|newest, ARGS for ComfyUI)
	@$(DEV) run

demo: ## the same with a scripted model: try the panel without a real one
	@$(DEV) demo

setup: ## install everything that the commands below need, now
	@$(DEV) setup

check: ## format, lint, types, unit tests, contract and architecture: about two minutes
	@$(DEV) check

test: ## check, slow unit tests, build, the oldest and the newest Python, ComfyUI with a browser: about 12 minutes on two cores
	@$(DEV) test

test-reloads: ## the page loaded anew at 50 random moments of a turn, on both frontends: about 15 minutes (ARGS="--seed=3")
	@$(DEV) test-reloads $(ARGS)

test-versions: ## the main flows on the frontends of each minor series (ARGS="1.40.10 1.41.21"): about a minute each
	@$(DEV) test-versions $(ARGS)

nightly: ## the tests that `make test` leaves out, and the invariants of the context engine with over 100,000 planned requests (ARGS for pytest)
	@$(DEV) nightly $(ARGS)

reliability: ## kills, damage, cut streams, load and wrong requests, in about three minutes; writes docs/reliability.md (ARGS="fuzz")
	@$(DEV) reliability $(ARGS)

reliability-nightly: ## the same with the large numbers, about two hours
	@$(DEV) reliability-nightly $(ARGS)

test-host: ## only the tests in ComfyUI and a browser (ARGS="-k image --frontend=1.32.9", COMFYUI=newest)
	@$(DEV) test-host $(ARGS)

test-local-model: ## the 1.1 GB demonstration model in the browser: it must add a node
	@$(DEV) test-local-model $(ARGS)

test-templates: ## every official template through the compact form, on both frontends: about 10 minutes (COMFYUI=newest)
	@$(DEV) test-templates $(ARGS)

test-packs: ## the example workflows of real node packs, in a ComfyUI with them (PACKS=<folder>, ARGS="-k rgthree")
	@$(DEV) test-packs $(ARGS)

test-postgresql: ## the store on a real PostgreSQL, where its server is installed
	@$(DEV) test-postgresql $(ARGS)

bench: ## measure, and write docs/benchmarks.md
	@$(DEV) bench $(ARGS)

contract: ## write contract/ from the tools and the encoder
	@$(DEV) contract

build: ## build the panel into js/
	@$(DEV) build

model-table: ## write what is known of models from the newest litellm
	@$(DEV) model-table

record-nodes: ## write the node types that tests and measurements stand on from a running ComfyUI (COMFYUI=newest)
	@$(DEV) record-nodes

format: ## format and mend what linters can mend
	@$(DEV) format

screenshots: ## take the README's screenshots from the running product
	@$(DEV) screenshots

tool-cards: ## take pictures of every tool's card, light and dark, to look at
	@$(DEV) tool-cards

clean: ## remove what set-up installed; your own threads in .cache/run stay
	@$(DEV) clean
