import Testing

@testable import Delivery

/// Language tags, and the choice among them.
struct LanguageTagTests {
  @Test(arguments: ["de", "pt-BR", "zh-Hant-TW", "und", "sr-Latn", "es-419"])
  func `tags of BCP 47 are accepted`(_ text: String) {
    #expect(LanguageTag(text)?.text == text)
  }

  @Test(
    arguments: [
      "", "d", "de_AT", "de-", "-de", "de--AT", "d3", "4d", "../x", "de/AT", "dé", "abcdefghi",
      "de-abcdefghi",
      "de-AT-de-AT-de-AT-de-AT-de-AT-de-ATX",
    ])
  func `other texts are refused`(_ text: String) { #expect(LanguageTag(text) == nil) }

  @Test(
    arguments: [
      (["en", "de"], ["de-AT", "fr"], "de"), (["en", "de-DE"], ["de-AT"], "de-DE"),
      (["en", "pt-BR", "pt"], ["pt-br"], "pt-BR"), (["de", "en-GB"], ["fr"], "en-GB"),
      (["de", "und", "en"], ["fr"], "und"), (["de", "fr"], [], "de"), (["de", "fr"], ["fr", "de"], "fr"),
      (["zh-Hant", "zh-Hans"], ["zh-Hans-CN"], "zh-Hans"), (["DE"], ["de"], "DE"), ([], ["de"], nil),
    ] as [([String], [String], String?)])
  func `the best available language is chosen`(_ tags: [String], _ languages: [String], _ expected: String?) {
    let best = tags.compactMap(LanguageTag.init).best(for: languages.compactMap(LanguageTag.init))
    #expect(best?.text == expected)
  }
}
