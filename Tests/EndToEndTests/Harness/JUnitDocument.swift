import Foundation
import TestSupport

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A JUnit report as its readers see it: nested elements, with counts that must agree with the content.
final class JUnitDocument: NSObject, XMLParserDelegate {
  /// A suite, with the declared counts and those of its cases.
  struct Suite {
    let name: String
    let counts: [String: Int]
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
  }

  private(set) var suites: [Suite] = []
  /// The deviations from the structure and the counts that readers expect.
  private(set) var errors: [String] = []
  /// The count of failures in the root element.
  private(set) var failures = 0
  private var path: [String] = []
  private var names: Set<String> = []
  private var counts: [String: Int] = [:]

  /// The elements that each element may contain.
  private static let children: [String: Set<String>] = [
    "": ["testsuites"], "testsuites": ["testsuite"], "testsuite": ["testcase"],
    "testcase": ["failure", "error", "skipped", "system-out"],
  ]

  /// Parses a report; nil if the text is not well-formed XML.
  init?(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
    compare(
      counts, "testsuites",
      [
        "tests": suites.reduce(0) { $0 + $1.tests }, "failures": suites.reduce(0) { $0 + $1.failures },
        "errors": suites.reduce(0) { $0 + $1.errors },
      ])
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    if Self.children[path.last ?? ""]?.contains(element) != true {
      errors.append("\(element) in \(path)")
    }
    path.append(element)
    for value in attributes.values { check(value) }
    let numbers = attributes.compactMapValues(Int.init)
    switch element {
    case "testsuites":
      counts = numbers
      failures = numbers["failures"] ?? -1
    case "testsuite":
      suites.append(Suite(name: attributes["name"] ?? "", counts: numbers))
      names = []
    case "testcase":
      let name = "\(attributes["classname"] ?? "")\n\(attributes["name"] ?? "")"
      if attributes["name"]?.isEmpty != false || attributes["classname"] != suites.last?.name {
        errors.append("a case has the wrong name or class: \(name)")
      }
      if !names.insert(name).inserted { errors.append("two cases are called \(name)") }
      change { $0.tests += 1 }
    case "failure": change { $0.failures += 1 }
    case "error": change { $0.errors += 1 }
    case "skipped": change { $0.skipped += 1 }
    default: break
    }
    if ["failure", "error", "skipped"].contains(element), attributes["message"]?.isEmpty != false {
      errors.append("\(element) has no message")
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
    guard element == "testsuite", let suite = suites.last else { return }
    compare(
      suite.counts, suite.name,
      [
        "tests": suite.tests, "failures": suite.failures, "errors": suite.errors, "skipped": suite.skipped,
      ])
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { check(text) }

  private func change(_ body: (inout Suite) -> Void) {
    guard var suite = suites.popLast() else { return }
    body(&suite)
    suites.append(suite)
  }

  /// Checks that control characters are escaped, except line feeds, which separate findings.
  private func check(_ text: String) {
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" }) {
      errors.append("a control character in \(text.debugDescription)")
    }
  }

  private func compare(_ given: [String: Int], _ name: String, _ counted: [String: Int]) {
    for (key, count) in counted where given[key] != count {
      errors.append("\(name) has \(key)=\(given[key] ?? -1), but contains \(count)")
    }
  }
}
