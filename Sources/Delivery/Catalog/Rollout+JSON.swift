package import StrictJSON

extension Rollout {
  /// Reads a rollout.
  init(_ reader: inout JSONReader) throws(DocumentError) {
    var share: Int64?
    var since: Timestamp?
    var until: Timestamp?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "share": share = try reader.decimal(RolloutShare.decimals, in: 0...RolloutShare.scale)
      case "since": since = try reader.timestamp()
      case "until":
        until = try reader.unlessNull { (reader) throws(DocumentError) in try reader.timestamp() }
      default: try reader.skip()
      }
    }
    guard let share, let since else { throw reader.error("a rollout lacks its share or time") }
    if let until, until <= since {
      throw reader.error("a rollout ends at \(until), expected a time after its beginning, \(since)")
    }
    self.init(share: RolloutShare(millionths: share), since: since, until: until)
  }

  /// Writes the rollout in the format of catalogs and of the server.
  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("share", share.millionths, decimals: RolloutShare.decimals)
      $0.member("since", since.description)
      $0.member("until", until?.description)
    }
  }
}
