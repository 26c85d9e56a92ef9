import ArgumentParser
import Delivery
import SafeFiles

struct TrustSignCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign the draft of the next trust document.",
    discussion: """
      Each run adds the signatures of its keys. The draft becomes a trust document once none is missing. A catalog key \
      signs the current catalog, if the draft demands it, or if the newest trust document no longer accepts the catalog.

      A machine without access to the store signs the text that iapkg trust show --payload writes, with ssh-keygen -Y \
      sign -n trust@iapkg. --signature adds the file that ssh-keygen makes.
      """)
  static let reportName = "trust sign"
  /// The maximum size of a signature file, in bytes.
  private static let maximumSignatureSize = 64 << 10

  @OptionGroup var target: TrustTargetOptions

  @Option(
    help: ArgumentHelp(
      "Add this signature of the draft, made by ssh-keygen elsewhere. The option can be repeated.",
      valueName: "file"),
    completion: .file())
  var signature: [String] = []

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: signature) }

  func validate() throws {
    if target.signWith.isEmpty, signature.isEmpty {
      throw ValidationError("name the keys, with --sign-with, or signatures, with --signature")
    }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    try editor.sign(
      adding: try signature.map { path in
        guard let bytes = try SmallInput.read(path, atMost: Self.maximumSignatureSize) else {
          throw SignatureError(
            "\(path) has more than \(Self.maximumSignatureSize) bytes, expected a signature")
        }
        return String(decoding: bytes, as: UTF8.self)
      })
  }
}
