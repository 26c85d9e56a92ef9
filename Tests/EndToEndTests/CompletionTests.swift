import TestSupport
import Testing

/// The completions, in the shells for which they are generated.
@Suite(.waiting) struct CompletionTests {
  /// Command lines, and the expected completions of their last word.
  private static let lines: [([String], Set<String>)] = [
    (["va"], ["validate"]), (["create", "B"], ["Book"]), (["validate", "B"], ["Book", "Book.pkg"]),
    (["validate", "-o", "n"], ["notes.txt"]), (["extract", "--into", "B"], ["Book"]),
    (["diff", "Book.pkg", "B"], ["Book", "Book.pkg"]),
    (["bump", "Book.pkg", "--output", "n"], ["notes.txt"]),
    (["explain", "file/jun"], ["file/junk"]),
  ]

  private func workspace(_ shell: String) throws -> Workspace {
    let work = try Workspace()
    let script = try work.iapkg("--generate-completion-script", shell).output
    try work.write(script, to: shell == "zsh" ? "functions/_iapkg" : "script.\(shell)")
    try work.makeFolder("Book")
    try work.write("x", to: "Book.pkg")
    try work.write("x", to: "notes.txt")
    return work
  }

  @Test(.enabled(if: Machine.has("bash")), arguments: lines)
  func `bash completes words and files`(_ words: [String], _ expected: Set<String>) throws {
    let script = """
      source script.bash
      COMP_WORDS=(iapkg "$@") COMP_CWORD=$# COMP_LINE="iapkg $*"
      COMP_POINT=${#COMP_LINE}
      _iapkg iapkg "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try workspace("bash").run(["bash", "-c", script, "bash"] + words).exits(0)
    #expect(Set(outcome.output.split(separator: "\n").map(String.init)) == expected)
  }

  @Test(.enabled(if: Machine.has("fish")), arguments: lines)
  func `fish completes words and files`(_ words: [String], _ expected: Set<String>) throws {
    let work = try workspace("fish")
    let script = "source script.fish; complete -C 'iapkg \(words.joined(separator: " "))'"
    let outcome = try work.run(["fish", "--no-config", "-c", script], environment: ["HOME": work.temporary])
    // A word, and its description after a tab; folders end in a slash.
    let offered = outcome.output.split(separator: "\n").map { line in
      String(line.prefix { $0 != "\t" && $0 != "/" || words.first == "explain" && $0 != "\t" })
    }
    #expect(Set(offered) == expected, "\(outcome)")
  }

  @Test(
    .enabled(if: Machine.has("zsh") && Machine.has("timeout")),
    arguments: [
      ("iapkg va", "validate "), ("iapkg create B", "Book/"), ("iapkg validate -o n", "notes.txt "),
    ])
  func `zsh completes words and files`(_ line: String, _ completed: String) throws {
    let work = try workspace("zsh")
    // A shell in its own terminal; every read waits for the expected output.
    let script = """
      zmodload zsh/zpty
      zpty shell "PS1='ready> ' zsh -f -i"
      zpty -r shell out '*ready> *'
      zpty -w shell 'fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; PS1="compl""ete> "'
      zpty -r shell out '*complete> *'
      zpty -n -w shell "$1"$'\\t'
      zpty -r shell out "*${1% *} $2*"
      zpty -d shell
      print found
      """
    let outcome = try work.run(
      ["timeout", "60", "zsh", "-f", "-c", script, "zsh", line, completed],
      environment: ["TERM": "dumb", "HOME": work.temporary])
    #expect(outcome.output == "found\n", "\(outcome)")
  }
}
