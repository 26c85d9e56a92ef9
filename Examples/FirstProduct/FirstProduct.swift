import AppContent
import Foundation

/// The code of the article "Ship your first product", which the tests run.
public enum FirstProduct {
  /// The library of the app.
  public static func makeLibrary(documents: URL, store: URL, key: String) throws -> ContentLibrary {
    // snippet: configuration
    var configuration = LibraryConfiguration(documents: documents, store: store, trust: .keys(key))
    configuration.appVersion = "1.0"
    let library = try ContentLibrary(configuration)
    // end
    return library
  }

  /// Installs the product and returns a text of it.
  public static func install(with library: ContentLibrary) async throws -> String {
    // snippet: installation
    let book = try await library.install("com.example.book")
    let chapter = book.folder.appendingPathComponent("chapter.txt")
    let text = try String(contentsOf: chapter, encoding: .utf8)
    // end
    return text
  }
}
