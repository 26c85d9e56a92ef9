import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

extension ProcessAccess {
  /// Adds a store to read: a folder, a bucket or a web server.
  mutating func read(store: String) {
    spool()
    if StoreLocation.scheme(of: store) == nil { read(store) } else { connect() }
  }

  /// Adds a store to change, and the keys that sign its documents.
  mutating func change(_ store: String?, signingWith keys: [String]) {
    spool()
    if let store {
      StoreLocation.scheme(of: store) == nil
        ? change(store, mayVanish: Self.isUnused(store)) : connect()
    }
    for key in keys { sign(with: key) }
  }

  /// Allows connections, and adds the configuration and certificate files of the C library's resolver, OpenSSL and
  /// the AWS tools.
  mutating func connect() {
    connects = true
    let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"]
    for path in Self.networkFiles + variables.compactMap(ProcessEnvironment.value) { read(path) }
    // A system service can replace the file during the run, so its folder must be readable.
    if let resolver = try? FileSystem.resolved("/etc/resolv.conf"), !resolver.hasPrefix("/etc/") {
      read(FileSystem.folder(of: resolver))
    }
    let home = ProcessEnvironment.value("HOME") ?? ""
    read(ProcessEnvironment.value("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials")
    read(ProcessEnvironment.value("AWS_CONFIG_FILE") ?? "\(home)/.aws/config")
  }

  private static let networkFiles = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/crypto-policies",
    "/etc/krb5.conf",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/var/lib/ca-certificates",
  ]

  /// Adds the files and devices that `ssh-keygen` needs to sign: system programs and libraries, the keys, the terminal
  /// (for a passphrase) and security tokens.
  private mutating func sign(with key: String) {
    change(FileSystem.temporaryFolder)
    for path in [key, key + ".pub", KeyMemory.path(beside: key)] { read(path) }
    make(KeyMemory.path(beside: key))
    let searched = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":").map(String.init)
    for path in Self.programFolders + searched { execute(path) }
    for path in Self.signingFiles { read(path) }
    if let home = ProcessEnvironment.value("HOME") { read("\(home)/.ssh") }
    for device in Self.devices { use(device: device) }
    let names = (try? DirectoryHandle.open("/dev").list()) ?? []
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name.hasPrefix("hidraw") {
      use(device: "/dev/\(name)")
    }
    // A graphical passphrase prompt may read desktop files from any folder.
    let desktop = ["SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY"]
    if StandardStream.error.isTerminal, desktop.contains(where: { ProcessEnvironment.value($0) != nil }) {
      execute("/")
    }
  }

  private static let programFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
  ]
  private static let signingFiles = [
    "/etc", "/proc/self", "/sys/class/hidraw", "/sys/devices", "/run/udev",
  ]
  private static let devices = ["/dev/null", "/dev/tty", "/dev/zero", "/dev/random", "/dev/urandom"]
}

extension ProcessAccess {
  /// Adds the files with the trusted keys and the token for the store's server.
  mutating func read(_ release: ReleaseOptions) {
    read(trust: release.trust ?? release.trustOnly, release.credentials)
  }

  /// Adds the files with the trusted keys and the token for the server of a store that is read.
  mutating func read(trust: String?, _ credentials: StoreCredentialOptions) {
    for path in [trust, credentials.tokenFile].compactMap(\.self) { read(path) }
  }

  /// Adds the origin stores of the installed products.
  mutating func readOrigins(in documents: DocumentsOptions) {
    for store in ProductOrigin.stores(notedIn: documents.into) { read(store: store) }
  }
}

extension StoreSourceOptions {
  /// The access that reading the store requires.
  var access: ProcessAccess {
    var access = ProcessAccess()
    access.read(store: from)
    access.read(trust: trust, credentials)
    return access
  }
}

extension StoreTargetOptions {
  /// Returns the access that changing the store requires. Without options, the settings of `folders` name the store and
  /// the key.
  func access(settingsOf folders: [String] = ["."], _ exclusion: ExclusionOptions? = nil) -> ProcessAccess {
    var access = ProcessAccess()
    folders.forEach { access.readSettings(of: $0) }
    let settings = folders.compactMap { try? FolderSettings.load(for: $0, excluding: exclusion?.list ?? []) }
    let target = try? TargetSettings(of: settings, except: givenKeys.union([.channel]))
    access.change(
      to ?? target?.store?.value,
      signingWith: signWith.isEmpty ? [target?.signWith?.value].compactMap(\.self) : signWith)
    return access
  }
}

extension ComparisonOptions {
  /// The access that reading the baseline requires: a package, a content folder or a store.
  var access: ProcessAccess {
    var access = ProcessAccess()
    if let published { access.read(CommandInput(published, .package, .contentFolder)) }
    if let store { access.read(store: store) }
    access.read(trust: trust, credentials)
    return access
  }
}
