import ContentPackage
import SafeFiles
import Support

/// The products of an old and a new input, matched by identifier.
struct ProductPairs {
  /// One product, or an input that could not be read.
  enum Pair {
    case both(ProductInputs.Input, ProductInputs.Input)
    /// A product that only the new side has.
    case added(ProductInputs.Input)
    /// A product that only the old side has.
    case removed(ProductInputs.Input)
    case unreadable(CommandError)
  }

  /// The two paths, if neither is a folder of packages or content folders.
  let singlePair: (old: String, new: String)?
  /// Unreadable inputs first, then the products in the byte order of their identifiers.
  let pairs: [Pair]
  let notes: [String]

  /// Reads the manifests of both inputs.
  ///
  /// - Throws: The errors of `ProductInputs.init`.
  init(_ old: String, _ new: String, _ cancellation: Cancellation) throws {
    let sides = [old, new].map { ContentFolder.folders(in: $0, includingPackages: true) != nil }
    guard sides.contains(true) else {
      for path in [old, new] { try CommandError.refuseOtherFolder(path) }
      (singlePair, pairs, notes) = ((old, new), [], [])
      return
    }
    let (before, after) = (try ProductInputs(old, cancellation), try ProductInputs(new, cancellation))
    // A single input is compared only with the same product on the other side.
    let wanted =
      before.isList && after.isList
      ? Set(before.inputs.keys).union(after.inputs.keys)
      : Set(before.isList ? after.inputs.keys : before.inputs.keys)
    let found = wanted.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.compactMap {
      product -> Pair? in
      switch (before.inputs[product], after.inputs[product]) {
      case (let old?, let new?): .both(old, new)
      case (nil, let new?): .added(new)
      case (let old?, nil): .removed(old)
      case (nil, nil): nil
      }
    }
    singlePair = nil
    pairs = (before.errors + after.errors).map(Pair.unreadable) + found
    notes = before.notes + after.notes
  }
}

extension ProductPairs.Pair: CustomStringConvertible {
  /// The product, or the input that could not be read.
  var description: String {
    switch self {
    case .both(_, let input), .added(let input), .removed(let input): input.info.productIdentifier.text
    case .unreadable(let error): error.path ?? "the input"
    }
  }
}
