import CLibrary

/// Returns the logarithm to base 2, computed by the C library.
package func binaryLogarithm(_ value: Double) -> Double { log2(value) }
