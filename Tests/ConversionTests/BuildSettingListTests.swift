import PropertyList
import Testing

@testable import Conversion

/// Build settings that are lists.
struct BuildSettingListTests {
  @Test(arguments: [
    ("a b", ["a", "b"]), ("", []), ("  a\tb ", ["a", "b"]), (#""voice over" b"#, ["voice over", "b"]),
    (#"voice\ over b"#, ["voice over", "b"]), (#"'a"b' c"#, [#"a"b"#, "c"]), (#""""#, [""]), (#"a\"#, ["a"]),
    (#""open end"#, ["open end"]),
  ])
  func `words end at spaces that are not quoted`(_ text: String, _ words: [String]) {
    #expect(BuildSettingList.words(text) == words)
  }

  @Test func `an array has the words of its elements`() {
    let value = PropertyListValue.array([.string("voice over"), .string("a'b"), .string("plain")])
    #expect(BuildSettingList.text(value).map(BuildSettingList.words) == ["voice over", "a'b", "plain"])
    #expect(BuildSettingList.text(.array([.string("$(inherited)"), .string("b")])) == "$(inherited) b")
    #expect(
      BuildSettingList.text(.array([.integer(1)])) == nil && BuildSettingList.text(.string("a b")) == "a b")
  }
}
