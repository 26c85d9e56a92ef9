#if COMMAND_LINE_TOOL
internal import CCurl
import SafeFiles

/// A libcurl transfer of an exchange; belongs to the thread that sends the request.
@safe final class CurlTransfer: Transfer {
  private let exchange: HTTPExchange
  private let pool: HTTPConnectionPool
  private let multi: CurlMulti
  private let easy: CurlEasy
  private var headers = CurlList()
  /// The number of descriptors that libcurl needs to connect.
  private static let descriptorsPerConnection = 2
  /// The buffer for libcurl's error message (`CURLOPT_ERRORBUFFER`).
  private let text: UnsafeMutablePointer<CChar>

  init(_ exchange: HTTPExchange, over pool: HTTPConnectionPool) throws(HTTPError) {
    self.exchange = exchange
    self.pool = pool
    easy = try CurlEasy.make()
    multi = try pool.takeHandle()
    unsafe text = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setUp(pool.settings, allowsStreams: pool.allowsStreams)
    try setUpRequest()
    try setUpBody()
  }

  deinit { unsafe text.deallocate() }

  func start() throws(HTTPError) { try multi.add(easy) }

  /// Waits for activity, at most for `time`.
  func wait(atMost time: Duration) {
    if exchange.consumePause() { unsafe iapkg_curl_resume(easy.pointer) } else { multi.wait(atMost: time) }
  }

  /// Continues the transfer without waiting.
  ///
  /// - Returns: Whether the transfer has ended.
  func advance() throws(HTTPError) -> Bool {
    let code = multi.perform()
    if let error = exchange.error ?? code.flatMap(error) { throw error }
    return code != nil
  }

  /// Ends the transfer, and keeps its connection for the next one if possible.
  func end() {
    multi.remove(easy)
    pool.keep(multi)
  }

  /// Sets the options of all requests.
  private func setUp(_ settings: HTTPSettings, allowsStreams: Bool) throws(HTTPError) {
    try unsafe easy.set(CURLOPT_ERRORBUFFER, pointer: text)
    try easy.set(CURLOPT_NOSIGNAL, 1)
    try easy.set(CURLOPT_QUICK_EXIT, 1)  // do not wait for a name lookup after a cancellation
    try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)  // `openFollowing` follows redirects itself
    try easy.set(CURLOPT_PATH_AS_IS, 1)
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try easy.set(CURLOPT_USERAGENT, "iapkg")
    try easy.set(CURLOPT_BUFFERSIZE, settings.receiveBufferSize)
    try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, HTTPLimits.bufferSize)
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, HTTPLimits.connectTimeout.milliseconds)
    try easy.set(CURLOPT_LOW_SPEED_LIMIT, settings.minimumRate)
    try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, exchange.request.stallTimeout.milliseconds / 1000))
    let version = allowsStreams ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    try easy.set(CURLOPT_HTTP_VERSION, Int(version))
    if let path = settings.certificates { try easy.set(CURLOPT_CAINFO, path) }
    if let path = settings.certificateFolder { try easy.set(CURLOPT_CAPATH, path) }
  }

  private func setUpRequest() throws(HTTPError) {
    let request = exchange.request
    try easy.set(CURLOPT_URL, request.address.text)
    try headers.append("Expect:")
    for header in request.headers {
      guard header.isValid else {
        throw HTTPError(
          .invalidRequest, "the header '\(header.name)' has an invalid character")
      }
      try headers.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    try easy.check(unsafe iapkg_curl_set_list(easy.pointer, CURLOPT_HTTPHEADER, headers.pointer))
    try easy.set(CURLOPT_FRESH_CONNECT, request.isRepeatable ? 0 : 1)
    if let range = request.range {
      try easy.set(CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")
    }
    switch request.method {
    case .get: break
    case .head: try easy.set(CURLOPT_NOBODY, 1)
    case .put, .post, .patch:
      try easy.set(CURLOPT_UPLOAD, 1)
      try easy.set(CURLOPT_INFILESIZE_LARGE, offset: Int64(request.body?.range.count ?? 0))
      try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    case .delete: try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  /// Sets the callbacks for the header and both bodies. Their context is the exchange, which lives as long as the
  /// transfer.
  private func setUpBody() throws(HTTPError) {
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
      try unsafe easy.set(option, pointer: context)
    }
    try easy.check(
      unsafe iapkg_curl_set_data_function(easy.pointer, CURLOPT_HEADERFUNCTION) {
        bytes, size, count, context in
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        let verdict = unsafe CurlTransfer.exchange(context)?.receiveHeader(line) ?? .stop
        return CurlTransfer.result(verdict, size * count)
      })
    try easy.check(
      unsafe iapkg_curl_set_data_function(easy.pointer, CURLOPT_WRITEFUNCTION) {
        bytes, size, count, context in
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        let verdict = unsafe CurlTransfer.exchange(context)?.receive(bytes) ?? .stop
        return CurlTransfer.result(verdict, size * count)
      })
    try easy.check(
      unsafe iapkg_curl_set_data_function(easy.pointer, CURLOPT_READFUNCTION) { bytes, size, count, context in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return unsafe CurlTransfer.exchange(context)?.fill(buffer) ?? Int(CURL_READFUNC_ABORT)
      })
    try easy.check(
      unsafe iapkg_curl_set_seek_function(easy.pointer) { context, offset, origin in
        guard origin == SEEK_SET, let exchange = unsafe CurlTransfer.exchange(context) else {
          return CURL_SEEKFUNC_CANTSEEK
        }
        exchange.seek(to: Int64(offset))
        return CURL_SEEKFUNC_OK
      })
  }

  /// Returns the error for a result code; nil for success.
  private func error(_ code: CURLcode) -> HTTPError? {
    guard code != CURLE_OK else { return nil }
    let proxyStatus = unsafe Int(iapkg_curl_connect_status(easy.pointer))
    if proxyStatus >= 300 {
      return HTTPError(
        .status(proxyStatus),
        HTTPHead.statusMessage(proxyStatus, of: "the proxy for \(exchange.request.address)"))
    }
    if code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST,
      FreeDescriptors.count < Self.descriptorsPerConnection
    {
      return HTTPError(
        .exhausted,
        "\(exchange.request.address): this process cannot open more files; raise the limit with ulimit -n"
      )
    }
    // libcurl before 8.6 has no other code for a header line that exceeds its limit.
    if code == CURLE_OUT_OF_MEMORY, exchange.isInHeader { return exchange.headerExcess }
    let known = unsafe String(cString: text)
    let reason = unsafe known.isEmpty ? String(cString: curl_easy_strerror(code)) : known
    if let rejection = ProxyVariable.rejection(in: reason, scheme: exchange.request.address.origin.scheme) {
      return HTTPError(.invalidRequest, rejection)
    }
    if code == CURLE_SSL_CONNECT_ERROR, reason.contains("wrong version number") {
      return HTTPError(
        .untrusted,
        "\(exchange.request.address): the server does not speak TLS at this address; check its scheme and port"
      )
    }
    let kind: HTTPError.Reason =
      switch code {
      case CURLE_OPERATION_TIMEDOUT: .stalled
      case CURLE_HTTP2, CURLE_HTTP2_STREAM: .stream
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_CERTPROBLEM:
        .untrusted
      case CURLE_OUT_OF_MEMORY: .exhausted
      case CURLE_URL_MALFORMAT: .invalidRequest
      default: .unreachable
      }
    return HTTPError(kind, "\(exchange.request.address): \(reason)")
  }

  @unsafe private static func exchange(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
    unsafe context.map { unsafe Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the value that a callback returns for a verdict.
  private static func result(_ verdict: HTTPExchange.Verdict, _ count: Int) -> Int {
    switch verdict {
    case .accepted: count
    case .pause: Int(CURL_WRITEFUNC_PAUSE)
    case .stop: count == 0 ? 1 : 0  // any number except the count ends the transfer
    }
  }
}
#endif
