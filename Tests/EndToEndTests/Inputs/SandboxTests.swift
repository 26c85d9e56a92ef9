import CLinux
import Foundation
import PackageForge
import TestSupport
import Testing

/// The kernel confines the program even if an input takes control of it: a preloaded library replaces a parser of
/// libxml2 and tries to escape.
@Suite(.waiting, .enabled(if: Intruder.canTry, "Landlock or a compiler is missing"))
struct SandboxTests {
  private static let denied = "write=13 read=13 remove=13 run=13"
  private static let allowed = "write=0 read=0 remove=0 run=0"

  private func workspace() throws -> (work: Workspace, intruder: Intruder) {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    return (work, try Intruder(in: work))
  }

  @Test(arguments: [
    ["validate", "Book.pkg"], ["validate", "Book", "-o", "out/report.txt"], ["info", "Book.pkg"],
    ["create", "Book", "-o", "out/new.pkg"], ["diff", "Book.pkg", "Book"],
    ["extract", "Book.pkg", "--into", "out"],
    ["bump", "out/Book.pkg"], ["report", "Book", "-o", "out/page.html"],
    ["import", "Book.pkg", "--folder", "out/imported"],
    ["export", "Book", "--background-assets", "out/assets"],
    ["publish", "Book.pkg", "--to", "store"], ["release", "Book", "--to", "store"],
  ])
  func `a local command cannot reach other files or the network`(_ arguments: [String]) throws {
    let (work, intruder) = try workspace()
    try work.makeBookPackage("out/Book.pkg")
    let outcome = try intruder.run(arguments)
    outcome.exits(0, saying: Self.denied + " connect=\(intruder.deniesConnections ? 13 : 111)")
    #expect(!work.exists("../outside/written"))
    #expect(try work.text("../outside/secret") == "a secret")
  }

  @Test func `a publication to a bucket cannot reach other files`() throws {
    let (work, intruder) = try workspace()
    let bucket = try BucketServer(work)
    for arguments in [
      ["publish", "Book.pkg", "--to", BucketServer.store], ["release", "Book", "--to", BucketServer.store],
    ] {
      try intruder.run(arguments, environment: bucket.environment).exits(
        0, saying: Self.denied + " connect=111")
    }
    #expect(work.exists("\(bucket.folder)/shop/catalog.json"))
    #expect(!work.exists("../outside/written"))
    #expect(try work.text("../outside/secret") == "a secret")
  }

  @Test func `a command that reads a web server can connect, but cannot reach other files`() throws {
    let (_, intruder) = try workspace()
    let arguments = ["validate", "Book", "--against", "http://127.0.0.1:1/"]
    // The library ends the program, because no server responds.
    try intruder.run(arguments, environment: ["INTRUDER_EXIT": "1"]).exits(
      0, saying: Self.denied + " connect=111")
  }

  @Test func `replacing an input before it is opened is not reported as a permission error`() throws {
    let (work, _) = try workspace()
    // A pipe cannot hold Large.pkg: `mv` runs only after the program reads, and so is in the sandbox. The program opens
    // Book.pkg later.
    try work.write(Noise.bytes(1_000_000), to: "Book/Contents/noise")
    try work.iapkg("create", "Book", "-o", "Large.pkg").succeeds()
    try work.makeBookPackage("New.pkg")
    let command = "{ cat Large.pkg; mv New.pkg Book.pkg; } | \"$0\" validate - Book.pkg"
    try work.run(["sh", "-c", command, BuiltProgram.path]).exits(
      74, saying: "Book.pkg was replaced after iapkg started", "try again")
    try work.iapkg("validate", "Book.pkg").succeeds()
  }

  @Test func `--no-sandbox disables the sandbox`() throws {
    let (work, intruder) = try workspace()
    try intruder.run(["validate", "Book.pkg", "--no-sandbox"]).exits(0, saying: Self.allowed + " connect=111")
    #expect(try work.text("../outside/written") == "x")
  }
}

/// A library that tries to escape the sandbox when an XML document is parsed, and reports the result on standard error.
struct Intruder {
  private static let compiler = Machine.find("clang") ?? Machine.find("cc")
  private static let version = Int(iapkg_landlock_version())
  static let canTry = version >= 2 && compiler != nil

  let deniesConnections = Self.version >= 4
  private let work: Workspace
  private let library: String

  init(in work: Workspace) throws {
    self.work = work
    library = work.place("../intruder.so")
    try work.write("a secret", to: "../outside/secret")
    try work.write("another", to: "../outside/other")
    try work.write("#!/bin/sh\n", to: "../outside/program", permissions: 0o755)
    try work.write(Self.source, to: "../intruder.c")
    let words = [Self.compiler ?? "", "-shared", "-fPIC", "-o", library, work.place("../intruder.c")]
    try work.run(words).exits(0)
  }

  /// Runs the built program with the library.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let variables = ["LD_PRELOAD": library, "INTRUDER": work.place("../outside")]
    return try work.run(
      [BuiltProgram.path] + arguments, environment: variables.merging(environment) { $1 })
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <arpa/inet.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <sys/wait.h>
    #include <unistd.h>

    static char path[4096];
    static const char *at(const char *name) {
      snprintf(path, sizeof path, "%s/%s", getenv("INTRUDER"), name);
      return path;
    }
    static int tried(long result) { return result < 0 ? errno : 0; }

    static void leave(void) {
      int file = open(at("written"), O_CREAT | O_WRONLY, 0600);
      int written = tried(file);
      if (file >= 0 && write(file, "x", 1) != 1) written = errno;
      int read = tried(open(at("secret"), O_RDONLY));
      int removed = tried(unlink(at("other")));
      int child = fork(), status = 0;
      if (child == 0) {
        execl(at("program"), "program", NULL);
        _exit(errno);
      }
      waitpid(child, &status, 0);
      struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(1)};
      inet_aton("127.0.0.1", &port.sin_addr);
      int connected = tried(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&port, sizeof port));
      char text[200];
      int length = snprintf(text, sizeof text, "write=%d read=%d remove=%d run=%d connect=%d\\n", written, read,
                            removed, WEXITSTATUS(status), connected);
      if (write(2, text, length) != length) abort();
      if (getenv("INTRUDER_EXIT")) _exit(0);
    }

    void *xmlCtxtReadMemory(void *context, const char *bytes, int size, const char *name, const char *encoding,
                            int options) {
      static int done;
      if (!done++) leave();
      void *(*real)(void *, const char *, int, const char *, const char *, int) =
          dlsym(RTLD_NEXT, "xmlCtxtReadMemory");
      return real(context, bytes, size, name, encoding, options);
    }
    """
}
