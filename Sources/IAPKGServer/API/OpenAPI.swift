import HTTPTypes
import StrictJSON

/// The machine-readable description of the API (OpenAPI 3.1), generated from `Endpoint`.
enum OpenAPI {
  static let document =
    """
    {"openapi":"3.1.0","info":\(information),"paths":\(paths),"components":{"securitySchemes":\(securitySchemes),\
    "responses":\(responses),"schemas":\(schemas)}}

    """

  private static let information = #"""
    {
      "title": "iapkg-server",
      "version": "1",
      "description": "Serves the content of in-app purchases to customers who paid for it."
    }
    """#

  private static let securitySchemes = #"""
    {
      "account": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
      "administrator": {"type": "http", "scheme": "bearer"}
    }
    """#

  private static var paths: String {
    text { paths in
      for endpoint in Endpoint.allCases {
        paths.member(endpoint.path) { item in
          for method in endpoint.methods {
            item.member(method.rawValue.lowercased()) { $0.operation(endpoint, isHead: method == .head) }
          }
          if !endpoint.parameters.isEmpty { item.parameters(endpoint.parameters) }
        }
      }
    }
  }

  private static var responses: String {
    text { responses in
      for error in ErrorResponse.allCases {
        responses.member(error.component) {
          $0.member("description", error.meaning)
          $0.member("content") { $0.content("application/problem+json", schema: "Problem") }
        }
      }
    }
  }

  private static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(body)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Writes one method of an endpoint. The response to HEAD has no content.
  fileprivate mutating func operation(_ endpoint: Endpoint, isHead: Bool) {
    member("operationId", endpoint.rawValue + (isHead ? "Head" : ""))
    member("summary", endpoint.summary)
    if let scheme = endpoint.access.scheme {
      key("security")
      array { alternatives in
        alternatives.object {
          $0.key(scheme)
          $0.array { _ in }
        }
      }
    }
    if let schema = endpoint.requestSchema {
      member("requestBody") {
        $0.member("required", true)
        $0.member("content") { $0.content("application/json", schema: schema) }
      }
    }
    member("responses") { responses in
      for response in endpoint.responses where !(isHead && response.isForRange) {
        responses.member("\(response.status)") {
          $0.member("description", response.meaning)
          if !isHead, !response.types.isEmpty {
            $0.member("content") { content in
              for type in response.types { content.content(type, schema: response.schema) }
            }
          }
        }
      }
      for error in endpoint.errors {
        responses.member("\(error.rawValue)") { $0.reference("responses", error.component) }
      }
    }
  }

  fileprivate mutating func parameters(_ parameters: [(name: String, meaning: String)]) {
    key("parameters")
    array { list in
      for parameter in parameters {
        list.object {
          $0.member("name", parameter.name)
          $0.member("in", "path")
          $0.member("required", true)
          $0.member("description", parameter.meaning)
          $0.member("schema") {
            $0.member("type", "string")
            $0.member("minLength", 1)
          }
        }
      }
    }
  }

  /// Writes a content type, with its schema if it has one.
  fileprivate mutating func content(_ type: String, schema: String?) {
    member(type) { content in
      if let schema { content.member("schema") { $0.reference("schemas", schema) } }
    }
  }

  private mutating func reference(_ kind: String, _ name: String) {
    member("$ref", "#/components/\(kind)/\(name)")
  }

  fileprivate mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  private mutating func member(_ name: String, _ isTrue: Bool) {
    key(name)
    bool(isTrue)
  }
}
