// The enumerations of the App Store Connect API, version 4.5, for asset packs (OpenAPI description of July 2026).

/// The state of a version of an asset pack.
package enum PackVersionState: String, AppStoreState {
  case awaitingUpload = "AWAITING_UPLOAD"
  case processing = "PROCESSING"
  case failed = "FAILED"
  case complete = "COMPLETE"
}

/// The state of a version in the App Store.
package enum PackReleaseState: String, AppStoreState {
  case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
  case readyForReview = "READY_FOR_REVIEW"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case accepted = "ACCEPTED"
  case rejected = "REJECTED"
  case processingForDistribution = "PROCESSING_FOR_DISTRIBUTION"
  case readyForDistribution = "READY_FOR_DISTRIBUTION"
  case superseded = "SUPERSEDED"
}

/// The state of a review submission.
package enum ReviewSubmissionState: String, AppStoreState {
  case readyForReview = "READY_FOR_REVIEW"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case unresolvedIssues = "UNRESOLVED_ISSUES"
  case canceling = "CANCELING"
  case completing = "COMPLETING"
  case complete = "COMPLETE"
}
