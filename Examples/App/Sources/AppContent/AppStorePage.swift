// Not run here, and not compiled either: see StoreKitPurchases.swift.
#if canImport(StoreKit) && os(iOS)
  import StoreKit
  import UIKit

  /// The App Store's page of another app, within this one.
  @MainActor public final class AppStorePage: NSObject, SKStoreProductViewControllerDelegate {
    /// Shows the page of the app with this Apple ID: the number in its App Store address, behind `id`.
    ///
    /// - Throws: what the App Store answers if it does not know the app, or cannot be reached.
    public func show(appleID: Int, over presenter: UIViewController) async throws {
      let page = SKStoreProductViewController()
      page.delegate = self
      _ = try await page.loadProduct(
        withParameters: [SKStoreProductParameterITunesItemIdentifier: NSNumber(value: appleID)])
      presenter.present(page, animated: true)
    }

    public func productViewControllerDidFinish(_ page: SKStoreProductViewController) {
      page.dismiss(animated: true)
    }
  }
#endif
