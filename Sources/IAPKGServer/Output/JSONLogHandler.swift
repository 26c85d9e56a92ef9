import Delivery
import Logging
import StrictJSON

/// Writes each log event as a JSON object on one line.
struct JSONLogHandler: LogHandler {
  let output: LineWriter
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ output: LineWriter) { self.output = output }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var writer = JSONWriter()
    writer.object {
      $0.member("time", Timestamp.now.description)
      $0.member("level", event.level.rawValue)
      $0.member("message", event.message.description)
      let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
      for (key, value) in all.sorted(by: { $0.key < $1.key }) { $0.member(key, value.description) }
    }
    output.write(String(decoding: writer.bytes, as: UTF8.self))
  }
}
