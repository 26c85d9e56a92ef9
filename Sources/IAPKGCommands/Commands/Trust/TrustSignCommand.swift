import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustSignCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign the draft of the next trust document.",
    discussion: """
      Each run adds the signatures of its keys. The draft becomes a trust document once no signature is missing. A catalog key \
      signs the current catalog, if the draft requires it.

      Examine the draft with trust show, and give --draft, so that no other draft can replace it before you sign. A catalog that \
      the newest trust document does not accept is signed only with --catalog.

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

  @Option(
    help: ArgumentHelp(
      "Sign only the draft with this SHA-256, as iapkg trust show prints it.", valueName: "digest"))
  var draft: String?

  @Option(
    help: ArgumentHelp(
      """
      Sign the catalog with this SHA-256, as iapkg trust show prints it, also if the newest trust document does not \
      accept it.
      """, valueName: "digest"))
  var catalog: String?

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: signature) }

  func validate() throws {
    if target.signWith.isEmpty, signature.isEmpty {
      throw ValidationError("specify keys with --sign-with or signatures with --signature")
    }
    for (text, name) in [(draft, "--draft"), (catalog, "--catalog")] { _ = try Self.digest(text, name) }
  }

  var catalogDigest: SHA256Digest? { get throws { try Self.digest(catalog, "--catalog") } }

  /// Parses the digest that an option names; nil if the option is missing.
  private static func digest(_ text: String?, _ name: String) throws -> SHA256Digest? {
    guard let text else { return nil }
    guard let digest = try? SHA256Digest(named: text) else {
      throw ValidationError(
        "\(name) is \(text), expected 64 hexadecimal digits, as iapkg trust show prints them")
    }
    return digest
  }

  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result {
    try editor.sign(
      adding: try signature.map { path in
        let bytes = try SmallInput.read(
          path, atMost: Self.maximumSignatureSize, cancellation: cancellation)
        guard let bytes else {
          throw SignatureError(
            "\(path) has more than \(Self.maximumSignatureSize) bytes, expected a signature")
        }
        return String(decoding: bytes, as: UTF8.self)
      }, only: Self.digest(draft, "--draft"))
  }
}
