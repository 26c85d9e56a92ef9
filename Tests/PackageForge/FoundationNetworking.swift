/// The URLSession of swift-corelibs-foundation, whose deviations some tests must allow. The design document lists them.
package enum FoundationNetworking {
  /// Whether the tests run over URLSession of swift-corelibs-foundation.
  #if COMMAND_LINE_TOOL || canImport(Darwin)
  package static let isUsed = false
  #else
  package static let isUsed = true
  #endif
}
