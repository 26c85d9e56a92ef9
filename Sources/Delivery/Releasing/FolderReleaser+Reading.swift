#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support

extension FolderReleaser {
  /// Calls `body` with each folder in order, while the store's documents about the next ones are read concurrently:
  /// requests mostly wait. Errors of these requests are ignored, because `body` reads missing documents again.
  ///
  /// - Throws: The errors of `body`. All threads have ended by then.
  package func forEach(_ folders: [String], _ body: (String) throws -> Void) throws {
    let jobs = StoreVerifier.jobs
    try OrderedWork.run(count: folders.count, jobs: jobs, capacity: jobs, weight: { _ in 1 }) {
      { documents(for: folders[$0]) }
    } receive: { index, documents in
      preloaded.add(documents)
      defer { preloaded.removeAll() }
      try body(folders[index])
    }
  }

  /// Reads the release list of a folder's product, and the index of the newest release.
  private func documents(for folder: String) -> [StorePath: any ByteSource] {
    var documents: [StorePath: any ByteSource] = [:]
    guard let catalog, let product = try? ContentFolder.info(of: folder)?.productIdentifier,
      let reference = catalog.products[product]?.releases, let bytes = try? reader.bytes(of: reference)
    else { return documents }
    documents[reference.path] = MemoryBytes(bytes)
    guard let releases = try? ProductReleases(bytes: bytes, of: product),
      let newest = releases.newest(in: options.channel, withdrawn: false)
    else { return documents }
    for part in [newest.index, newest.pages] { documents[part.path] = try? reader.copy(of: part) }
    return documents
  }
}
#endif
