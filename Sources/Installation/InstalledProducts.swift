public import ContentPackage
import SafeFiles
import Support

/// The products that are installed in a `Documents` folder.
///
/// ```swift
/// let products = InstalledProducts(DocumentsAccess(path: "Documents"))
/// for status in try products.status().products where !status.inspection.isIntact {
///   print(status.productIdentifier, status.inspection.modified.map(\.escaped))
/// }
/// ```
public struct InstalledProducts: Sendable {
  /// The record of a product, compared with its folder.
  public struct Status: Sendable {
    /// A version kept for `rollBack`.
    public struct Previous: Sendable {
      /// The version as it was installed.
      public let version: InstalledVersion
      /// The differences between its folder and the record.
      public let inspection: ProductInspection
    }

    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The layout of the product's folder.
    public let layout: InstallationLayout
    /// The version in use.
    public let installed: InstalledVersion
    /// The differences between the product's folder and the record.
    public let inspection: ProductInspection
    /// The versions kept for `rollBack`, the most recently used first.
    public let previous: [Previous]
    /// The paths of files that iapkg did not install and keeps for the user to move or delete, safe to print.
    public let kept: LocatedPaths
  }

  /// The status of all requested products.
  public struct Report {
    /// The products whose data could be read.
    public internal(set) var products: [Status] = []
    /// The errors of the other products: `RecordUnreadable`, `FileError` or `SourceError`.
    public internal(set) var errors: [any Error] = []
  }

  /// The folder of the products.
  public let access: DocumentsAccess

  /// Creates a view of the products in a folder.
  public init(_ access: DocumentsAccess) { self.access = access }

  /// Returns the status of the named products, or of all. Needs no write permission.
  ///
  /// - Parameters:
  ///   - names: The products.
  ///   - verifying: Whether contents are read and compared too.
  /// - Returns: A status for each installed product.
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  public func status(
    of names: [ProductIdentifier] = [], verifying: Bool = false
  ) throws -> Report {
    let report = try DocumentsFolder.withLock(access, for: .reading) { folder in
      var report = Report()
      let inspector = folder.inspector(verifies: verifying)
      for product in try names.isEmpty ? folder.products() : names {
        do {
          if let status = try status(of: product, in: folder, with: inspector) {
            report.products.append(status)
          } else if !names.isEmpty {
            throw InstallationError.notInstalled(product, path: access.path)
          }
        } catch let error as FileError {
          report.errors.append(error)
        } catch let error as SourceError {
          report.errors.append(error)
        } catch let error as RecordUnreadable {
          report.errors.append(error)
        }
      }
      return report
    }
    if report == nil, let name = names.first {
      throw InstallationError.notInstalled(name, path: access.path)
    }
    return report ?? Report()
  }

  private func status(
    of product: ProductIdentifier, in folder: borrowing DocumentsFolder, with inspector: TreeInspector
  ) throws -> Status? {
    guard let record = try folder.record(of: product), let installed = record.installed else { return nil }
    var previous: [Status.Previous] = []
    for version in record.previous {
      previous.append(
        Status.Previous(
          version: version, inspection: try folder.inspect(previous: version, of: record, with: inspector)))
    }
    let inspection = try folder.inspect(record, with: inspector)
    return Status(
      productIdentifier: product, layout: record.layout, installed: installed, inspection: inspection,
      previous: previous,
      kept: try folder.keptPaths(of: record, extra: inspection.extra))
  }
}
