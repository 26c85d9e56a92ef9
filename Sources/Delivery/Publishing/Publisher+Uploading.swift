#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles

extension Publisher {
  /// Uploads the packages, indexes and notes, to which no catalog refers yet, and replaces missing or damaged objects
  /// of published packages.
  ///
  /// - Returns: The publications, with the number of bytes uploaded for each.
  /// - Throws: `IntegrityError`, `StoreError`, `SourceError`, `Interruption`.
  package func upload(_ publications: [Publication]) throws -> [Publication] {
    var publications = publications
    let progress = progress
    let wanted = publications.indices.filter { publications[$0].outcome == .published }
    for (number, index) in wanted.enumerated() {
      let package = publications[index].package
      let name = wanted.count > 1 ? "\(number + 1) of \(wanted.count), \(package.path)" : package.path
      progress.begin(.uploading, name, totalBytes: package.package.byteCount)
      var bytes: Int64
      do {
        bytes = try change.put(
          package.bytes, at: package.package, advance: { progress.advance(by: $0) },
          isWritten: { progress.begin(.verifying, name, totalBytes: package.package.byteCount) },
          advanceBack: { progress.advance(by: $0) })
      } catch let error as IntegrityError {
        // The store returned the bytes that it received, which differ from the validated ones.
        guard try !package.bytes.hasChanged() else { throw SourceError.changed(package.path) }
        throw error
      }
      guard try !package.bytes.hasChanged() else { throw SourceError.changed(package.path) }
      for object in smallObjects(of: package) {
        bytes += try change.put(object.bytes, at: object.reference) { _ in }
      }
      publications[index].uploadedBytes = bytes
    }
    for index in publications.indices { try restore(&publications[index]) }
    return publications
  }

  /// Returns the objects of a release besides its package: the index and the notes.
  func smallObjects(
    of package: PreparedPackage
  ) -> [(reference: ObjectReference, bytes: any ByteSource)] {
    package.indexObjects + options.attributes.noteObjects(of: package.info)
  }

  /// Uploads the missing or damaged objects of a published package again.
  ///
  /// - Throws: The errors of `upload`.
  private func restore(_ publication: inout Publication) throws {
    let (package, progress) = (publication.package, progress)
    for reference in publication.damaged {
      progress.begin(.uploading, package.path, totalBytes: reference.byteCount)
      let object = smallObjects(of: package).first { $0.reference == reference }
      publication.uploadedBytes += try change.put(object?.bytes ?? package.bytes, at: reference) {
        progress.advance(by: $0)
      }
    }
  }
}
#endif
