import Support

#if COMMAND_LINE_TOOL
typealias TransportTransfer = CurlTransfer
typealias TransportHandle = CurlMulti
#else
typealias TransportTransfer = SessionTransfer
typealias TransportHandle = SessionHandle
#endif

/// The transfer of an exchange over libcurl or URLSession; belongs to the thread that sends the request.
protocol Transfer: AnyObject {
  /// Prepares the transfer with a handle of the pool.
  init(_ exchange: HTTPExchange, over pool: HTTPConnectionPool) throws(HTTPError)

  func start() throws(HTTPError)

  /// Waits for activity, at most for `time`.
  func wait(atMost time: Duration)

  /// Passes the received header and bytes to the exchange, without waiting.
  ///
  /// - Returns: Whether the transfer has ended.
  /// - Throws: The error that ended the transfer.
  func advance() throws(HTTPError) -> Bool

  /// Ends the transfer, and keeps its connection for the next one if possible.
  func end()
}
