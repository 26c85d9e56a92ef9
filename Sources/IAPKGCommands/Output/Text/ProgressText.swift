import ContentPackage
import SafeFiles
import Support

/// The text of progress lines.
enum ProgressText {
  /// The maximum shown remaining time, in seconds; longer times are omitted.
  private static let maximumTime: Int64 = 100 * 3600

  /// Returns a line such as "packing 45 %, 41.5 MB/s, 0:12 left: Book.pkg", without unknown values.
  static func line(_ state: WorkProgress.State) -> String {
    let rate = Double(state.completedBytes) / max(state.elapsed / .seconds(1), .leastNormalMagnitude)
    let rest = (Double(state.totalBytes - state.completedBytes) / rate).rounded(.up)
    let text = text(
      name(of: state.activity), state.completedBytes, of: state.totalBytes,
      bytesPerSecond: Int64(exactly: rate.rounded(.down)) ?? 0, secondsRemaining: Int64(exactly: rest))
    return "\(text): \(String(displaying: state.path.utf8))"
  }

  /// Returns text such as "packing 45 %, 41.5 MB/s, 0:12 left", without unknown values.
  static func text(
    _ label: String, _ completedBytes: Int64, of totalBytes: Int64, bytesPerSecond: Int64,
    secondsRemaining: Int64?
  ) -> String {
    guard totalBytes > 0 else { return label }
    var parts = ["\(label) \(Quantity.percent(completedBytes, of: totalBytes))"]
    if bytesPerSecond > 0 { parts.append("\(Quantity.bytes(bytesPerSecond))/s") }
    if let secondsRemaining, secondsRemaining < maximumTime {
      parts.append("\(clock(Int(secondsRemaining))) left")
    }
    return parts.joined(separator: ", ")
  }

  static func name(of activity: WorkProgress.Activity) -> String {
    switch activity {
    case .checking: "checking"
    case .packing: "packing"
    case .copying: "copying"
    case .installing: "installing"
    case .unpacking: "unpacking"
    case .verifying: "verifying"
    case .comparing: "comparing"
    case .uploading: "uploading"
    case .downloading: "downloading"
    case .synchronizing: "writing to disk"
    case .waiting: "waiting for another iapkg"
    }
  }

  /// Formats a duration: "0:07", "12:34", "1:02:03".
  static func clock(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
    return parts.enumerated().map { String($0.element, width: $0.offset > 0 ? 2 : 1) }
      .joined(separator: ":")
  }
}
