import ContentPackage
import SafeFiles
import ZipArchive

extension FolderSettings {
  /// Returns the existing files that `load` reads for a content folder, nearest first; none if the folder is missing.
  package static func files(for folder: String) -> [String] {
    guard let folder = try? FileSystem.resolved(folder),
      let status = try? FileSystem.status(of: folder, followingLinks: true)
    else { return [] }
    let names = [PackageLayout.settings, PackageLayout.ignoredNames].map(\.escaped)
    return folders(from: folder, owner: status.owner).flatMap { path in
      names.map { FileSystem.joined(path, $0) }
    }.filter { (try? FileSystem.status(of: $0, followingLinks: false)) != nil }
  }

  /// Returns the files that `load` skips because they belong to another user. The folder may be missing.
  package static func untrustedFiles(for folder: String) -> [SettingsLocation] {
    (try? load(for: folder, allowsMissing: true))?.untrustedFiles ?? []
  }
}
