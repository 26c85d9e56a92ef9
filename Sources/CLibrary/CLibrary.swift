// The C library of the system. All other targets import it from here.

#if canImport(Darwin)
@_exported import Darwin  // untested
#elseif canImport(Musl)
@_exported import Musl  // untested
#else
@_exported import Glibc
#endif
