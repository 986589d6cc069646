internal import HTTPTypes
internal import Ostiary

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Signs a user in for a SnapStart view, in a way of the app's own.
///
/// The view asks when the server answers an action with its login form, or refuses it, because no user is signed in. The request is sent
/// once, and with the cookies that come the action is performed again.
@preconcurrency @MainActor
public protocol PMSnapStartAuthenticationDelegate: AnyObject {
  /// Gives a request that signs the user in, or why there is none.
  /// - Parameter completionHandler: takes, once and on any thread, a request: with the token of an OAuth server in its
  ///   `Authorization` field, for example. A request without an address of its own server stays the app's responsibility.
  func authenticatedRequest(
    completionHandler: @escaping @Sendable (_ request: URLRequest?, _ error: (any Error)?) -> Void)
}

extension PMSnapStartAuthenticationDelegate {
  /// The delegate's request, as a value. Its first answer counts.
  /// - Throws: the delegate's error; `interactionRequired` when it has neither a request nor an error; `timedOut` when it does not
  ///   answer in time.
  func request(within timeout: Duration, clock: any SessionClock) async throws -> TransportRequest {
    let answer = SharedWork<TransportRequest>()
    let timer = OneTimer(after: timeout, clock: clock) {
      answer.finish(
        .failure(OstiaryError(.timedOut, "The authentication delegate gave no answer within \(timeout).")))
    }
    defer { timer.cancel() }
    authenticatedRequest { request, error in
      answer.finish(
        Result {
          if let error {
            throw OstiaryError(
              .interactionRequired, "The authentication delegate could not sign the user in.", underlying: error)
          }
          guard let request else {
            throw OstiaryError(.interactionRequired, "The authentication delegate gave no request.")
          }
          return try TransportRequest(request)
        })
    }
    return try await answer.value()
  }
}

extension TransportRequest {
  /// A request of the app's own.
  /// - Throws: `OstiaryError` `invalidInput` for one without an address, with a stream for a body, or with fields that HTTP does not have.
  fileprivate init(_ request: URLRequest) throws {
    let unusable = OstiaryError(
      .invalidInput,
      "The authentication delegate's request can't be sent: it has no http address, or its body is a stream.",
      advice: "Give a request with an address and httpBody.", requestMayHaveExecuted: false)
    guard let url = request.url, request.httpBodyStream == nil,
      let method = HTTPRequest.Method(request.httpMethod ?? "GET")
    else { throw unusable }
    var fields = HTTPFields()
    for (name, value) in request.allHTTPHeaderFields ?? [:] {
      guard let name = HTTPField.Name(name) else { throw unusable }
      fields[name] = value
    }
    try self.init(HTTPRequest(method, to: url, headerFields: fields), body: request.httpBody)
  }
}
