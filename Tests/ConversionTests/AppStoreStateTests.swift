import Testing

@testable import Conversion

/// The enumerations of Apple's OpenAPI description of the App Store Connect API, version 4.5.
struct AppStoreStateTests {
  @Test func `states are those that the API documents`() {
    #expect(
      Set(PackVersionState.allCases.map(\.rawValue)) == [
        "AWAITING_UPLOAD", "PROCESSING", "FAILED", "COMPLETE",
      ])
    #expect(
      Set(PackReleaseState.allCases.map(\.rawValue)) == [
        "PREPARE_FOR_SUBMISSION", "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED",
        "REJECTED",
        "PROCESSING_FOR_DISTRIBUTION", "READY_FOR_DISTRIBUTION", "SUPERSEDED",
      ])
    #expect(
      Set(ReviewSubmissionState.allCases.map(\.rawValue)) == [
        "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "UNRESOLVED_ISSUES", "CANCELING", "COMPLETING",
        "COMPLETE",
      ])
    #expect(AssetPlatform.allCases.map(\.reviewName) == ["IOS", "MAC_OS", "TV_OS", "VISION_OS"])
  }
}
