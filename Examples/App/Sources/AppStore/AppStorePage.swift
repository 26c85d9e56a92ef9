// Neither compiled nor run here: see StoreKitPurchases.swift.
#if canImport(StoreKit) && os(iOS)
import StoreKit
import UIKit

/// The App Store page of another app, shown within this one.
@MainActor public final class AppStorePage: NSObject, SKStoreProductViewControllerDelegate {
  /// Shows the page of the app with this Apple ID: the number after `id` in its App Store address.
  ///
  /// - Throws: The error of the App Store if it does not know the app or cannot be reached.
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
