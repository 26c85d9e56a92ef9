// The system's libxml2. All other targets import it from here.
//
// The headers of Apple's SDKs lie in usr/include/libxml2, which a module map of a package does not find. The SDKs have a module
// map of their own there.

#if canImport(Darwin)
@_exported import libxml2  // untested
#else
@_exported import CLibXML2
#endif
