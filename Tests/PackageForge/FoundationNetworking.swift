/// The behavior of URLSession in swift-corelibs-foundation that a test cannot avoid; the design document lists each.
package enum FoundationNetworking {
  /// Whether the tests run over URLSession of swift-corelibs-foundation.
  #if COMMAND_LINE_TOOL || canImport(Darwin)
  package static let isUsed = false
  #else
  package static let isUsed = true
  #endif
}
