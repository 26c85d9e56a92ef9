package import Support

extension StandardStream {
  /// Whether the stream was closed when the process started; `reserve` has then opened the root directory in its place.
  package var isClosed: Bool {
    guard let status = try? POSIX.status(of: rawValue) else { return true }
    return status.kind == .folder
      && (try? FileSystem.status(of: "/", followingLinks: true))?.identity == status.identity
  }
}
