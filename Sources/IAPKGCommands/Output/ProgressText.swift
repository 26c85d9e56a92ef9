import ContentPackage
import SafeFiles
import Support

/// The text of progress.
enum ProgressText {
  /// The longest remaining time that is shown, in seconds.
  private static let longestTime = 100.0 * 3600

  /// "packing 45 %, 41.5 MB/s, 0:12 left: Book.pkg", without what is unknown.
  static func line(_ state: WorkProgress.State) -> String {
    var parts: [String] = []
    if state.totalBytes > 0 {
      parts.append(Quantity.percent(state.completedBytes, of: state.totalBytes))
      let rate = Double(state.completedBytes) / max(state.elapsed / .seconds(1), .leastNormalMagnitude)
      if rate >= 1, rate < Double(Int64.max) { parts.append("\(Quantity.bytes(Int64(rate)))/s") }
      let rest = (Double(state.totalBytes - state.completedBytes) / rate).rounded(.up)
      if rest < longestTime { parts.append("\(clock(Int(rest))) left") }
    }
    let numbers = parts.isEmpty ? "" : " " + parts.joined(separator: ", ")
    return "\(words(state.activity))\(numbers): \(String(displaying: state.path.utf8))"
  }

  static func words(_ activity: WorkProgress.Activity) -> String {
    switch activity {
    case .checking: "checking"
    case .packing: "packing"
    case .copying: "copying"
    case .installing: "installing"
    case .verifying: "verifying"
    case .comparing: "comparing"
    case .uploading: "uploading"
    case .downloading: "downloading"
    case .synchronizing: "writing to disk"
    case .waiting: "waiting for another iapkg"
    }
  }

  /// "0:07", "12:34", "1:02:03".
  static func clock(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
    return parts.enumerated().map { String($0.element, width: $0.offset > 0 ? 2 : 1) }
      .joined(separator: ":")
  }
}
