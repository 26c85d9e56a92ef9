extension NameRecognizer {
  /// Extensions, folded, of folders and files that are code as a whole (Apple's Bundle Programming Guide; the
  /// uniform type identifiers of bundles and executables).
  ///
  /// A plug-in only warns: files of settings are called so as well.
  static let bundles: [String: Recognition] = recognitions([
    "an application": ["app", "ipa", "apk", "aab", "appx", "msix"],
    "an app extension": ["appex"],
    "an XPC service": ["xpc"],
    "a library": ["framework", "xcframework", "dylib"],
    "a loadable bundle": ["bundle", "prefpane", "qlgenerator", "mdimporter"],
    "a system extension": ["kext", "dext", "systemextension"],
    "a Java program": ["jar"],
    "a command file": ["command"],
    "an installer": ["mpkg", "msi"],
  ]) { Recognition(.fileExecutableBundle, $0) }
  .merging(recognitions(["a plug-in": ["plugin"]], Recognition.possibleCode)) { first, _ in first }

  /// Extensions, folded, of files that an interpreter reads, or that mark code which their bytes should confirm.
  ///
  /// Not among them: Lua's source and HTML, which are content to the engines that read them, and `.ts` and
  /// `.tsx`, which are more often video streams and tile sets.
  static let files: [String: Recognition] = recognitions([
    "a JavaScript file": ["js", "mjs", "cjs", "jsx"],
    "a Python file": ["py", "pyw"],
    "a Ruby file": ["rb"],
    "a Perl file": ["pl", "pm"],
    "a PHP file": ["php", "phtml", "phar"],
    "a shell script": ["sh", "bash", "zsh", "csh", "tcsh", "ksh", "fish"],
    "a PowerShell script": ["ps1", "psm1", "psd1"],
    "a Windows script": ["bat", "cmd", "vbs", "vbe", "jse", "wsf", "hta"],
    "an AppleScript": ["applescript", "scpt", "scptd"],
    "a Tcl script": ["tcl"],
  ]) { Recognition(.fileScript, $0) }
  .merging(
    recognitions(
      ["a Windows executable": ["exe", "dll"], "a shared library": ["so"]], Recognition.possibleCode)
  ) { first, _ in first }

  /// Names that `create` leaves out, letter by letter.
  static let junk: [String: Recognition] = recognitions([
    "a Finder settings file": [".DS_Store"],
    "a folder of macOS metadata": ["__MACOSX"],
    "the version control's own": [".git", ".svn", "CVS"],
  ]) { Recognition(.fileJunk, $0) }

  /// The same for names that Windows writes in more than one letter case.
  static let windowsJunk: [String: Recognition] = recognitions([
    "a Windows thumbnail file": ["thumbs.db"],
    "a Windows folder settings file": ["desktop.ini"],
  ]) { Recognition(.fileJunk, $0) }

  private static func recognitions(
    _ names: [String: [String]], _ recognition: (_ what: String) -> Recognition
  ) -> [String: Recognition] {
    let pairs = names.flatMap { what, names in names.map { ($0, recognition(what)) } }
    return Dictionary(pairs) { first, _ in first }
  }
}
