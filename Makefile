# Every target that needs system packages installs the missing packages first (apt-get, with sudo if not root).

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
CORPUS ?= ../shared/corpus
FUZZ_SECONDS ?= 60
REQUEST_SECONDS ?= 600
# A regular expression for the suites or names of the tests to run; empty for all tests.
FILTER =
TEST_FILTER = $(if $(FILTER),--filter '$(FILTER)')

DEBUG = .build/debug
# The tests run commands thousands of times, so debug builds are optimized too, with all their checks.
DEBUG_FLAGS = -Xswiftc -O
# The build of the libraries for apps, with only the libraries of Apple's SDKs.
DEVICE = .build-device
DEVICE_FLAGS = --traits SystemLibraries --scratch-path $(DEVICE) $(DEBUG_FLAGS)
# The folder of release builds. If it is not .build, a release and a debug build can run at the same time.
RELEASE_BUILD ?= .build
RELEASE = $(RELEASE_BUILD)/release
DIST = .build/dist
LIBRARIES = .build-dist/libraries
LINKED = .build-dist/linked
# Keeps folders of this machine out of the program, and the digests of compiled modules of C libraries, which depend on the
# times of their headers.
RELEASE_FLAGS = --scratch-path $(RELEASE_BUILD) --static-swift-stdlib -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
ifeq ($(shell uname), Linux)
# The loader searches no library beside the program, and makes its tables read-only after startup.
RELEASE_FLAGS += --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --build-id=sha1
endif
# The tests that run in the sanitized process; the end-to-end tests start other processes.
SANITIZE_FILTER ?= SupportTests|StrictJSONTests|SafeFilesTests|ZipArchiveTests|PropertyListTests|ContentPackageTests|IAPKGCommandsTests|HostileTests
# On Linux, ThreadSanitizer reports false races between threads that share a Mutex of the standard library, because the
# library is not instrumented. These tests use several threads, and are skipped.
MUTEX_TESTS = LibraryTests|FileTreeTests|WorkerPoolTests

.PHONY: dist dist-here dist-twice release-check try-action server-programs build release tests test check documents fmt bench install uninstall clean deb package demo example corpus fuzz sanitize torture page server test-server demo-server example-app device-tests test-device test-sandbox server-tests fuzz-server deb-server package-server bench-server torture-server hostile-requests

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

# The libraries of an app, with the trait SystemLibraries, and their tests. WITHIN is a command that runs the compiler.
device-tests:
	@Scripts/setup test
	IAPKG_DEVICE=1 $(WITHIN) $(SWIFT) build --build-tests $(DEVICE_FLAGS)

# Tests the libraries of an app, with the trait SystemLibraries, and lets both builds work on the same folders.
test-device: build device-tests
	TMPDIR=$$(Scripts/test-folder) IAPKG_DEVICE=1 $(SWIFT) test --skip-build $(DEVICE_FLAGS) $(TEST_FILTER)
	Scripts/test-device $(DEBUG) $(DEVICE)/debug

# Runs each command as a process in its sandbox; takes some minutes.
test-sandbox:
	@Scripts/setup test
	$(SWIFT) build --product iapkg $(DEBUG_FLAGS)
	IAPKG_TEST_PROCESSES=1 TMPDIR=$$(Scripts/test-folder) $(SWIFT) test $(DEBUG_FLAGS) --filter EndToEndTests

# The server, for release.
server: release
	@Scripts/setup server
	IAPKG_SERVER=1 $(SWIFT) build -c release --product iapkg-server $(RELEASE_FLAGS)

# Both programs for debugging, for the targets that run the server.
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

# Kills the server and its database under load, and runs two servers on one database; takes some minutes.
torture-server: server-programs
	@Scripts/torture-server $(DEBUG)

# Sends valid and invalid requests, generated from the server's OpenAPI document, for REQUEST_SECONDS.
hostile-requests: server-programs
	@Scripts/setup requests
	@Scripts/hostile-requests $(DEBUG) $(REQUEST_SECONDS)

# Measures the server under load, and compares its downloads with those of nginx.
bench-server: server
	@Scripts/setup test
	@Scripts/setup server
	@Scripts/bench-server $(RELEASE)

# Shows a purchase from publication to refund, with the server between the app and its content.
demo-server: server-programs
	@Scripts/demo-server $(DEBUG)

# Builds the example of an app as a separate package, and runs it with a running server.
example-app: server-programs
	SWIFT=$(SWIFT) Scripts/example-app $(DEBUG)

# Checks the format of the sources, the words of sources and documents, and the statements of documents about the program.
check:
	@Scripts/setup test
	$(SWIFT) build --product iapkg $(DEBUG_FLAGS)
	$(SWIFT) build --target FirstProduct $(DEBUG_FLAGS)
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Fuzz Examples
	Scripts/check-words
	Scripts/check-documents $(DEBUG)

# Rewrites the generated parts of the documents, and the output of their examples.
documents: build
	@Scripts/setup test
	Scripts/check-documents --write $(DEBUG)

fmt:
	$(SWIFT) format -i -r Package.swift Sources Tests Fuzz Examples

demo: build
	@Scripts/demo $(DEBUG)

# Builds and runs a separate package that uses the libraries. Its first build includes all dependencies.
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

# Checks the server's package: lintian, the hardening of the unit, install, start, use, purge.
package-server: deb-server
	Packaging/try-server $(RELEASE)/iapkg-server .build/deb

# Checks the package and make install: lintian, install, use, remove.
package: deb
	Packaging/try $(RELEASE)/iapkg .build/deb

# A release in .build/dist: Debian packages, self-contained archives, images, bills of materials, provenance, the source, and
# their digests. If DIST_KEY is set, this key signs the digests. If DIST_URL is set to the address of the release's folder,
# there is a formula for Homebrew. Both programs are built once, with the dependencies of the server, and linked twice: with
# shared libraries for Debian, and with static libraries built from Debian's sources.
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

# Tests the release in .build/dist as its users would use it, in new systems of Debian 12 and 13.
release-check:
	@Scripts/setup release
	DIST_KEY=$(if $(DIST_KEY),$(abspath $(DIST_KEY))) Scripts/release-check $(DIST)

# Checks the examples for pipelines and containers against their schemas, and runs the steps of the GitHub action in a new
# system, with a local web server that serves the release.
try-action:
	@Scripts/setup release
	Scripts/check-schemas
	Scripts/try-action $(DIST)

clean:
	rm -rf .build $(RELEASE_BUILD) $(DEVICE) .build-dist .build-app .build-example .build-asan .build-tsan .build-fuzz .build-fuzz-server

# Checks the pages of reports in a browser: their requests, charts and contrast, and their use without a mouse.
page: build
	@Scripts/setup page
	.build/python/bin/biome lint --error-on-warnings
	.build/python/bin/python3 Scripts/check-page $(DEBUG)

# Compares the verdicts on archives and manifests of other projects with the expected verdicts.
corpus: $(if $(wildcard $(CORPUS)/check),release)
	@if [ -x "$(CORPUS)/check" ]; then "$(CORPUS)/check" $(RELEASE)/iapkg; \
	else echo "corpus: skipped, there is no $(CORPUS)/check (set CORPUS)"; fi

fuzz: build
	@Scripts/setup test
	FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz $(DEBUG)

# Fuzzes the server's readers of signed data and receipts; the build takes several minutes.
fuzz-server:
	@Scripts/setup server
	IAPKG_SERVER=1 FUZZ_BUILD=.build-fuzz-server FUZZ_TARGETS="signed transaction certificate receipt" \
	FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz

# Kills, full disks, I/O errors, power cuts and races at every step of an installation, a publication and a fetch; takes
# long.
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
