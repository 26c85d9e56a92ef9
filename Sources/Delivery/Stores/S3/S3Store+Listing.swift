import ContentPackage
import HTTPTransport

extension S3Store {
  package func list(_ prefix: String) throws(StoreError) -> [StoredItem] {
    try objects(prefix).filter { !$0.path.hasPrefix(Self.probePrefix) }
  }

  /// Returns all objects whose path begins with `prefix`.
  ///
  /// - Throws: `.wrongListing` if the store lists other objects: the caller may delete the listed objects.
  private func objects(_ prefix: String) throws(StoreError) -> [StoredItem] {
    var items: [StoredItem] = []
    var token: String?
    var first: String?
    repeat {
      var query = [("list-type", "2"), ("encoding-type", "url"), ("prefix", key(prefix))]
      if let token { query.append(("continuation-token", token)) }
      let page = try page("ListBucketResult", query)
      let count = items.count
      for element in page.all("Contents") { items.append(try item(element, page, prefix)) }
      if items.count > count {
        guard items[count].path != first else {
          throw invalid("its list repeats the objects from \(first ?? "")")
        }
        first = items[count].path
      }
      try checkCount(of: items)
      guard page["IsTruncated"] == "true" else { return items }
      let next = page["NextContinuationToken"]
      guard next != nil, next != token else { throw invalid("its list does not continue where it ended") }
      token = next
    } while true
  }

  /// Returns incomplete multipart uploads, and leftover probe objects.
  package func leftovers() throws(StoreError) -> [StoredItem] {
    var items = try objects(Self.probePrefix).filter { Self.isProbe($0.path) }
    var marker: (key: String, upload: String)?
    repeat {
      var query = [("uploads", ""), ("encoding-type", "url"), ("prefix", location.prefix)]
      if let marker { query += [("key-marker", marker.key), ("upload-id-marker", marker.upload)] }
      let page = try page("ListMultipartUploadsResult", query)
      for element in page.all("Upload") {
        guard let upload = element["UploadId"], let begun = element["Initiated"].flatMap(Self.seconds) else {
          throw invalid("its list of uploads cannot be parsed")
        }
        let path = try path(element, page, "")
        // Other programs may upload to the same bucket.
        guard StorePath(path) != nil else { continue }
        items.append(StoredItem(path: path, byteCount: 0, modified: begun, identifier: upload))
      }
      try checkCount(of: items)
      guard page["IsTruncated"] == "true" else { return items }
      guard let key = page["NextKeyMarker"], let upload = page["NextUploadIdMarker"],
        marker?.key != key || marker?.upload != upload
      else { throw invalid("its list of uploads does not continue where it ended") }
      marker = (try decoded(key, page), upload)
    } while true
  }

  /// Limits a listing, which a server could continue without end.
  private func checkCount(of items: [StoredItem]) throws(StoreError) {
    guard items.count <= maximumListedObjectCount else {
      throw invalid("its list has more than \(maximumListedObjectCount) objects")
    }
  }

  package func discard(_ leftover: StoredItem) throws(StoreError) {
    guard let upload = leftover.identifier else { return try delete(key: key(leftover.path)) }
    try abort(S3Upload(key: key(leftover.path), identifier: upload), client)
  }

  private func page(_ root: String, _ query: [(String, String)]) throws(StoreError) -> S3Element {
    var request = S3Request(.get, nil)
    request.query = query.map { (name: $0.0, value: $0.1) }
    let response = try client.send(request)
    guard response.head.isSuccess else { throw StoreError(response, "cannot list \(name)", name) }
    guard let page = S3Element(response.body), page.name == root else {
      throw invalid("its list cannot be parsed")
    }
    return page
  }

  private func item(
    _ element: S3Element, _ page: S3Element, _ prefix: String
  ) throws(StoreError) -> StoredItem {
    guard let size = element["Size"].flatMap(Int64.init), size >= 0,
      let modified = element["LastModified"].flatMap(Self.seconds)
    else { throw invalid("its list has an object without size or date") }
    return StoredItem(path: try path(element, page, prefix), byteCount: size, modified: modified)
  }

  /// Returns the path of a listed object, relative to the store.
  ///
  /// - Throws: `.wrongListing` for a path that does not begin with `prefix`, or leads elsewhere.
  private func path(
    _ element: S3Element, _ page: S3Element, _ prefix: String
  ) throws(StoreError) -> String {
    let listed = try decoded(element["Key"] ?? "", page)
    let parts = listed.utf8.dropFirst(location.prefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // The console of S3 represents folders as empty objects whose names end in a slash.
    guard listed.utf8.starts(with: key(prefix).utf8), !parts.dropLast().contains(where: \.isEmpty),
      !parts.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) })
    else {
      throw StoreError(
        .wrongListing, name,
        "the store \(name) lists '\(listed)', expected only names that begin with '\(key(prefix))' and have neither "
          + "'//' nor '..'; its listings cannot be trusted")
    }
    return String(decoding: listed.utf8.dropFirst(location.prefix.utf8.count), as: UTF8.self)
  }

  /// Returns the key of a listed object, decoded if the store encodes keys.
  private func decoded(_ key: String, _ page: S3Element) throws(StoreError) -> String {
    guard page["EncodingType"] == "url" else { return key }
    guard let key = PercentEncoding.decode(key) else {
      throw invalid("its list has a name that cannot be read")
    }
    return key
  }

  private func invalid(_ reason: String) -> StoreError {
    StoreError(.invalidResponse, name, "the store \(name) sent an invalid response: \(reason)")
  }

  /// Parses a time such as `2009-10-12T17:50:30.000Z` to seconds since 1970.
  static func seconds(_ text: String) -> Int64? {
    let digits = text.split { !$0.isNumber }
    guard digits.count >= 6, text.hasSuffix("Z") else { return nil }
    return HTTPDate.seconds("\(digits[0])\(digits[1])\(digits[2]) \(digits[3]):\(digits[4]):\(digits[5]) GMT")
  }
}
