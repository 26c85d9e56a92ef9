# Every target that needs system packages installs the missing ones first (apt-get, with sudo if not root).

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
CORPUS ?= ../shared/corpus
FUZZ_SECONDS ?= 60
REQUEST_SECONDS ?= 600
# A regular expression; tests whose suite or name does not match it are left out.
FILTER =
TEST_FILTER = $(if $(FILTER),--filter '$(FILTER)')

DEBUG = .build/debug
# The tests run commands thousands of times, so that they are optimised even with all their checks.
DEBUG_FLAGS = -Xswiftc -O
# The build of the libraries with what Apple's SDKs have.
DEVICE = .build-device
DEVICE_FLAGS = --traits SystemLibraries --scratch-path $(DEVICE) $(DEBUG_FLAGS)
RELEASE = .build/release
DIST = .build/dist
LIBRARIES = .build-dist/libraries
LINKED = .build-dist/linked
# No folder of this machine stays in the program, and no digest of a compiled module of a C library, which depends on the
# times of its headers.
RELEASE_FLAGS = --static-swift-stdlib -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
ifeq ($(shell uname), Linux)
# Nothing is looked for beside the program, and nothing that the loader resolves stays writable.
RELEASE_FLAGS += --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --build-id=sha1
endif
# What runs inside the sanitized process; the end-to-end tests start others.
SANITIZE_FILTER ?= SupportTests|StrictJSONTests|SafeFilesTests|ZipArchiveTests|PropertyListTests|ContentPackageTests|IAPKGCommandsTests|HostileTests
# On Linux ThreadSanitizer takes for a race whatever two threads do under a Mutex of the standard library, whose own
# code is not instrumented: ten lines with one Mutex show it. These tests work on several threads.
MUTEX_TESTS = LibraryTests|FileTreeTests|WorkerPoolTests

.PHONY: dist dist-here dist-twice release-check try-action server-programs build release tests test check documents fmt bench install uninstall clean deb package demo example corpus fuzz sanitize torture page server test-server demo-server example-app device-tests test-device server-tests fuzz-server deb-server package-server bench-server torture-server hostile-requests

build:
	@Scripts/setup build
	$(SWIFT) build --product iapkg $(DEBUG_FLAGS)

release:
	@Scripts/setup build
	$(SWIFT) build -c release --product iapkg $(RELEASE_FLAGS)

# The program and all tests.
tests:
	@Scripts/setup test
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)

test: tests
	TMPDIR=$$(Scripts/test-folder) $(SWIFT) test --skip-build $(DEBUG_FLAGS) $(TEST_FILTER)

# What an app has, with the trait SystemLibraries. WITHIN is a command that runs the compiler.
device-tests:
	@Scripts/setup test
	IAPKG_DEVICE=1 $(WITHIN) $(SWIFT) build --build-tests $(DEVICE_FLAGS)

# What an app has, with the trait SystemLibraries: the tests of the libraries, and one folder between both builds.
test-device: build device-tests
	TMPDIR=$$(Scripts/test-folder) IAPKG_DEVICE=1 $(SWIFT) test --skip-build $(DEVICE_FLAGS) $(TEST_FILTER)
	Scripts/test-device $(DEBUG) $(DEVICE)/debug

# Runs each command as a process in its sandbox; takes some minutes.
test-sandbox:
	@Scripts/setup test
	$(SWIFT) build --product iapkg $(DEBUG_FLAGS)
	IAPKG_TEST_PROCESSES=1 TMPDIR=$$(Scripts/test-folder) $(SWIFT) test $(DEBUG_FLAGS) --filter EndToEndTests

# The server, a program of its own beside iapkg.
server: release
	@Scripts/setup server
	IAPKG_SERVER=1 $(SWIFT) build -c release --product iapkg-server $(RELEASE_FLAGS)

# Both programs for debugging, for all that tries the server.
server-programs:
	@Scripts/setup test
	@Scripts/setup server
	IAPKG_SERVER=1 $(SWIFT) build --product iapkg $(DEBUG_FLAGS)
	IAPKG_SERVER=1 $(SWIFT) build --product iapkg-server $(DEBUG_FLAGS)

# The programs, and the tests of the server.
server-tests: server-programs
	IAPKG_SERVER=1 $(SWIFT) build --build-tests $(DEBUG_FLAGS)

test-server: server-tests
	TMPDIR=$$(Scripts/test-folder) IAPKG_SERVER=1 $(SWIFT) test --skip-build $(DEBUG_FLAGS) $(TEST_FILTER)

# Kills of the server and of its database under load, and two servers on one database; takes some minutes.
torture-server: server-programs
	@Scripts/torture-server $(DEBUG)

# Invents requests by the server's own description, good and bad ones, for REQUEST_SECONDS.
hostile-requests: server-programs
	@Scripts/setup requests
	@Scripts/hostile-requests $(DEBUG) $(REQUEST_SECONDS)

# Loads the server with wrk, beside nginx for content.
bench-server: server
	@Scripts/setup test
	@Scripts/setup server
	@Scripts/bench-server $(RELEASE)

# From a publication to a refund, with the server between an app and its content.
demo-server: server-programs
	@Scripts/demo-server $(DEBUG)

# A package of its own that is the app's side of the server, against the running server.
example-app: server-programs
	SWIFT=$(SWIFT) Scripts/example-app $(DEBUG)

# The form of the sources, and what the documents say of the program.
check:
	@Scripts/setup test
	$(SWIFT) build --product iapkg $(DEBUG_FLAGS)
	$(SWIFT) build --target FirstProduct $(DEBUG_FLAGS)
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Fuzz Examples
	Scripts/check-words
	Scripts/check-documents $(DEBUG)

# The generated parts of the documents, and the printed lines of their examples.
documents: build
	@Scripts/setup test
	Scripts/check-documents --write $(DEBUG)

fmt:
	$(SWIFT) format -i -r Package.swift Sources Tests Fuzz Examples

demo: build
	@Scripts/demo $(DEBUG)

# A package of its own that uses the libraries; its first build also builds all that the libraries need.
example: build
	@Scripts/setup test
	SWIFT=$(SWIFT) Scripts/example $(DEBUG)

bench: release
	@Scripts/bench $(RELEASE) $(if $(filter file,$(origin CORPUS)),,$(foreach tree,$(CORPUS),--corpus "$(tree)"))

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(RELEASE)/iapkg "$(DESTDIR)$(PREFIX)/bin/iapkg"
	Packaging/extras install $(RELEASE)/iapkg "$(DESTDIR)$(PREFIX)"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/iapkg"
	@rmdir "$(DESTDIR)$(PREFIX)/bin" 2>/dev/null || true
	Packaging/extras uninstall "$(DESTDIR)$(PREFIX)"

# A Debian package in .build/deb.
deb: release
	@Scripts/setup deb
	@rm -f .build/deb/iapkg_*.deb .build/deb/iapkg-dbgsym_*.deb
	Packaging/deb $(RELEASE)/iapkg .build/deb

deb-server: server
	@Scripts/setup deb
	@rm -f .build/deb/iapkg-server_*.deb .build/deb/iapkg-server-dbgsym_*.deb
	Packaging/deb $(RELEASE)/iapkg-server .build/deb

# The server's package: lintian, the unit's hardening, install, start, use, purge.
package-server: deb-server
	Packaging/try-server $(RELEASE)/iapkg-server .build/deb

# Both ways of installing: lintian, install, use, remove.
package: deb
	Packaging/try $(RELEASE)/iapkg .build/deb

# What a release consists of, in .build/dist: Debian packages, self-contained archives, images, bills of materials,
# provenance, the source, and their digests. The key DIST_KEY signs the digests if it is given; with the address DIST_URL of the
# release's folder, there is a formula for Homebrew. Both programs are built once, with the packages of the server, and linked
# twice: with shared libraries for Debian, and with static ones of Debian's sources.
dist:
	@for purpose in build server deb dist; do Scripts/setup $$purpose || exit; done
	Packaging/in-fixed-folder $(MAKE) dist-here

# The same, built in this folder. The bytes of its programs depend on the folder's path.
dist-here:
	IAPKG_SERVER=1 $(MAKE) deb deb-server
	Packaging/libraries $(LIBRARIES)
	for program in iapkg iapkg-server; do Packaging/link $(RELEASE)/$$program $(LIBRARIES) $(LINKED)/$$program || exit; done
	@rm -rf $(DIST) && mkdir -p $(DIST)
	cp .build/deb/*.deb $(DIST)
	DIST_URL=$(DIST_URL) Packaging/dist $(RELEASE) $(LINKED) $(LIBRARIES) $(DIST)
	cd $(DIST) && sha256sum * >SHA256SUMS $(if $(DIST_KEY),&& ssh-keygen -q -Y sign -n file@iapkg -f $(abspath $(DIST_KEY)) SHA256SUMS)

# Builds the last commit in two folders and compares; takes as long as two clean builds.
dist-twice:
	Packaging/dist-twice

# Walks through the release in .build/dist as its users do, in new systems of Debian 12 and 13.
release-check:
	@Scripts/setup release
	DIST_KEY=$(if $(DIST_KEY),$(abspath $(DIST_KEY))) Scripts/release-check $(DIST)

# Checks the examples for pipelines and containers against their schemas, and runs the steps of the action for GitHub in a
# new system, with a local web server as the place of releases.
try-action:
	@Scripts/setup release
	Scripts/check-schemas
	Scripts/try-action $(DIST)

clean:
	rm -rf .build $(DEVICE) .build-dist .build-app .build-example .build-asan .build-tsan .build-fuzz .build-fuzz-server

# The page of a report in a browser: what it asks for, its treemap, contrast, and use without a mouse.
page: build
	@Scripts/setup page
	.build/python/bin/biome lint --error-on-warnings
	.build/python/bin/python3 Scripts/check-page $(DEBUG)

# Archives and manifests made by other projects, each with the verdict that it must get.
corpus: $(if $(wildcard $(CORPUS)/check),release)
	@if [ -x "$(CORPUS)/check" ]; then "$(CORPUS)/check" $(RELEASE)/iapkg; \
	else echo "corpus: skipped, there is no $(CORPUS)/check (set CORPUS)"; fi

fuzz: build
	@Scripts/setup test
	FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz $(DEBUG)

# What the server reads of signed data and receipts; building its fuzzer takes several minutes.
fuzz-server:
	@Scripts/setup server
	IAPKG_SERVER=1 FUZZ_BUILD=.build-fuzz-server FUZZ_TARGETS="signed transaction certificate receipt" \
	FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz

# Kills, full disks, I/O errors, power cuts and races at every step of an installation, a publication and a fetch; takes
# a while.
torture: build
	@Scripts/setup test
	Scripts/torture $(DEBUG)
	Scripts/torture-input $(DEBUG)
	Scripts/torture-publish $(DEBUG)
	Scripts/torture-fetch $(DEBUG)

sanitize:
	@Scripts/setup test
	$(SWIFT) test --sanitize thread --scratch-path .build-tsan --filter '$(SANITIZE_FILTER)' --skip '$(MUTEX_TESTS)'
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks.supp \
	  $(SWIFT) test --sanitize address --scratch-path .build-asan --filter '$(SANITIZE_FILTER)'
