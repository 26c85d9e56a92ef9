import Support

/// A self-contained HTML page, which makes no requests.
///
/// The content security policy allows only the page's own style and script, by their digests. Names in the markup are
/// escaped, and the script inserts names from the data block as text.
struct HTMLPage {
  /// The title in the browser.
  let title: String
  let heading: String
  /// The labeled facts in the page header.
  let facts: [(label: String, text: String)]
  /// The script of the page, which follows `PageResource.common`.
  let script: String

  private var completeScript: String { PageResource.common + script }

  /// The page before the data, which must be JSON from `embedded`.
  var start: String { head(completeScript) + "<script id=\"data\" type=\"application/json\">" }

  /// The page after the data.
  var end: String { "</script>\n<script>\(completeScript)</script>\n</body>\n</html>\n" }

  private func head(_ script: String) -> String {
    let policy =
      "default-src 'none'; script-src \(Self.source(script)); style-src \(Self.source(PageResource.style)); "
      + "base-uri 'none'; form-action 'none'"
    let list = facts.map { "<li><span>\($0.label)</span> <strong>\($0.text.escapedForXML)</strong></li>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.escapedForXML)</title>
      <style>\(PageResource.style)</style>
      </head>
      <body>
      <header>
      <h1>\(heading.escapedForXML)</h1>
      <ul>
      \(list.joined(separator: "\n"))
      </ul>
      <noscript><p>This page needs JavaScript to show its content.</p></noscript>
      </header>
      <main></main>

      """
  }

  /// Returns the source expression of an inline style or script (Content Security Policy Level 3, 2.3.1).
  private static func source(_ text: String) -> String {
    "'sha256-\(SHA256Digest(of: Array(text.utf8)).base64)'"
  }

  /// Returns JSON for use in a script element, with every `<` escaped, which could otherwise end the element.
  static func embedded(_ json: some StringProtocol) -> String {
    json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }
}
