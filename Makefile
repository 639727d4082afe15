# Two commands do all the set-up: `make run` and `make test`. What is there already is neither installed nor built again.
# Needs the Swift 6.3 toolchain; system packages come from apt.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run build check test test-builds verify bench cache-bench fuzz soak chaos writers chaos-pipeline cluster units format clean install deb packages packages-%

PREFIX = /usr/local
ARGS =
# install strips programs; packages have the debug symbols apart.
STRIP = -s
CACHE_ARGS =
TARGET = jpeg
SEED = 1
KILLS = 10000
RUNS = 10000
SEEDS = 100
FUZZ_SECONDS = 600
TONDO = .build/release/tondo
RENDER = .build/release/tondo-render
SYNC = .build/release/tondo-sync
BUS = .build/release/tondo-dbus
HEIF = .build/release/tondo-render-heif
INITIALS = .build/release/tondo-render-text
FACES = .build/release/face.model
UNICODE = .build/unicode
SHARE = $(DESTDIR)$(PREFIX)/share
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd
VENV = .build/bench-venv
BENCH_BUILD = swift build -c release --static-swift-stdlib --package-path Tests/Bench --scratch-path .build-bench --product

# bash counts SECONDS itself and hands it on, so only one given to make is taken.
ifneq ($(origin SECONDS),command line)
SECONDS = 60
SOAK_SECONDS = 3600
endif
SOAK_SECONDS ?= $(SECONDS)

help: ## this text
	@echo 'Tondo: contact photos in, round avatars out'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r command text; do \
		printf '%-22s%s\n' "$$command" "$$text"; done

run: build ## build Tondo and serve the avatars of assets/book on http://127.0.0.1:7380/, with a link to the page; ARGS='--listen :8080'
	@for ((i = 0; i < 100; i++)); do \
		if $(TONDO) open --print --socket .build/run.sock 2>/dev/null; then break; fi; sleep 0.1; done & \
	exec $(TONDO) serve assets/book assets/friends.json --config /dev/null --cache-dir .build/faces --socket .build/run.sock $(ARGS)

# The static standard library exports all symbols; the loader searches them at each start, which costs 2 ms.
RELEASE = swift build -c release --static-swift-stdlib -Xlinker --no-export-dynamic

# Without the face model, whose source comes from the network, Tondo works all the same.
build: packages-build ## build .build/release/tondo, and tondo-sync, tondo-dbus, tondo-render, -heif, -text and the face model beside it
	@assets/make_unicode_data $(UNICODE)
	@for program in tondo tondo-sync tondo-dbus; do $(RELEASE) --product $$program -Xlinker '@$(CURDIR)/$(UNICODE)/flags' || exit; done
	@for program in tondo-render tondo-render-heif tondo-render-text; do $(RELEASE) --product $$program || exit; done
	@assets/make_face_model $(FACES) || true

check: packages-test ## before a commit: every check of the sources, a debug build, the fast tests
	@Tests/Checks/run check

test: packages-test ## run the checks, and all tests on one build
	@Tests/Checks/run

test-builds: packages-test ## test the release build and its packages, clusters, codecs under sanitizers, each fuzzer for a moment
	@Tests/Checks/run builds

verify: packages-test ## for hours: all tests under two sanitizers, every fuzzer for FUZZ_SECONDS=600, packages and units as root
	@Tests/Checks/run verify $(FUZZ_SECONDS)
	@$(MAKE) --no-print-directory units

bench: packages-bench build $(VENV)/ready ## measure against libvips, Pillow, vobject, nginx, SQLite and others; ARGS='--quick'
	@$(VENV)/bin/python Tests/Bench/bench.py $(ARGS)
	@$(VENV)/bin/python Tests/Bench/formats.py $(filter --quick,$(ARGS))
	@$(BENCH_BUILD) DrawnFaces
	@$(VENV)/bin/python Tests/Bench/faces.py $(filter --quick,$(ARGS))
	@$(BENCH_BUILD) JobsBench
	@$(BENCH_BUILD) SharedBench
	@.build-bench/release/SharedBench $(filter --quick,$(ARGS))
	@$(VENV)/bin/python Tests/Bench/shared/peer.py $(filter --quick,$(ARGS))
	@$(VENV)/bin/python Tests/Cluster/cluster.py --contacts 0 --pinned $(if $(findstring --quick,$(ARGS)),--measured 300 --rounds 2,--measured 1000 --rounds 3)
	@$(VENV)/bin/python Tests/Bench/load/load.py $(filter --quick,$(ARGS))
	@$(VENV)/bin/python Tests/Bench/serve/serve.py $(filter --quick,$(ARGS))
	@$(VENV)/bin/python Tests/Bench/sync/sync.py $(if $(findstring --quick,$(ARGS)),--rounds 1,--memory 10000)
	@Tests/Viewer/run budgets $(if $(findstring --quick,$(ARGS)),--contacts 3000)
	@$(MAKE) --no-print-directory cache-bench

cache-bench: packages-build ## measure the cache alone; ARGS='--quick' CACHE_ARGS='--only hit,store'
	@$(BENCH_BUILD) CacheBench
	@.build-bench/release/CacheBench $(filter --quick,$(ARGS)) $(CACHE_ARGS)

$(VENV)/ready: Tests/Bench/requirements.txt
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

fuzz: packages-test ## fuzz a decoder; TARGET=decoders|jpeg|png|webp|gif|heif|initials|exif|worker|sandbox|faces|vcard|json|plist|csv|ldif SECONDS=60
	@Tests/Fuzz/run $(TARGET) $(SECONDS)

soak: build ## kill processes that share a cache, over and over, then use the service; SEED=1 KILLS=10000 SECONDS=3600
	@swift build -c release --product CacheCrasher
	@.build/release/CacheCrasher soak $(KILLS) $(SEED)
	@python3 Tests/Bench/serve/soak.py --seed $(SEED) --seconds $(SOAK_SECONDS)

chaos: build ## change books, kill, pause and fill disks under the service, from random seeds; SEEDS=100 or 1-1000, ARGS='--help'
	@python3 Tests/Chaos/chaos.py --tondo $(TONDO) --seeds $(SEEDS) $(ARGS)

writers: build ## vdirsyncer, khard and a script change an address book beside Tondo, from random seeds; SEEDS=100 or 1-1000, ARGS='--help'
	@Tests/Sync/environment
	@python3 Tests/Sync/writers.py --tondo $(TONDO) --seeds $(SEEDS) $(ARGS)

chaos-pipeline: packages-test ## load and serve books with one worker while every step fails at random; RUNS=10000 SEED=1
	@TONDO_CHAOS_SEEDS=$(RUNS) TONDO_CHAOS_FIRST=$(SEED) swift test --filter 'PipelineChaosTests|ServiceChaosTests'

cluster: packages-test build ## three services, two workers, nginx, two Redis on this machine, killed and disturbed; ARGS='--contacts 10000'
	@python3 Tests/Cluster/cluster.py --tondo $(TONDO) $(ARGS)

units: build ## run the installed units under a systemd of their own, in namespaces; as root
	@for faults in RenderFaults RenderFaultsHEIF RenderFaultsText; do \
		swift build -c release --static-swift-stdlib --product $$faults || exit 1; done
	@Tests/Units/under-systemd $(TONDO)

format: ## put every Swift file into the house format
	@swift format --in-place --recursive Package.swift Sources Tests

clean: ## remove what was built
	rm -rf .build .build-* avatars dist

install: ## install what `make build` built, units and all; nothing is enabled; DESTDIR= PREFIX=/usr/local
	@test -x $(TONDO) -a -x $(RENDER) -a -x $(HEIF) -a -x $(INITIALS) -a -x $(SYNC) -a -x $(BUS) || { echo 'Please run make build first.' >&2; exit 1; }
	install -D $(STRIP) -m 755 $(TONDO) $(DESTDIR)$(PREFIX)/bin/tondo
	install -D $(STRIP) -m 755 $(RENDER) $(DESTDIR)$(PREFIX)/bin/tondo-render
	install -D $(STRIP) -m 755 $(HEIF) $(DESTDIR)$(PREFIX)/bin/tondo-render-heif
	install -D $(STRIP) -m 755 $(INITIALS) $(DESTDIR)$(PREFIX)/bin/tondo-render-text
	install -D $(STRIP) -m 755 $(SYNC) $(DESTDIR)$(PREFIX)/bin/tondo-sync
	install -D $(STRIP) -m 755 $(BUS) $(DESTDIR)$(PREFIX)/bin/tondo-dbus
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(TONDO) --generate-completion-script bash > $(SHARE)/bash-completion/completions/tondo
	$(TONDO) --generate-completion-script zsh > $(SHARE)/zsh/site-functions/_tondo
	$(TONDO) --generate-completion-script fish > $(SHARE)/fish/vendor_completions.d/tondo.fish
	install -d $(SHARE)/man/man1
	install -m 644 $(wildcard assets/man/*.1) $(SHARE)/man/man1
	install -D -m 644 assets/man/tondo.toml.5 $(SHARE)/man/man5/tondo.toml.5
	install -D -m 644 assets/openapi.json $(SHARE)/tondo/openapi.json
	install -D -m 644 assets/tondo.thumbnailer $(SHARE)/thumbnailers/tondo.thumbnailer
	install -D -m 644 assets/org.tondo.Avatars1.xml $(SHARE)/dbus-1/interfaces/org.tondo.Avatars1.xml
	install -d $(SHARE)/dbus-1/services
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' systemd/dbus/org.tondo.Avatars1.service > $(SHARE)/dbus-1/services/org.tondo.Avatars1.service
	chmod 644 $(SHARE)/dbus-1/services/org.tondo.Avatars1.service
	if test -f $(FACES); then \
		install -D -m 644 $(FACES) $(SHARE)/tondo/face.model && \
		install -D -m 644 assets/face_model_copyright $(SHARE)/doc/tondo/face.model.copyright; fi
	install -D -m 644 assets/tondo.toml $(SHARE)/doc/tondo/examples/tondo.toml
	install -d $(UNITS)/system $(UNITS)/user
	for unit in systemd/*.* ; do case $$unit in *.service | *.socket | *.timer) \
		sed 's|/usr/local/bin/|$(PREFIX)/bin/|' $$unit > $(UNITS)/system/$${unit##*/}; esac; done
	for unit in systemd/user/*.*; do sed 's|/usr/local/bin/|$(PREFIX)/bin/|' $$unit > $(UNITS)/user/$${unit##*/}; done
	chmod 644 $(UNITS)/*/tondo*

deb: packages-deb build ## build the Debian packages tondo, -sync, -dbus, -heif, -text and -doc into dist/; their installation enables nothing
	@assets/packages/build dist

packages: packages-release build ## make a release in dist/: packages, images, sums, list of libraries; signed by minisign's key TONDO_SIGNING_KEY=
	@assets/packages/release dist

packages-%:
	@Tests/Checks/toolchain
	@Tests/Checks/system-packages $*
