/// The style and the scripts of the pages, embedded from `Resources` when iapkg is built.
///
/// The scripts read only the page's data block, and insert names as text, never as markup.
enum PageResource {
  /// The style of all pages. Text and background have a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).
  static let style = text(PackageResources.page_css)
  /// The script that precedes the other scripts in all pages.
  static let common = text(PackageResources.common_js)
  /// The script of the page of `report`.
  static let content = text(PackageResources.treemap_js) + text(PackageResources.content_js)
  /// The script of the overview of `report`.
  static let overview = text(PackageResources.overview_js)
  /// The script of the page of `catalog --html`.
  static let catalog = text(PackageResources.catalog_js)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
