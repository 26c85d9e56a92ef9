import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustInitCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the first trust document of a store.",
    discussion: """
      The key that signed the catalog becomes the catalog key, unless --catalog-key names others. It must sign the first \
      trust document too, so that clients that know only this key accept the document.
      """)
  static let reportName = "trust init"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: keys.files) }

  func validate() throws {
    if keys.rootKey.isEmpty { throw ValidationError("specify the root keys with --root-key") }
  }

  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result {
    let roots = try TrustKeyOptions.keys(in: keys.rootKey, cancellation)
    let named = try TrustKeyOptions.keys(in: keys.catalogKey, cancellation)
    return try editor.initialize { signer in
      let catalogs = named.isEmpty ? [signer].compactMap(\.self).map { TrustDocument.NamedKey($0) } : named
      guard !catalogs.isEmpty else {
        throw ValidationError("the store has no signed catalog, so name the catalog keys, with --catalog-key")
      }
      if named.isEmpty, let signer, !target.signWith.isEmpty, !editor.signs(with: signer) {
        throw ValidationError(
          "the catalog is signed by \(signer.fingerprint), which is none of the keys given; if it is yours, name its "
            + "public key with --catalog-key")
      }
      var document = TrustDocument(
        version: 1, catalogs: .init(keys: catalogs, threshold: 1), roots: .init(keys: roots, threshold: 1))
      thresholds.apply(to: &document)
      return document
    }
  }
}
