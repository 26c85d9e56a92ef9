import ContentPackage
import SafeFiles
import Support

extension FolderReleaser {
  /// Calls `body` with folder after folder, while what the store has of the products of the next ones is read side by
  /// side: most of the time of a request is waiting. What cannot be read is asked for again, and told of then.
  ///
  /// - Throws: what `body` throws; no thread is left running.
  package func forEach(_ folders: [String], _ body: (String) throws -> Void) throws {
    let jobs = StoreVerifier.jobs
    try OrderedWork.run(count: folders.count, jobs: jobs, capacity: jobs, weight: { _ in 1 }) {
      { documents(for: folders[$0]) }
    } take: { number, documents in
      known.add(documents)
      defer { known.removeAll() }
      try body(folders[number])
    }
  }

  /// The releases of the product of a folder, and the index of the newest.
  private func documents(for folder: String) -> [StorePath: any ByteSource] {
    var documents: [StorePath: any ByteSource] = [:]
    guard let catalog, let product = try? ContentFolder.info(of: folder)?.productIdentifier,
      let reference = catalog.products[product]?.releases, let bytes = try? reader.bytes(of: reference)
    else { return documents }
    documents[reference.path] = MemoryBytes(bytes)
    guard let releases = try? ProductReleases(bytes: bytes, of: product),
      let index = releases.newest(in: options.channel, withdrawn: false)?.index
    else { return documents }
    documents[index.path] = try? reader.copy(of: index)
    return documents
  }
}
