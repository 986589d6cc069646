internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Sends a request to where the org is now: renewing tokens may move it to another instance while requests to the old
/// one are under way.
///
/// The addresses come with the proof, in a field that never travels. A request that carries none has lost its session
/// on the way, and is not sent without.
struct InstanceTransport: Transport {
  private let inner: any Transport

  init(_ inner: any Transport) {
    self.inner = inner
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(addressed(request)) }
  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await inner.stream(addressed(request))
  }

  /// The present instance's origin, and those it had before.
  static func field(_ present: Origin, earlier: [Origin]) -> HTTPField? {
    HTTPField.Name.salesforceInstance.map {
      HTTPField(name: $0, value: ([present] + earlier).map(\.description).joined(separator: " "))
    }
  }

  private func addressed(_ request: TransportRequest) throws -> TransportRequest {
    // A redirect elsewhere goes without proof, and as it is.
    guard let name = HTTPField.Name.salesforceInstance, let value = request.head.headerFields[name] else {
      guard request.layerContext.isRedirected else {
        throw OstiaryError(
          .interactionRequired, "The session ended before the request was sent.", request: request.head,
          requestMayHaveExecuted: false)
      }
      return request
    }
    var request = request
    request.head.headerFields[name] = nil
    // The org has never moved.
    guard value.contains(" ") else { return request }
    let origins = value.split(separator: " ").compactMap { URL(string: String($0)) }.compactMap { Origin($0) }
    if let present = origins.first, let origin = Origin(request.head), origin != present,
      origins.dropFirst().contains(origin)
    {
      request.head.scheme = present.scheme
      request.head.authority = present.authority
    }
    return request
  }
}

extension HTTPField.Name {
  /// Carries the org's addresses from the session to ``InstanceTransport``; it never travels.
  static let salesforceInstance = HTTPField.Name("X-Ostiary-Salesforce-Instance")
}
