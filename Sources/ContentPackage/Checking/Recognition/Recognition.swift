package import ZipArchive

/// The recognized format of a file or name that content should not have, or that iapkg must inspect or report.
package struct Recognition: Sendable, Equatable {
  /// The kind of a format, which determines the rule that a file breaks.
  package enum Kind: Sendable, Equatable {
    /// Code for a processor, a system or a virtual machine, beyond doubt.
    case code
    /// A file that begins with `#!` and an interpreter. Systems run it if it is marked as executable.
    case interpretedScript
    /// A file that begins with `#!` and a path that does not look like an interpreter's, as in "#! /home/me is my
    /// home". It is text unless it is marked as executable.
    case doubtfulScript
    /// The source of a script, which needs an interpreter.
    case scriptSource
    /// Data that may be executed or enable code execution, but may be plain data.
    case possibleCode
    /// An archive, image or compressed stream that iapkg cannot inspect.
    case archive
    /// A ZIP archive, which iapkg inspects.
    case zip
    /// A compressed stream, whose beginning iapkg inspects.
    case stream(NestedStream.Method)
    /// A complete private key, beyond doubt.
    case privateKey
    /// A likely private key or likely credentials, by content or name.
    case secret
    /// An item that a system, an editor, version control or iapkg leaves behind.
    case junk
  }

  /// The kind of the format.
  package let kind: Kind
  /// The name of the format with its article, such as "a Mach-O executable (arm64)"; safe to print.
  package let formatName: String

  /// Creates a recognition. `formatName` is the name of the format with its article, safe to print.
  package init(_ kind: Kind, _ formatName: String) {
    self.kind = kind
    self.formatName = formatName
  }

  /// Returns the rule that a file of this format breaks; nil if the format alone breaks no rule.
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

  /// The severity of a finding; nil for the severity of the rule.
  var severity: Finding.Severity? { kind == .secret ? .warning : nil }

  static func code(_ formatName: String) -> Recognition { Recognition(.code, formatName) }

  static func possibleCode(_ formatName: String) -> Recognition { Recognition(.possibleCode, formatName) }

  static func archive(_ formatName: String) -> Recognition { Recognition(.archive, formatName) }
}
