import Delivery
import SafeFiles
import StrictJSON

extension AssetPackUploader {
  /// The maximum number of asset packs in a review submission (App Store Connect Help, "Submit asset packs for
  /// review").
  package static let maximumItemCount = 10

  /// Submits the versions that are ready for review. Each submission has at most ten of them, for one platform. Also
  /// sends submissions with items that a stopped run of this folder has begun.
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
        let added = ready.compactMap { results[$0].version?.id }.filter { !items.contains($0) }
          .prefix(max(0, Self.maximumItemCount - items.count))
        for version in added {
          _ = try client.create(
            "reviewSubmissionItems",
            related: [
              ("reviewSubmission", "reviewSubmissions", submission),
              ("backgroundAssetVersion", "backgroundAssetVersions", version),
            ])
        }
        try send(submission)
        try close(submission, with: items + added, &results)
        ready.removeAll { results[$0].submission == submission }
        count += 1
      }
    }
    return try count + sendBegun(&results)
  }

  /// Sends the submissions with items that a stopped run has begun. Their versions no longer wait for a submission.
  ///
  /// - Returns: The number of submissions.
  private func sendBegun(_ results: inout [Result]) throws -> Int {
    var count = 0
    for submission in record.submissions.map(\.id) {
      do {
        guard try state(of: submission) == .readyForReview else {
          try close(submission, with: [], &results)
          continue
        }
        let items = try items(of: submission)
        // An empty submission stays open for later versions.
        guard !items.isEmpty else { continue }
        try send(submission)
        try close(submission, with: items.compactMap { $0.related("backgroundAssetVersion") }, &results)
        count += 1
      } catch let error as StoreError where error.reason == .missing {
        try close(submission, with: [], &results)
      }
    }
    return count
  }

  /// Records that a submission is no longer open, and the versions that were sent with it.
  private func close(
    _ submission: String, with versions: [String], _ results: inout [Result]
  ) throws(FileError) {
    for index in results.indices {
      guard let version = results[index].version?.id, versions.contains(version) else { continue }
      results[index].submission = submission
      record.entries[results[index].identifier.text]?.submission = submission
    }
    record.submissions.removeAll { $0.id == submission }
    try save()
  }

  /// Sends a submission; ignores a conflict if a request whose response was lost has sent the submission.
  private func send(_ submission: String) throws {
    do {
      try client.change("reviewSubmissions", submission, [.init("submitted", .bool(true))])
    } catch let error as StoreError where error.reason == .conflict {
      guard try state(of: submission) != .readyForReview else { throw error }
    }
  }

  private func state(of submission: String) throws -> ReviewSubmissionState {
    try client.resource("/v1/reviewSubmissions/\(submission)", of: "reviewSubmissions").data.state()
  }

  private func items(of submission: String) throws -> [AppStoreResource] {
    try client.list(
      "/v1/reviewSubmissions/\(submission)/items", "include=backgroundAssetVersion",
      of: "reviewSubmissionItems"
    ).data
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
      let items = try items(of: submission.id)
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
