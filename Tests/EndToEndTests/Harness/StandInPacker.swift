import TestSupport
import Testing

/// A stand-in for Apple's `ba-package`, with its command line. It never replaces an archive, and each archive has other
/// bytes. A file such as `refuse` in the folder of the pack makes it fail.
struct StandInPacker {
  /// The path of the program.
  let path: String
  private let work: Workspace

  /// Installs the program in the folder `bin` of a workspace.
  init(_ work: Workspace) throws {
    self.work = work
    path = work.place("bin/ba-package")
    try work.write(
      """
      #!/bin/sh
      manifest=$1
      [ "$#" = 3 ] && [ "$2" = -o ] || { echo "usage: ba-package Manifest.json -o X.aar" >&2; exit 64; }
      case $3 in *.aar) ;; *) echo "the archive must end in .aar" >&2; exit 64 ;; esac
      [ ! -e "$3" ] || { echo "the archive exists" >&2; exit 1; }
      [ "$manifest" = "$PWD/Manifest.json" ] || { echo "another working directory" >&2; exit 1; }
      echo "$PWD" >> "${0%/*}/log"
      [ ! -e refuse ] || { printf 'line one\\nthe pack is refused\\033[31m\\n' >&2; exit 3; }
      [ ! -e silent ] || exit 0
      [ ! -e plain ] || { echo "packing is done" > "$3"; exit 0; }
      [ ! -e die ] || kill -9 $$
      [ ! -e kill ] || { kill -9 $PPID; exit 1; }
      [ ! -e interrupt ] || { kill -TERM $PPID; exec tail -f /dev/null; }
      [ ! -e change ] || echo more >> change
      { printf pbze; head -c 16 /dev/urandom; cat "$manifest"; find . -type f -exec cat {} +; } > "$3"

      """, to: "bin/ba-package", permissions: 0o755)
  }

  /// The environment in which the program is found.
  func environment(_ path: String = "/usr/bin:/bin") -> [String: String] {
    ["PATH": "\(work.place("bin")):\(path)"]
  }

  /// Returns the number of runs so far, including failed ones.
  func count() throws -> Int {
    work.exists("bin/log") ? try work.text("bin/log").split(separator: "\n").count : 0
  }
}

/// Two products to pack.
extension StandInPacker {
  /// Installs the program beside the content folders `products/book` and `products/game`.
  static func besideProducts(_ work: Workspace) throws -> StandInPacker {
    let packer = try StandInPacker(work)
    try work.makeBook("products/book")
    try work.makeBook("products/game", product: "com.example.game")
    return packer
  }

  /// Exports and packs the products into the folder `Packs`.
  func pack(_ words: String...) throws -> Outcome {
    try work.iapkg(
      ["export", "products", "--background-assets", "Packs", "--pack"] + words, environment: environment())
  }
}
