import SafeFiles
import Support
import Testing

@testable import IAPKGCommands

struct TextLayoutTests {
  private static let text = "one two three four five six seven eight"

  @Test func `a sentence is wrapped at spaces and indented`() {
    let lines = TextLayout(columns: 30).lines(after: "error: ", width: 7, Self.text)
    #expect(lines == ["error: one two three four five", "       six seven eight"])
  }

  @Test func `colors have no width`() {
    let style = TextStyle(.always, for: .output)
    let layout = TextLayout(columns: 30)
    let colored = Self.text.split(separator: " ").map { style.error(String($0)) }.joined(separator: " ")
    let plain = layout.lines(after: "", width: 0, Self.text)
    let breaks = layout.lines(after: "", width: 0, colored).map { $0.split(separator: " ").count }
    #expect(plain.count == 2)
    #expect(breaks == plain.map { $0.split(separator: " ").count })
    #expect(TextLayout.width(of: style.success("漢字é")) == 5)
  }

  @Test func `output without a terminal is not wrapped, and neither are paths`() {
    #expect(TextLayout(columns: nil).lines(after: "", width: 0, Self.text) == [Self.text])
    let lines = TextLayout(columns: 20).sentence(in: [Self.text, "  + \(Self.text)"])
    #expect(lines == ["one two three four", "five six seven eight", "  + \(Self.text)"])
  }
}
