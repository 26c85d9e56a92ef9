import ArgumentParser
import Conversion
import Delivery
import HTTPTransport
import Support

/// The options for publishing self-hosted asset packs.
struct HostingOptions: ParsableArguments {
  @Flag(
    help: """
      Publish the archives and the download manifest of self-hosted packs to a folder or bucket, in a folder for each \
      platform. Only changed packs get a higher version.
      """)
  var downloadManifest = false

  @Option(
    help: ArgumentHelp(
      "The https:// address at which devices find the folder or bucket.", valueName: "url"))
  var baseUrl: String?

  @Option(
    help: ArgumentHelp("The folder, or s3://bucket/prefix, for the asset packs.", valueName: "store"))
  var to: String?

  @Flag(
    help:
      "Check that every archive of the download manifest is in the folder, bucket or web server, and change nothing."
  )
  var verify = false

  @Flag(
    help: """
      Delete archives that the download manifest no longer names, and publish nothing. The newest archive of each pack stays.
      """)
  var prune = false

  @Option(
    help: ArgumentHelp(
      """
      With --prune: delete only what the download manifest has not named for this number of days, at least 1. The \
      default is \(AssetPackPruner.defaultDays).
      """, valueName: "days"))
  var olderThan: Int64?

  @Option(
    help: ArgumentHelp(
      "Remove this asset pack from the download manifest, even if its folder still exists. The option can be repeated.",
      valueName: "id"))
  var remove: [String] = []

  @Option(
    help: ArgumentHelp(
      "The minimum version of new and changed packs. Use it if devices may have higher versions than the store.",
      valueName: "n"))
  var atLeast: Int64?

  @Flag(help: "Replace a lost download manifest with one that omits the packs that are not in the folder.")
  var newManifest = false

  @Flag(
    help: "Publish to a bucket that ignores conditional writes. No other process may publish meanwhile.")
  var singlePublisher = false

  @Option(
    help: ArgumentHelp(
      "Write the keys that the Info.plist of the app needs, with the sizes of the packs, to this file.",
      valueName: "file"), completion: .file())
  var infoPlist: String?

  @Option(
    help: ArgumentHelp(
      "With --info-plist: the app group of the app and its downloader extension.", valueName: "id"))
  var appGroup: String?

  func validate() throws {
    guard downloadManifest else {
      let given = [
        ("--base-url", baseUrl != nil), ("--to", to != nil), ("--verify", verify), ("--prune", prune),
        ("--older-than", olderThan != nil), ("--remove", !remove.isEmpty), ("--at-least", atLeast != nil),
        ("--new-manifest", newManifest), ("--single-publisher", singlePublisher),
        ("--info-plist", infoPlist != nil), ("--app-group", appGroup != nil),
      ]
      if let option = given.first(where: \.1)?.0 {
        throw ValidationError("\(option) requires --download-manifest")
      }
      return
    }
    guard let to, !to.isEmpty else {
      throw ValidationError("--download-manifest requires --to with a folder or bucket")
    }
    try StoreAddress.check(to, of: "--to")
    if !verify { try StoreTargetOptions.check(to) }
    if prune, verify || baseUrl != nil {
      throw ValidationError("--prune cannot be combined with --verify or --base-url")
    }
    if !prune { _ = try base }
    if let olderThan {
      guard prune else { throw ValidationError("--older-than requires --prune") }
      guard (StorePruner.graceDays...StoreTargetOptions.maximumDays).contains(olderThan) else {
        throw ValidationError(
          "--older-than is \(olderThan), expected \(StorePruner.graceDays) to \(StoreTargetOptions.maximumDays) days"
        )
      }
    }
    if let atLeast, !(1...DownloadManifest.maximumNumber).contains(atLeast) {
      throw ValidationError("--at-least is \(atLeast), expected 1 to \(DownloadManifest.maximumNumber)")
    }
    if let only = storeTask, !remove.isEmpty || atLeast != nil || newManifest || infoPlist != nil {
      throw ValidationError("\(only) publishes nothing, and cannot be combined with publishing options")
    }
    if let appGroup, !AssetPackLayout.isIdentifier(appGroup) {
      throw ValidationError(
        "--app-group is '\(String(displaying: appGroup.utf8))', expected an app group such as group.com.example.app"
      )
    }
    guard (infoPlist == nil) == (appGroup == nil) else {
      throw ValidationError("--info-plist and --app-group must be given together")
    }
  }

  /// The option with which the command only checks or cleans up the store; nil for none.
  var storeTask: String? { verify ? "--verify" : prune ? "--prune" : nil }

  /// Returns whether an https address names a host without a user. An `@` in its path is not part of a user.
  private static func hasPlainHost(_ address: String) -> Bool {
    guard address.hasPrefix("https://") else { return false }
    let host = address.dropFirst("https://".count).prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.contains("@")
  }

  /// The address of the store for devices, without a trailing slash.
  ///
  /// - Throws: `ValidationError` if `--base-url` is missing, or is not an https address without user, query, fragment
  ///   and `..`.
  var base: String {
    get throws {
      guard let baseUrl else { throw ValidationError("--download-manifest requires --base-url") }
      // The error must not repeat a password.
      guard !baseUrl.contains("@") || Self.hasPlainHost(baseUrl) else {
        throw ValidationError("--base-url names a user or password, expected none")
      }
      var address = baseUrl[...]
      while address.hasSuffix("/") { address.removeLast() }
      let rest = address.dropFirst("https://".count)
      guard address.hasPrefix("https://"), let first = rest.first, first != "/",
        rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
        !rest.contains(where: { "?#\"\\<>".contains($0) }),
        !rest.lowercased().replacing("%2e", with: ".").split(separator: "/").contains(where: {
          $0 == "." || $0 == ".."
        })
      else {
        throw ValidationError(
          "--base-url is '\(String(displaying: baseUrl.prefix { $0 != "?" }.utf8))', expected https://, a host and a path "
            + "without query, fragment and '..'")
      }
      return String(address)
    }
  }

  /// The host of `base`, for the list of allowed domains. An IPv6 address has brackets.
  var host: String {
    get throws {
      let authority = try base.dropFirst("https://".count).prefix { $0 != "/" }
      if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
        return String(authority[...end])
      }
      return String(authority.prefix { $0 != ":" })
    }
  }

  var publication: AssetPackHost.Options {
    var options = AssetPackHost.Options()
    options.removed = Set(remove)
    options.minimumVersion = atLeast ?? options.minimumVersion
    options.startsNewManifest = newManifest
    return options
  }
}
