import LibXML2
import PropertyList
import TestSupport
import Testing

/// Parsing does not affect other uses of libxml2 in the process.
struct ForeignParserTests {
  @Test func `other parsers of the process still load their entities`() throws {
    _ = try PropertyListDocument.parse(plist("<true/>"))
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write("text", to: "entity")
    let xml = "<!DOCTYPE a [<!ENTITY e SYSTEM \"\(folder.place("entity"))\">]><a>&e;</a>"
    let document = unsafe xmlReadMemory(
      xml, CInt(xml.utf8.count), nil, nil, CInt(bitPattern: XML_PARSE_NOENT.rawValue))
    defer { unsafe xmlFreeDoc(document) }
    let text = unsafe xmlDocGetRootElement(document)?.pointee.children?.pointee.content
    #expect(unsafe text.map { unsafe String(cString: $0) } == "text")
  }
}
