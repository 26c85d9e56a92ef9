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
  /// What is known of one product, and how its folder compares with that.
  public struct Status: Sendable {
    /// A version that is kept for `rollBack`.
    public struct Previous: Sendable {
      /// What was installed.
      public let version: InstalledVersion
      /// How its folder differs from that.
      public let inspection: ProductInspection
    }

    /// The product.
    public let productIdentifier: ProductIdentifier
    /// How its content lies in its folder.
    public let layout: InstallationLayout
    /// The version in use.
    public let installed: InstalledVersion
    /// How the product's folder differs from what was installed.
    public let inspection: ProductInspection
    /// The versions that are kept for `rollBack`, the one that was in use last first.
    public let previous: [Previous]
    /// The paths of the files that iapkg did not install and that are kept for the user to move or delete, safe to
    /// print.
    public let kept: LocatedPaths
  }

  /// All products that were looked at.
  public struct Report {
    /// Those of which everything could be read, by identifier.
    public internal(set) var products: [Status] = []
    /// Why others could not: `RecordUnreadable`, `FileError` or `SourceError`.
    public internal(set) var errors: [any Error] = []
  }

  /// Where they are.
  public let access: DocumentsAccess

  /// The products in this folder.
  public init(_ access: DocumentsAccess) { self.access = access }

  /// Looks at products, or at all if none are named. It needs no right to write to the folder.
  ///
  /// - Parameters:
  ///   - names: the products.
  ///   - verifying: whether contents are read and compared too.
  /// - Returns: a status for each product that is installed.
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
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
      kept: try folder.keptPaths(of: product, in: record.layout, extra: inspection.extra))
  }
}
