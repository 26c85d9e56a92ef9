// Neither compiled nor run here: this part needs URLSession of Apple's systems, and an app that the system suspends.
#if os(iOS) || os(tvOS) || os(visionOS)
import AppContent
import Foundation
import Synchronization

/// Downloads products in parts while the app is suspended.
///
/// Create it at each start with the same identifier, even when the system starts the app for the events of a background
/// session: the session then delivers the received files.
public final class BackgroundDownloads: NSObject, URLSessionDownloadDelegate, Sendable {
  private let library: ContentLibrary
  /// A folder for received files that are not accepted yet, on the volume of the library's folder.
  private let inbox: URL
  private let identifier: String
  private let onFailure: @Sendable (any Error) -> Void
  private let session = Mutex<URLSession?>(nil)

  public init(
    identifier: String, library: ContentLibrary, inbox: URL,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.identifier = identifier
    self.library = library
    self.inbox = inbox
    self.onFailure = onFailure
    super.init()
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    configuration.sessionSendsLaunchEvents = true
    let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    session.withLock { $0 = made }
  }

  /// Starts the download of a product, or its missing parts; call it again at each start of the app.
  public func download(_ product: String) async throws {
    guard let plan = try await library.plan(product), let session = session.withLock(\.self) else { return }
    let running = Set(await session.allTasks.compactMap(\.taskDescription))
    for part in try await plan.parts() {
      let name = "\(product)/\(part.id)"
      guard !running.contains(name) else { continue }
      var request = URLRequest(url: part.url)
      for (field, value) in part.headers { request.setValue(value, forHTTPHeaderField: field) }
      let task = session.downloadTask(with: request)
      task.taskDescription = name
      task.countOfBytesClientExpectsToReceive = part.byteCount
      task.resume()
    }
  }

  /// Moves the file before it returns, because the system then deletes the file.
  public func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    guard let words = task.taskDescription?.split(separator: "/"), words.count == 2 else { return }
    let (product, id) = (String(words[0]), String(words[1]))
    let file = inbox.appendingPathComponent(id)
    do {
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: location, to: file)
    } catch {
      return onFailure(error)
    }
    Task { await accept(file, id, of: product) }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error { onFailure(error) }
  }

  private func accept(_ file: URL, _ id: String, of product: String) async {
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      guard let plan = try await library.recordedPlan(for: product) else { return }
      try await plan.accept(file, for: id)
      if try await plan.parts().isEmpty { try await plan.finish() }
    } catch {
      onFailure(error)
    }
  }
}
#endif
