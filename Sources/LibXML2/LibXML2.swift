// The system's libxml2. All other targets import it from here.
//
// Apple's SDKs have the headers in usr/include/libxml2, where the module map of a package does not find them. The SDKs
// have their own module map there.

#if canImport(Darwin)
@_exported import libxml2  // untested
#else
@_exported import CLibXML2
#endif
