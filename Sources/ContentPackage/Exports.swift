// The signatures of the library use paths, times, errors and cancellation of these modules, so importing the library
// imports them too. Everything else in them is visible to this package only.

@_exported public import SafeFiles
@_exported public import Support
@_exported public import ZipArchive
