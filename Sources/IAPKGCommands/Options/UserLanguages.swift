import Delivery
import Support

extension LanguageTag {
  /// The languages of the user, preferred first, from the environment variables of GNU gettext: `LANGUAGE` is a list;
  /// `LC_ALL`, `LC_MESSAGES` and `LANG` name a locale, such as `de_AT.UTF-8`. Without a language in the locale, gettext
  /// ignores the list.
  static var ofUser: [LanguageTag] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(ProcessEnvironment.value).first
    guard let locale, let language = tag(ofLocale: locale) else { return [] }
    let list = (ProcessEnvironment.value("LANGUAGE") ?? "").split(separator: ":").map(String.init)
    return list.compactMap(tag(ofLocale:)) + [language]
  }

  /// Returns the language of a locale; nil for `C` and `POSIX`.
  private static func tag(ofLocale name: String) -> LanguageTag? {
    let language = name.prefix { $0 != "." && $0 != "@" }
    guard language != "POSIX" else { return nil }
    return LanguageTag(String(language.map { $0 == "_" ? "-" : $0 }))
  }
}
