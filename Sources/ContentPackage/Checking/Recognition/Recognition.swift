package import ZipArchive

/// The recognized format of a file or name that content should not have, or not unnoticed.
package struct Recognition: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Code for a processor, a system or a virtual machine, beyond doubt.
    case code
    /// A file that begins with `#!` and an interpreter: systems run it if it is marked as executable.
    case interpretedScript
    /// The same with a path that does not look like an interpreter's, as in "#! /home/me is my home": text, unless it
    /// is marked as executable.
    case doubtfulScript
    /// The source of a script, which something else has to read.
    case scriptSource
    /// Data that may be executed or enable code execution, but may be plain data.
    case possibleCode
    /// An archive, image or compressed stream that iapkg cannot look into.
    case archive
    /// A ZIP archive, which iapkg looks into.
    case zip
    /// A compressed stream, into whose beginning iapkg looks.
    case stream(NestedStream.Method)
    /// A whole private key, beyond doubt.
    case privateKey
    /// A likely private key or credentials, or a file with such a name.
    case secret
    /// A leftover of a system or version control.
    case junk
  }

  package let kind: Kind
  /// The thing by its name and article, such as "a Mach-O executable (arm64)"; safe to print.
  package let what: String

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }

  /// The rule that content breaks by holding the thing, marked as executable or not; nil if only what lies inside can
  /// break one.
  package func rule(isExecutable: Bool = false) -> Rule? {
    switch kind {
    case .code: .fileExecutableCode
    case .interpretedScript: isExecutable ? .fileExecutableCode : .fileScript
    case .doubtfulScript: isExecutable ? .fileExecutableCode : nil
    case .scriptSource: .fileScript
    case .possibleCode: .filePossibleCode
    case .archive: .fileNestedArchive
    case .zip, .stream: nil
    case .privateKey, .secret: .fileSecret
    case .junk: .fileJunk
    }
  }

  /// The severity of a finding, where it is not that of the rule.
  var severity: Finding.Severity? { kind == .secret ? .warning : nil }

  static func code(_ what: String) -> Recognition { Recognition(.code, what) }

  static func possibleCode(_ what: String) -> Recognition { Recognition(.possibleCode, what) }

  static func archive(_ what: String) -> Recognition { Recognition(.archive, what) }
}
