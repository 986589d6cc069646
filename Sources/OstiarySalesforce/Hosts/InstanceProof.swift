internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Sends a request to where the org is now: renewing tokens may move it to another instance while requests to the old one are
/// under way.
final class InstanceProof: RequestProof {
  private let present: Origin
  private let earlier: [Origin]

  /// - Returns: `nil` where the org has never moved, and there is nothing to do.
  init?(present: Origin, earlier: [Origin]) {
    guard !earlier.isEmpty else { return nil }
    self.present = present
    self.earlier = earlier
  }

  func attach(to request: inout HTTPRequest, body: Data?) {
    guard let origin = Origin(request), origin != present, earlier.contains(origin) else { return }
    request.scheme = present.scheme
    request.authority = present.authority
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview { .undecided }
}
