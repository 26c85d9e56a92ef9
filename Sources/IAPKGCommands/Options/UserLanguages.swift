import Delivery
import Support

extension LanguageTag {
  /// The languages of the user, preferred first, by the variables of GNU gettext: `LANGUAGE` is a list, and the others
  /// name a locale, such as `de_AT.UTF-8`.
  static var ofUser: [LanguageTag] {
    let list = (ProcessEnvironment.value("LANGUAGE") ?? "").split(separator: ":").map(String.init)
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(ProcessEnvironment.value).first
    return (list + [locale].compactMap(\.self)).compactMap(tag(ofLocale:))
  }

  /// Returns the language of a locale; nil for `C` and `POSIX`.
  private static func tag(ofLocale name: String) -> LanguageTag? {
    let language = name.prefix { $0 != "." && $0 != "@" }
    guard language != "POSIX" else { return nil }
    return LanguageTag(String(language.map { $0 == "_" ? "-" : $0 }))
  }
}
