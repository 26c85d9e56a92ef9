#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The logarithm to the base 2, computed by the C library.
package func binaryLogarithm(_ value: Double) -> Double { log2(value) }
