# What can be done here. `make help` lists it; the work is in Scripts/.
#
# SWIFT       the toolchain's driver           (make test SWIFT=/opt/swift-6.3/usr/bin/swift)
# SCRATCH     a folder for everything built    (make test SCRATCH=/var/tmp/ostiary; default: .build beside each manifest)
# DEBUG_INFO  dwarf for use with a debugger    (make test-sdk DEBUG_INFO=dwarf FILTER=…; default: none, which builds faster)

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps demo test test-sdk test-server storms attack mutations lint docs docs-check bench bench-server bench-rotations bench-database tsan loaded chaos chaos-cluster fuzz interop deb image packages release clean

export SWIFT SCRATCH DEBUG_INFO ATTACKS SELF_TEST RELEASE_DATE SERVERS INTEROP_PYTHON INTEROP_TABLE INTEROP_VERBOSE ROUNDS BURNERS

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

deps: ## check for what the tests need besides Swift; install Debian packages that are missing
	@Scripts/deps.sh

demo: ## build the server and watch a session live: sign in, renew, fail, recover, sign out
	@Scripts/deps.sh demo
	@Scripts/demo.sh $(ARGS)

test: deps ## run every test of both packages, once, in a debug build
	@Scripts/test.sh

test-sdk: deps ## run the SDK's tests only (FILTER=… for some of them)
	@Scripts/test.sh sdk $(FILTER)

test-server: deps ## run the server's tests only (FILTER=… for some of them)
	@Scripts/test.sh server $(FILTER)

storms: deps ## run the SDK's long random tests at full size (SEED=… as a run of the tests has printed it)
	@Scripts/storms.sh $(SEED)

attack: ## attack a real server at full size: nothing lost, no one let in, process alive (COMMAND=… SELF_TEST=1 ATTACKS="kill disk")
	@Scripts/deps.sh attack
	@Scripts/attack.sh $(COMMAND)

mutations: ## switch off each guard of both packages and show the test that notices (ROWS="A06 C05", ROWS="--together C05-in C07-bound")
	@Scripts/mutations.sh $(ROWS)

lint: ## check formatting and the house rules
	@Scripts/lint.sh

deb: ## make the Debian package of the command and server in .build-packages (COMMAND=… for a release build that is there)
	@Scripts/deps.sh deb
	@Scripts/deb.sh $(COMMAND)

image: ## make an OCI image of that package, without Docker and without root (PACKAGE=… for one that is there)
	@Scripts/deps.sh deb
	@Scripts/image.sh $(PACKAGE)

packages: ## make both and try them: install, run, upgrade and purge the package; run the image read-only. Before a release; as root
	@Scripts/deps.sh packages
	@Scripts/packages.sh $(COMMAND)

release: ## write the changelog, the version and the manifest lines, commit, tag and pack (VERSION=0.2.0, DRY_RUN=1 shows it)
	@Scripts/release.sh "$(VERSION)" $(if $(DRY_RUN),--dry-run)

docs: ## build the documentation of every module as a static site
	@Scripts/docs.sh build

docs-check: ## check links, shown examples, comments and the documentation build
	@Scripts/docs.sh check

bench: ## measure the core against the raw ways in the same run
	@Scripts/deps.sh bench
	@Scripts/bench-sdk.sh

bench-server: ## measure the server: start, memory, logins a second, latency under a flood, known names beside unknown
	@Scripts/deps.sh bench-server
	@Scripts/bench-server.sh $(COMMAND)

bench-rotations: ## rotate a million refresh tokens and watch the server's tables (ROTATIONS=1000000; a quarter of an hour)
	@Scripts/deps.sh bench-server
	@ROTATIONS=$${ROTATIONS:-1000000} Scripts/bench-server.sh $(COMMAND)

bench-database: ## nodes on PostgreSQL beside pgbench, then a million tokens moved; a table at the end (TOKENS=1000000, COMMAND=…, BEFORE=…)
	@Scripts/deps.sh bench-database
	@TOKENS=$${TOKENS:-1000000} Scripts/bench-server.sh $(COMMAND)

tsan: deps ## run the tests under ThreadSanitizer, in a build of their own
	@Scripts/tsan.sh $(FILTER)

loaded: deps ## run tests while other processes take every core and the disk (TESTS="pass server servers" or "server SomeTests", ROUNDS=3)
	@Scripts/loaded.sh $(TESTS)

chaos: deps ## run the tests with jobs and events delayed at random (ROUNDS=3)
	@Scripts/chaos.sh $(ROUNDS)

chaos-cluster: ## three servers on one PostgreSQL with 200 clients, under faults (CHAOS_SECONDS=1800 a scenario, SEED=…, OLD_BINARY=…)
	@Scripts/deps.sh cluster
	@Scripts/chaos-cluster.sh "$(CHAOS_SECONDS)" "$(SEED)" "$(OLD_BINARY)"

fuzz: deps ## fuzz every parser (FUZZ_SECONDS=3600 in all)
	@Scripts/fuzz.sh $(FUZZ_SECONDS)

interop: ## `ostiary` against servers that others wrote: Apache, Tomcat, Django, Glewlwyd, LemonLDAP::NG, … (COMMAND=… SERVERS="apache tomcat")
	@Scripts/deps.sh interop
	@Scripts/interop.sh $(COMMAND)

clean: ## remove everything that was built
	rm -rf .build .build-* Server/.build Server/.build-* Benchmarks/.build Benchmarks/.build-*
