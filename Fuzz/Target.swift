import PackageForge

/// A fuzzing target. The raw value is its name in `Scripts/fuzz`.
enum Target: String, CaseIterable {
  /// The input is an archive, whose structure is read.
  case structure
  /// The input is an archive, which is validated and decoded.
  case package
  /// The input describes how to modify a valid package, so that checksums and offsets stay right.
  case forgery
  /// The input is a manifest, XML or binary.
  case manifest
  /// The input is a catalog, the releases of a product or an index.
  case document
  /// The input is an installer package made by Xcode.
  case installer
  /// The input is the payload of an installer package.
  case payload
  /// The input is an Xcode project.
  case project
  /// The input is a signature, or a file of trusted keys.
  case signature
  #if SERVER
  /// The input claims to be signed by the App Store.
  case signed
  /// The input is the payload of a transaction or notification, which is signed unchanged.
  case transaction
  /// The input is a certificate in a chain.
  case certificate
  /// The input is a response of verifyReceipt.
  case receipt
  #endif

  /// Runs the target on one input.
  ///
  /// A defect ends the process, by a trap or a failed check; libFuzzer keeps the input.
  func run(_ input: [UInt8], keeping accepted: AcceptedPackages?) {
    switch self {
    case .structure: StructureTarget.run(input)
    case .package: PackageTarget.run(input, keeping: accepted)
    case .forgery: PackageTarget.run(Forgery.archive(from: input).bytes(), keeping: accepted)
    case .manifest: ManifestTarget.run(input)
    case .document: DocumentTarget.run(input)
    case .installer: InstallerTarget.run(input)
    case .payload: InstallerTarget.run(payload: input)
    case .project: InstallerTarget.run(project: input)
    case .signature: SignatureTarget.run(input)
    #if SERVER
    case .signed: PurchaseTarget.run(signed: input)
    case .transaction: PurchaseTarget.run(payload: input)
    case .certificate: PurchaseTarget.run(certificate: input)
    case .receipt: PurchaseTarget.run(answer: input)
    #endif
    }
  }

  /// The initial inputs.
  var seeds: [[UInt8]] {
    switch self {
    case .structure, .package: Seeds.archives.map { $0.bytes() }
    case .forgery: Seeds.forgeries
    case .manifest: Seeds.manifests
    case .document: DocumentTarget.seeds
    case .installer: InstallerTarget.seeds
    case .payload: InstallerTarget.payloads
    case .project: InstallerTarget.projects
    case .signature: SignatureTarget.seeds
    #if SERVER
    case .signed: PurchaseTarget.signed
    case .transaction: PurchaseTarget.payloads
    case .certificate: PurchaseTarget.certificates
    case .receipt: PurchaseTarget.receiptResponses
    #endif
    }
  }
}

/// Ends the process, so that libFuzzer keeps the input, unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
