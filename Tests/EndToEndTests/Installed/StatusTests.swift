import TestSupport
import Testing

/// The output and the exit code of `status`.
@Suite(.waiting) struct StatusTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
  }

  @Test func `status without --verify says that contents were not checked`() throws {
    #expect(
      try work.iapkg("status").succeeds().output
        == "com.example.book 1.0 (flat): complete (contents not checked)\n")
    #expect(try work.iapkg("status", "--verify").succeeds().output == "com.example.book 1.0 (flat): intact\n")
    let document = try work.iapkg("status", "--format=json").succeeds().document()
    #expect(document["products"]?[0]?["verified"] == false)
  }

  @Test func `status exits with 1 for a changed product, and lists every difference`() throws {
    try work.remove("Documents/com.example.book/cover.txt")
    try work.write("longer than it was before", to: "Documents/com.example.book/pages/one.txt")
    try work.write("mine", to: "Documents/com.example.book/notes/mine.txt")
    #expect(
      try work.iapkg("status").exits(1).output == """
        com.example.book 1.0 (flat): not as it was installed
          missing: cover.txt
          modified: pages/one.txt
          extra: notes

        """)
    let product = try work.iapkg("status", "--format=json").exits(1).document()["products"]?[0]
    #expect(product?["intact"] == false && product?["missing"]?.elements == ["cover.txt"])
    #expect(product?["modified"]?.elements == ["pages/one.txt"] && product?["extra"]?.elements == ["notes"])
  }

  @Test func `a damaged record does not hide other products`() throws {
    for product in ["com.example.b", "com.example.c"] {
      try work.makeBookPackage("\(product).pkg", product: product)
      try work.iapkg("extract", "\(product).pkg").succeeds()
    }
    try work.write("damaged", to: "Documents/.iapkg/records/com.example.b")
    let outcome = try work.iapkg("status").exits(74, saying: ".iapkg/records/com.example.b is damaged")
    #expect(outcome.output.contains("com.example.book 1.0") && outcome.output.contains("com.example.c 1.0"))
    let document = try work.iapkg("status", "--format=json").exits(74).document()
    #expect(document["products"]?.elements.count == 2)
    #expect(document["error"]?["code"] == 74)
    #expect(document["unread"]?.elements.count == 1)
    try work.iapkg("status", "com.example.c").succeeds()
  }
}
