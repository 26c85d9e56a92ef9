import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

extension ProcessAccess {
  /// A store that is read: a folder, a bucket or a web server.
  mutating func read(store: String) {
    spool()
    if StoreLocation.scheme(of: store) == nil { read(store) } else { connect() }
  }

  /// A store that is changed, and the key that signs its catalog.
  mutating func change(_ store: String?, signingWith key: String?) {
    spool()
    if let store { StoreLocation.scheme(of: store) == nil ? change(store) : connect() }
    if let key { sign(with: key) }
  }

  /// Other machines, and what names them and says which of them are trusted: the files of the C library's resolver, of
  /// OpenSSL and of AWS's tools.
  mutating func connect() {
    connects = true
    let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"]
    for path in Self.networkFiles + variables.compactMap(ProcessEnvironment.value) { read(path) }
    // Another file may get the name during the run, where a program of the system keeps it.
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

  /// `ssh-keygen`, which signs: the programs and libraries of the system, its keys, the terminal on which it asks for a
  /// passphrase, and security tokens.
  private mutating func sign(with key: String) {
    change(FileSystem.temporaryFolder)
    for path in [key, key + ".pub"] { read(path) }
    let searched = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":").map(String.init)
    for path in Self.programFolders + searched { execute(path) }
    for path in Self.signingFiles { read(path) }
    if let home = ProcessEnvironment.value("HOME") { read("\(home)/.ssh") }
    for device in Self.devices { use(device: device) }
    let names = (try? DirectoryHandle.open("/dev").list()) ?? []
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name.hasPrefix("hidraw") {
      use(device: "/dev/\(name)")
    }
    // A program that asks in a window reads what a desktop has, wherever that lies.
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
  /// The files that say whom a store must be signed by, and what its server gets.
  mutating func read(_ release: ReleaseOptions) {
    read(trust: release.trust ?? release.trustOnly, release.credentials)
  }

  /// The same of a store that is read.
  mutating func read(trust: String?, _ credentials: StoreCredentialOptions) {
    for path in [trust, credentials.tokenFile].compactMap(\.self) { read(path) }
  }

  /// The stores that installed products come from.
  mutating func readOrigins(in documents: DocumentsOptions) {
    for store in ProductOrigin.stores(notedIn: documents.into) { read(store: store) }
  }
}

extension StoreSourceOptions {
  /// The access that reading the store takes.
  var access: ProcessAccess {
    var access = ProcessAccess()
    access.read(store: from)
    access.read(trust: trust, credentials)
    return access
  }
}

extension StoreTargetOptions {
  /// What changing the store takes: what the options name, or else the settings of these folders.
  func access(settingsOf folders: [String] = ["."], _ exclusion: ExclusionOptions? = nil) -> ProcessAccess {
    var access = ProcessAccess()
    folders.forEach { access.readSettings(of: $0) }
    let settings = folders.compactMap { try? FolderSettings.load(for: $0, excluding: exclusion?.list ?? []) }
    let target = try? TargetSettings(of: settings)
    access.change(to ?? target?.store?.value, signingWith: signWith ?? target?.signWith?.value)
    return access
  }
}

extension ComparisonOptions {
  /// What the comparison reads: a package, a content folder or a store.
  var access: ProcessAccess {
    var access = ProcessAccess()
    if let published { access.read(CommandInput(published, .package, .contentFolder)) }
    if let store { access.read(store: store) }
    access.read(trust: trust, credentials)
    return access
  }
}
