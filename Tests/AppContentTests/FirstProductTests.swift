import AppContent
import FirstProduct
import Foundation
import Testing

/// The code of the article "Ship your first product".
@Suite(.timeLimit(.minutes(2))) struct FirstProductTests {
  @Test func `the code of the article installs, updates and plans a product`() async throws {
    let workshop = try Workshop("1.0", [("chapter.txt", Array("Once".utf8))])
    let configuration = try workshop.configuration
    let library = try ContentLibrary(configuration)
    #expect(try await FirstProduct.install(with: library) == "Once")
  }
}
