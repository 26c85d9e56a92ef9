/// An in-app purchase listed by App Store Connect.
package struct HostedPurchase: Sendable, Equatable {
  /// The identifier in the API: letters, digits, `-` and `_`.
  package let id: String
  /// The product identifier, unchecked; empty if the API sent none. Not safe to print.
  package let product: String
}

/// App Store Connect's description of hosted content.
package struct HostedContent: Sendable, Equatable {
  /// The file name of the upload, never used as a path. Not safe to print.
  package let fileName: String?
  /// The size of the file in bytes.
  package let fileSize: Int64?
  /// The time of the upload, only compared and never parsed. Not safe to print.
  package let lastModifiedDate: String?
  /// The address of the file. It may be signed, so it is a secret.
  let url: String?
}

/// A page of the list of in-app purchases ("InAppPurchasesV2Response"), reduced to the required fields.
struct PurchasePage: Decodable {
  struct Purchase: Decodable {
    struct Attributes: Decodable {
      let productId: String?
    }
    let id: String
    let attributes: Attributes?
  }
  struct Links: Decodable {
    let next: String?
  }
  let data: [Purchase]
  let links: Links?
}

/// The content of one in-app purchase ("InAppPurchaseContentResponse").
struct ContentResponse: Decodable {
  struct Content: Decodable {
    struct Attributes: Decodable {
      let fileName: String?
      let fileSize: Int64?
      let url: String?
      let lastModifiedDate: String?
    }
    let attributes: Attributes?
  }
  let data: Content?
}

/// The API's explanation of a rejected request ("ErrorResponse").
struct ErrorResponse: Decodable {
  struct Reason: Decodable {
    let title: String?
    let detail: String?
  }
  let errors: [Reason]?
}
