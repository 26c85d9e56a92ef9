import Crypto
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// An HTML page that asks for nothing from anywhere.
///
/// The page's policy allows its own style and script, by their digests, and nothing else. Names are only in its data
/// block, of which the script makes text.
struct HTMLPage {
  /// What the browser calls the page.
  let title: String
  let heading: String
  /// What stands above all else, each with a word for it.
  let facts: [(word: String, text: String)]
  /// What the page does beside `PageScript.common`.
  let script: String

  private var wholeScript: String { PageScript.common + script }

  /// All that stands before the data, which are JSON by `embedded`.
  var start: String { head(wholeScript) + "<script id=\"data\" type=\"application/json\">" }

  /// All that stands after the data.
  var end: String { "</script>\n<script>\(wholeScript)</script>\n</body>\n</html>\n" }

  private func head(_ script: String) -> String {
    let policy =
      "default-src 'none'; script-src \(Self.source(script)); style-src \(Self.source(PageStyle.text)); "
      + "base-uri 'none'; form-action 'none'"
    let list = facts.map { "<li><span>\($0.word)</span> <strong>\($0.text.escapedForXML)</strong></li>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.escapedForXML)</title>
      <style>\(PageStyle.text)</style>
      </head>
      <body>
      <header>
      <h1>\(heading.escapedForXML)</h1>
      <ul>
      \(list.joined(separator: "\n"))
      </ul>
      <noscript><p>This page needs its own script to show the content.</p></noscript>
      </header>
      <main></main>

      """
  }

  /// What a policy calls an inline style or script (Content Security Policy Level 3, 2.3.1).
  private static func source(_ text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
  }

  /// JSON that can stand in a script element, which no `<` in it may end.
  static func embedded(_ json: some StringProtocol) -> String {
    json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }
}
