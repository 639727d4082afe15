# Two commands do all the set-up: `make run` and `make test`. What is there already is neither installed nor built again.
# Needs the Swift 6.3 toolchain; system packages come from apt.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run build test bench fuzz soak format clean install packages-%

PREFIX = /usr/local
ARGS =
CACHE_ARGS =
TARGET = jpeg
SEED = 1
KILLS = 10000
TONDO = .build/release/tondo
SHARE = $(DESTDIR)$(PREFIX)/share
VENV = .build/bench-venv

# bash counts SECONDS itself and hands it on, so only one given to make is taken.
ifneq ($(origin SECONDS),command line)
SECONDS = 60
endif

help: ## this text
	@echo 'Tondo: contact photos in, round avatars out'
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r command text; do \
		printf '%-16s%s\n' "$$command" "$$text"; done

run: build ## build Tondo and draw the faces of assets/samples into avatars/
	@$(TONDO) convert assets/samples --output avatars \
		--size 128 --scale 2 --state normal,selected --ring-color '#0A84FF'
	@echo 'The faces are in avatars/. Yours: $(TONDO) convert PHOTOS --output FOLDER'

build: packages-build ## build .build/release/tondo
	@swift build -c release --static-swift-stdlib --product tondo

test: packages-test ## run every check and test
	@Tests/Checks/run

bench: packages-bench build $(VENV)/ready ## measure against libvips, Pillow, vobject, SQLite and others; ARGS='--quick'
	@$(VENV)/bin/python Tests/Bench/bench.py $(ARGS)
	@swift build -c release --static-swift-stdlib --product JobsBench
	@$(VENV)/bin/python Tests/Bench/load/load.py $(filter --quick,$(ARGS))
	@swift build -c release --static-swift-stdlib --product CacheBench
	@.build/release/CacheBench $(filter --quick,$(ARGS)) $(CACHE_ARGS)

$(VENV)/ready: Tests/Bench/requirements.txt
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

fuzz: packages-test ## fuzz a decoder; TARGET=jpeg|png|exif|vcard|json|plist|csv|ldif SECONDS=60
	@Tests/Fuzz/run $(TARGET) $(SECONDS)

soak: packages-build ## kill processes that share a cache, over and over; SEED=1 KILLS=10000
	@swift build -c release --product CacheCrasher
	@.build/release/CacheCrasher soak $(KILLS) $(SEED)

format: ## put every Swift file into the house format
	@swift format --in-place --recursive Package.swift Sources Tests

clean: ## remove what was built
	rm -rf .build .build-asan .build-fuzz avatars

install: ## install what `make build` built, with completions; DESTDIR= PREFIX=/usr/local
	@test -x $(TONDO) || { echo 'Please run make build first.' >&2; exit 1; }
	install -D -s -m 755 $(TONDO) $(DESTDIR)$(PREFIX)/bin/tondo
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(TONDO) --generate-completion-script bash > $(SHARE)/bash-completion/completions/tondo
	$(TONDO) --generate-completion-script zsh > $(SHARE)/zsh/site-functions/_tondo
	$(TONDO) --generate-completion-script fish > $(SHARE)/fish/vendor_completions.d/tondo.fish

packages-%:
	@Tests/Checks/toolchain
	@Tests/Checks/system-packages $*
