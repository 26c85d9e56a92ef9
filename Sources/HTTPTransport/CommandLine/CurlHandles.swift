#if COMMAND_LINE_TOOL
internal import CCurl

/// Owns a `CURL` easy handle, which performs one transfer.
@safe struct CurlEasy: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  private init(owning pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  deinit { unsafe curl_easy_cleanup(pointer) }

  static func make() throws(HTTPError) -> CurlEasy {
    guard let pointer = unsafe curl_easy_init() else {
      throw HTTPError(.exhausted, "libcurl is out of memory")
    }
    return unsafe CurlEasy(owning: pointer)
  }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe iapkg_curl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, offset value: Int64) throws(HTTPError) {
    try check(unsafe iapkg_curl_set_offset(pointer, option, curl_off_t(value)))
  }

  /// Sets a string option; libcurl copies the string.
  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    try check(unsafe iapkg_curl_set_text(pointer, option, value))
  }

  /// Sets a pointer option; the caller must keep the pointee alive.
  @unsafe func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) throws(HTTPError) {
    try check(unsafe iapkg_curl_set_pointer(pointer, option, value))
  }

  func check(_ code: CURLcode) throws(HTTPError) {
    guard code == CURLE_OK else {
      let reason = unsafe String(cString: curl_easy_strerror(code))
      throw HTTPError(.invalidRequest, "libcurl rejects an option (\(reason))")
    }
  }
}

/// Owns a `curl_slist`, a list of strings.
@safe struct CurlList: ~Copyable {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  deinit { unsafe curl_slist_free_all(pointer) }

  mutating func append(_ text: String) throws(HTTPError) {
    guard let longer = unsafe curl_slist_append(pointer, text) else {
      throw HTTPError(.exhausted, "libcurl is out of memory")
    }
    unsafe pointer = longer
  }
}

/// Owns a CURLM handle, which performs transfers one after the other and keeps their connections open. Only one
/// thread at a time may use the handle.
@safe final class CurlMulti: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// True if libcurl was initialized; the first access initializes libcurl.
  private static let isStarted = iapkg_curl_start() == CURLE_OK

  private init(owning pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  deinit { unsafe curl_multi_cleanup(pointer) }

  static func make() throws(HTTPError) -> CurlMulti {
    guard isStarted, let pointer = unsafe curl_multi_init() else {
      throw HTTPError(.exhausted, "libcurl cannot be initialized")
    }
    return unsafe CurlMulti(owning: pointer)
  }

  func add(_ easy: borrowing CurlEasy) throws(HTTPError) {
    let code = unsafe curl_multi_add_handle(pointer, easy.pointer)
    guard code == CURLM_OK else {
      throw HTTPError(
        .exhausted, "libcurl cannot start the transfer (\(unsafe String(cString: curl_multi_strerror(code))))"
      )
    }
  }

  func remove(_ easy: borrowing CurlEasy) { unsafe curl_multi_remove_handle(pointer, easy.pointer) }

  /// Continues the transfer without waiting.
  ///
  /// - Returns: The result of the transfer; nil while it continues.
  func perform() -> CURLcode? {
    var running: CInt = 0
    unsafe curl_multi_perform(pointer, &running)
    var left: CInt = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      if unsafe message.pointee.msg == CURLMSG_DONE { return unsafe message.pointee.data.result }
    }
    return nil
  }

  /// Waits for activity, at most for `time`.
  func wait(atMost time: Duration) {
    unsafe curl_multi_poll(pointer, nil, 0, CInt(time.milliseconds), nil)
  }
}
#endif
