/// An in-app purchase as App Store Connect lists it.
package struct HostedPurchase: Sendable, Equatable {
  /// What the API calls it: letters, digits, `-` and `_`.
  package let id: String
  /// The product identifier, as it came. It is not safe to print.
  package let product: String
}

/// The content that Apple hosts for an in-app purchase, as App Store Connect tells it.
package struct HostedContent: Sendable, Equatable {
  /// What the file was called when it was uploaded. It names nothing here, and is not safe to print.
  package let fileName: String?
  /// Bytes of the file.
  package let fileSize: Int64?
  /// When it was uploaded; compared, and not read. It is not safe to print.
  package let lastModifiedDate: String?
  /// Where it is. The address may be signed, so it is a secret too.
  let url: String?
}

/// A page of the list of in-app purchases ("InAppPurchasesV2Response"). Only what is needed is read.
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
struct ContentAnswer: Decodable {
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

/// What the API says of a request that it refuses ("ErrorResponse").
struct RefusalAnswer: Decodable {
  struct Reason: Decodable {
    let title: String?
    let detail: String?
  }
  let errors: [Reason]?
}
