extension NameRecognizer {
  /// Folded extensions of programs, libraries and installers, each a bundle folder or a single file (Apple's Bundle
  /// Programming Guide; the uniform type identifiers of bundles and executables). Data can have such names too, such as
  /// Unity's `.bundle` files or a folder `com.example.app`, so a name proves nothing.
  static let bundles: [String: Recognition] = recognitions([
    "an application": ["app", "ipa", "apk", "aab", "appx", "msix"],
    "an app extension": ["appex"],
    "an XPC service": ["xpc"],
    "a library": ["framework", "xcframework", "dylib"],
    "a loadable bundle": ["bundle", "prefpane", "qlgenerator", "mdimporter", "saver"],
    "a plug-in": ["plugin"],
    "a system extension": ["kext", "dext", "systemextension"],
    "a Java program": ["jar", "jmod"],
    "a browser extension": ["crx", "xpi"],
    "an installer": ["mpkg", "msi"],
    "an Automator workflow": ["workflow"],
  ]) { .possibleCode($0) }

  /// Folded extensions of source files, and of files that may be executable or change the settings of a system.
  ///
  /// HTML is not included, nor are shaders, which are content for the engines that read them.
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
    "a Lua file": ["lua", "luau"],
    "a TypeScript file": ["tsx", "cts"],
    "a GDScript file": ["gd"],
    "a C# file": ["cs", "csx"],
    "a Squirrel file": ["nut"],
    "a Wren file": ["wren"],
    "a Ren'Py script": ["rpy"],
    "a Haxe file": ["hx"],
    "a Dart file": ["dart"],
    "a CoffeeScript file": ["coffee"],
    "a Groovy file": ["groovy"],
    "a Swift file": ["swift"],
    "a Kotlin file": ["kt", "kts"],
    "a Java file": ["java"],
    "a Go file": ["go"],
    "a Rust file": ["rs"],
    "a C or C++ file": ["c", "cc", "cpp", "cxx"],
    "an Objective-C++ file": ["mm"],
    "a Visual Basic file": ["vb", "bas"],
  ]) { Recognition(.scriptSource, $0) }
  .merging(
    recognitions([
      "a Windows executable": ["exe", "dll"],
      "a shared library": ["so"],
      "a command file": ["command"],
      "Terminal settings, which can run a command": ["terminal"],
      "a configuration profile": ["mobileconfig"],
      "a desktop entry, which can run a program": ["desktop"],
      "Windows registry entries": ["reg"],
      "an internet shortcut": ["url"],
      "a Windows help file": ["chm"],
    ]) { .possibleCode($0) }
  ) { first, _ in first }

  /// Folded extensions of source files that binary formats also use. A file with such an extension is source only if it
  /// is text: `ts` and `mts` are also MPEG transport streams, and `mts` is also a Minetest schematic.
  static let texts: [String: Recognition] = recognitions([
    "a TypeScript file": ["ts", "mts"]
  ]) { Recognition(.scriptSource, $0) }

  /// Names of junk that packing omits, compared exactly.
  static let junk: [String: Recognition] = recognitions([
    "a Finder settings file": [".DS_Store"],
    "a folder of macOS metadata": ["__MACOSX"],
    "a version control item": [".git", ".svn", "CVS", ".hg", ".gitignore", ".gitattributes"],
    "a folder of compiled Python modules": ["__pycache__"],
    "a file or folder of iapkg": [".iapkg", ".iapkg.yml", ".iapkgignore", ".iapkg-cache"],
  ]) { Recognition(.junk, $0) }

  /// Folded names of junk that Windows writes in different letter cases.
  static let windowsJunk: [String: Recognition] = recognitions([
    "a Windows thumbnail file": ["thumbs.db"],
    "a Windows folder settings file": ["desktop.ini"],
  ]) { Recognition(.junk, $0) }

  private static func recognitions(
    _ names: [String: [String]], _ recognition: (_ formatName: String) -> Recognition
  ) -> [String: Recognition] {
    let pairs = names.flatMap { formatName, names in names.map { ($0, recognition(formatName)) } }
    return Dictionary(pairs) { first, _ in first }
  }
}
