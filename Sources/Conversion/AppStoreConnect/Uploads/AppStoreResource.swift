import Delivery
import HTTPTransport
import StrictJSON
import Support

/// An untrusted resource of the App Store Connect API: each value is checked when it is read.
struct AppStoreResource: Sendable {
  let id: String
  private let value: JSONValue
  /// The address of the response, for messages.
  private let address: String

  /// Verifies the type and the identifier of a resource.
  ///
  /// - Throws: `IntegrityError`.
  init(_ value: JSONValue?, _ type: String, at address: String) throws(IntegrityError) {
    guard let value, value["type"] == .string(type), case .string(let id) = value["id"],
      AppStoreCredentials.isIdentifier(id)
    else { throw IntegrityError(address, "sent a response without a resource of the type \(type)") }
    self.id = id
    self.value = value
    self.address = address
  }

  /// Returns an attribute that is a text; nil if it is missing or null.
  ///
  /// - Throws: `IntegrityError` for another kind of value.
  func text(_ name: String) throws(IntegrityError) -> String? {
    switch value["attributes"]?[name] {
    case nil, .null: nil
    case .string(let text): text
    case let other?: throw error(name, other, "a string")
    }
  }

  /// Returns an attribute that is true or false; nil if it is missing or null.
  func flag(_ name: String) throws(IntegrityError) -> Bool? {
    switch value["attributes"]?[name] {
    case nil, .null: nil
    case .bool(let flag): flag
    case let other?: throw error(name, other, "true or false")
    }
  }

  /// Returns an attribute that is a number of bytes; nil if it is missing or null.
  func byteCount(_ name: String) throws(IntegrityError) -> Int64? {
    switch value["attributes"]?[name] {
    case nil, .null: nil
    case let found?: try byteCount(found, name)
    }
  }

  /// Returns an attribute that is one of the values of an enumeration.
  ///
  /// - Throws: `IntegrityError` if the attribute is missing or has another value.
  func state<State: AppStoreState>(_ name: String = "state") throws(IntegrityError) -> State {
    guard let text = try text(name), let state = State(rawValue: text) else {
      let found = try text(name).map { "'\(String(displaying: $0.utf8))'" } ?? "none"
      throw IntegrityError(
        address,
        "has the \(name) \(found), expected \(State.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return state
  }

  /// Returns the messages in a list of an attribute, such as `errors` in `stateDetails`; safe to print.
  func messages(_ name: String, _ list: String) -> [String] {
    guard case .array(let values) = value["attributes"]?[name]?[list] else { return [] }
    return values.compactMap { value in
      for key in ["description", "code"] {
        if case .string(let text) = value[key] { return String(displaying: text.utf8) }
      }
      return nil
    }
  }

  /// Returns the identifier of a related resource; nil if there is none.
  func related(_ name: String) -> String? {
    guard case .string(let id) = value["relationships"]?[name]?["data"]?["id"] else { return nil }
    return id
  }

  /// Returns the elements of an attribute that is a list; empty if it is missing or null.
  func list(_ name: String) throws(IntegrityError) -> [JSONValue] {
    switch value["attributes"]?[name] {
    case nil, .null: []
    case .array(let values): values
    case let other?: throw error(name, other, "a list")
    }
  }

  func byteCount(_ value: JSONValue?, _ name: String) throws(IntegrityError) -> Int64 {
    guard case .number(let text) = value, let number = Int64(text), number >= 0 else {
      throw error(name, value ?? .null, "a number of bytes")
    }
    return number
  }

  private func error(_ name: String, _ found: JSONValue, _ expected: String) -> IntegrityError {
    IntegrityError(address, "has \(found.kind) as \(name), expected \(expected)")
  }
}

/// An enumeration of the API.
protocol AppStoreState: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension AppStoreClient {
  /// The maximum number of resources in all pages of a list.
  private static let maximumResourceCount = 10_000

  /// The resources of the expected type in a response, and the related resources that the response includes.
  typealias Resources = (data: [AppStoreResource], included: [JSONValue])

  /// Returns the resources of all pages of a list.
  ///
  /// - Throws: `StoreError`, with `.missing` if the list does not exist; `IntegrityError`, `Interruption`.
  func list(_ path: String, _ query: String = "", of type: String) throws -> Resources {
    var found: Resources = ([], [])
    try forEachPage(of: path, query) { address in
      let response = try value(HTTPRequest(.get, address))
      guard case .array(let data) = response["data"] else {
        throw IntegrityError("\(address)", "sent a response without a list of \(type)")
      }
      found.data += try data.map { try AppStoreResource($0, type, at: "\(address)") }
      if case .array(let included) = response["included"] { found.included += included }
      guard found.data.count <= Self.maximumResourceCount else {
        throw IntegrityError("\(address)", "lists more than \(Self.maximumResourceCount) resources")
      }
      guard case .string(let link) = response["links"]?["next"] else { return nil }
      return link
    }
    return found
  }

  /// Returns a single resource, and the related resources that the response includes.
  ///
  /// - Throws: `StoreError`, with `.missing` if it does not exist; `IntegrityError`, `Interruption`.
  func resource(
    _ path: String, _ query: String? = nil, of type: String
  ) throws -> (data: AppStoreResource, included: [JSONValue]) {
    let address = address(path, query: query)
    let response = try value(HTTPRequest(.get, address))
    let resource = try AppStoreResource(response["data"], type, at: "\(address)")
    guard case .array(let included) = response["included"] else { return (resource, []) }
    return (resource, included)
  }

  /// Creates a resource. A request whose response is lost is not repeated: it could create a second resource.
  ///
  /// - Throws: `StoreError`, with `.conflict` if the API refuses the resource; `IntegrityError`, `Interruption`.
  func create(
    _ type: String, _ attributes: [JSONValue.Member] = [], related: [(name: String, type: String, id: String)]
  ) throws -> AppStoreResource {
    let relations = related.map { relation in
      JSONValue.Member(
        relation.name, .object([.init("data", Self.reference(relation.type, relation.id))]))
    }
    let members: [JSONValue.Member] =
      [.init("type", .string(type))]
      + (attributes.isEmpty ? [] : [.init("attributes", .object(attributes))])
      + [.init("relationships", .object(relations))]
    var request = HTTPRequest(.post, address("/v1/\(type)"))
    request.isRepeatable = false
    return try AppStoreResource(
      send(request, .object(members), isRepeatable: false)["data"], type, at: "\(request.address)")
  }

  /// Changes attributes of a resource.
  ///
  /// - Throws: The errors of `create`.
  @discardableResult
  func change(_ type: String, _ id: String, _ attributes: [JSONValue.Member]) throws -> AppStoreResource {
    let request = HTTPRequest(.patch, address("/v1/\(type)/\(id)"))
    let members: [JSONValue.Member] = [
      .init("type", .string(type)), .init("id", .string(id)), .init("attributes", .object(attributes)),
    ]
    return try AppStoreResource(
      send(request, .object(members), isRepeatable: true)["data"], type, at: "\(request.address)")
  }

  private static func reference(_ type: String, _ id: String) -> JSONValue {
    .object([.init("type", .string(type)), .init("id", .string(id))])
  }

  private func send(_ request: HTTPRequest, _ data: JSONValue, isRepeatable: Bool) throws -> JSONValue {
    var request = request
    request.headers.append(HTTPHeader("Content-Type", "application/json"))
    request.body = HTTPBody(Array(JSONValue.object([.init("data", data)]).line.utf8))
    return try value(request, isRepeatable: isRepeatable)
  }

  private func value(_ request: HTTPRequest, isRepeatable: Bool = true) throws -> JSONValue {
    let name = "\(request.address)"
    do {
      // A request that the API refuses because of a quota (429) or an overload (503) has had no effect.
      let bytes = try http.retrying {
        do { return try responseBody(to: request) } catch let error as HTTPError where !isRepeatable {
          guard [.status(429), .status(503)].contains(error.reason) else {
            throw NonRepeatableError(error: error)
          }
          throw error
        }
      }
      guard let bytes else { throw StoreError(.missing, name, "App Store Connect has no \(name)") }
      var reader = JSONReader(bytes)
      return try reader.document { (reader) throws(DocumentError) in try reader.value() }
    } catch let error as NonRepeatableError {
      throw StoreError(error.error, name)
    } catch let error as HTTPError {
      throw StoreError(error, name)
    } catch let error as DocumentError {
      throw StoreError(
        .invalidResponse, name,
        "\(name) sent a response that does not match the API's documentation: \(error.message)")
    }
  }

  /// The error of a request that must not be repeated.
  private struct NonRepeatableError: Error {
    let error: HTTPError
  }
}
