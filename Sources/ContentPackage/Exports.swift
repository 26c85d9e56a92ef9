// The paths, times and errors of these modules stand in the library's own signatures, so that whoever imports
// the library has them too. All else in them is seen by this package only.

@_exported public import SafeFiles
@_exported public import ZipArchive
