import Delivery
import StrictJSON

extension AssetPackUploader {
  /// The maximum number of asset packs in a review submission (App Store Connect Help, "Submit asset packs for
  /// review").
  package static let maximumItemCount = 10

  /// Submits the versions that are ready for review. Each submission has at most ten of them, for one platform.
  ///
  /// - Parameters:
  ///   - packs: The packs.
  ///   - results: The results of `upload`, in the order of the packs. They receive the identifiers of the submissions.
  /// - Returns: The number of submissions.
  /// - Throws: `UploadError.otherSubmission`, `StoreError`, `IntegrityError`, `FileError`, `Interruption`.
  package func submit(_ packs: [Pack], _ results: inout [Result]) throws -> Int {
    var count = 0
    for platform in AssetPlatform.allCases {
      var ready = results.indices.filter {
        results[$0].version?.release == .prepareForSubmission && results[$0].submission == nil
          && packs[$0].platforms.first == platform
      }
      while !ready.isEmpty {
        let (submission, items) = try openSubmission(platform.reviewName)
        func isIn(_ index: Int) -> Bool { results[index].version.map { items.contains($0.id) } ?? false }
        let added = ready.filter { !isIn($0) }.prefix(max(0, Self.maximumItemCount - items.count))
        let group = Set(ready.filter(isIn) + added)
        for index in added {
          guard let version = results[index].version?.id else { continue }
          _ = try client.create(
            "reviewSubmissionItems",
            related: [
              ("reviewSubmission", "reviewSubmissions", submission),
              ("backgroundAssetVersion", "backgroundAssetVersions", version),
            ])
        }
        try send(submission)
        for index in group {
          results[index].submission = submission
          record.entries[results[index].identifier.text]?.submission = submission
        }
        record.submissions.removeAll { $0.id == submission }
        try save()
        ready.removeAll(where: group.contains)
        count += 1
      }
    }
    return count
  }

  /// Sends a submission; ignores a conflict if a request whose response was lost has sent the submission.
  private func send(_ submission: String) throws {
    do {
      try client.change("reviewSubmissions", submission, [.init("submitted", .bool(true))])
    } catch let error as StoreError where error.reason == .conflict {
      let current = try client.resource("/v1/reviewSubmissions/\(submission)", of: "reviewSubmissions").data
      let state: ReviewSubmissionState = try current.state()
      guard state != .readyForReview else { throw error }
    }
  }

  /// Returns an open submission for a platform: one that this folder began, an empty one, or a new one.
  ///
  /// - Returns: The identifiers of the submission and of the versions in it.
  /// - Throws: `UploadError.otherSubmission` if an open submission has items that this folder did not add.
  private func openSubmission(_ platform: String) throws -> (id: String, items: [String]) {
    let open = try client.list(
      "/v1/apps/\(app)/reviewSubmissions",
      "filter%5Bstate%5D=\(ReviewSubmissionState.readyForReview.rawValue)&filter%5Bplatform%5D=\(platform)",
      of: "reviewSubmissions"
    ).data
    for submission in open {
      let state: ReviewSubmissionState = try submission.state()
      guard state == .readyForReview else { continue }
      let items = try client.list(
        "/v1/reviewSubmissions/\(submission.id)/items", "include=backgroundAssetVersion",
        of: "reviewSubmissionItems"
      ).data
      let isBegun = record.submissions.contains { $0.id == submission.id }
      guard isBegun || items.isEmpty else { throw UploadError.otherSubmission(platform: platform) }
      if !isBegun { try begin(submission.id, platform) }
      return (submission.id, items.compactMap { $0.related("backgroundAssetVersion") })
    }
    let made = try client.create(
      "reviewSubmissions", [.init("platform", .string(platform))], related: [("app", "apps", app)])
    try begin(made.id, platform)
    return (made.id, [])
  }

  private func begin(_ id: String, _ platform: String) throws {
    record.submissions.append(.init(id: id, platform: platform))
    try save()
  }
}

extension AssetPlatform {
  /// The name in review submissions (`Platform`).
  var reviewName: String {
    switch self {
    case .iOS: "IOS"
    case .macOS: "MAC_OS"
    case .tvOS: "TV_OS"
    case .visionOS: "VISION_OS"
    }
  }
}
