import ContentPackage
import SafeFiles
import ZipArchive

extension FolderSettings {
  /// The files that `load` reads for a content folder, those in it first; none for a folder that is missing.
  package static func files(for folder: String) -> [String] {
    guard var path = try? FileSystem.resolved(folder) else { return [] }
    func exists(_ name: String) -> Bool {
      (try? FileSystem.status(of: FileSystem.joined(path, name), followingLinks: false)) != nil
    }
    let names = [PackageLayout.settings, PackageLayout.ignoredNames].map(\.escaped)
    var files: [String] = []
    while true {
      files += names.filter(exists).map { FileSystem.joined(path, $0) }
      let above = FileSystem.folder(of: path)
      if exists(".git") || above == path || above == "." { return files }
      path = above
    }
  }
}
