/// Scripts whose first line names their interpreter.
enum Shebang {
  /// Recognizes the path or name of an interpreter. Rust attributes, AMR sound and other data also start with `#!`.
  static func recognize(_ head: Span<UInt8>) -> Recognition? {
    var line: [UInt8] = []
    for index in 2..<min(head.count, maximumLineLength) {
      guard head[index] != UInt8(ascii: "\n"), head[index] != UInt8(ascii: "\r"), head[index] != 0 else {
        break
      }
      line.append(head[index])
    }
    let command = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let program = String(decoding: command.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    let parts = program.split(separator: "/")
    guard let name = parts.last else { return nil }
    // A name without a path must follow `#!` directly. After a space, the line is a title in a text.
    let isNamed = isInterpreter(name) && (program.hasPrefix("/") || command.startIndex == line.startIndex)
    let isInProgramFolder = program.hasPrefix("/") && parts.dropLast().contains { folders.contains($0) }
    let formatName = "a script (#!\(program))"
    if isNamed || isInProgramFolder { return Recognition(.interpretedScript, formatName) }
    return program.hasPrefix("/") ? Recognition(.doubtfulScript, formatName) : nil
  }

  /// The maximum number of bytes of the line that Linux reads (execve(2)).
  private static let maximumLineLength = 255

  /// The names of folders for programs on various systems.
  private static let folders: Set<Substring> = ["bin", "sbin", "libexec", "xbin"]

  /// Returns whether the name is that of an interpreter, optionally followed by a version.
  private static func isInterpreter(_ name: Substring) -> Bool {
    var stem = name.lowercased()
    while let last = stem.last, last.isNumber || last == "." || last == "-" { stem.removeLast() }
    if stem.hasSuffix(".exe") { stem.removeLast(4) }
    return interpreters.contains(stem)
  }

  private static let interpreters: Set<String> = [
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "csh", "tcsh", "fish", "busybox", "env", "awk", "gawk",
    "mawk", "nawk",
    "sed", "bc", "dc", "make", "perl", "python", "pypy", "pythonw", "ruby", "jruby", "irb", "node", "nodejs",
    "deno",
    "bun", "php", "lua", "luajit", "luau", "tclsh", "wish", "expect", "osascript", "swift", "pwsh",
    "powershell",
    "rscript", "r", "guile", "scheme", "racket", "clisp", "sbcl", "emacs", "groovy", "java", "kotlin",
    "scala",
    "escript", "elixir", "julia", "ocaml", "ocamlrun", "runhaskell", "runghc", "gjs", "seed", "nft", "jq",
    "octave",
    "gnuplot", "cmake", "perl6", "raku", "dart", "crystal", "nix-shell", "ts-node", "tsx", "wine", "mono",
    "qemu",
  ]
}
