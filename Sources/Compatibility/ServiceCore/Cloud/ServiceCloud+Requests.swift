public import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiarySalesforce

extension ServiceCloud {
  /// Sends a request of a service: in its user's name, or as a guest to the community.
  ///
  /// It is what needs a user where there is no screen: the delegate is asked for settings first if it has not been
  /// asked yet, and told when the session is over. (Not in the vendor's SDK.)
  /// - Parameters:
  ///   - method: the method's name.
  ///   - path: a path on the org, with a query if need be: `/services/data/v58.0/sobjects/Case`.
  ///   - body: the body; `nil` sends none.
  ///   - contentType: what the body is.
  ///   - completion: the answer, with any status; or what went wrong, in ``SCServiceErrorDomain`` where it is about
  ///     authentication.
  @preconcurrency
  public func request(
    _ method: String = "GET", path: String, body: Data? = nil, contentType: String = "application/json",
    forServiceType service: SCServiceType,
    completion: @escaping @MainActor @Sendable (ServiceResponse?, (any Error)?) -> Void
  ) {
    begin(method, path, body, contentType, service).start(Self.response) { await completion($0.value, $0.refusal) }
  }

  /// Sends a request of a service, as ``request(_:path:body:contentType:forServiceType:completion:)`` does.
  /// - Throws: an error in ``SCServiceErrorDomain`` where it is about authentication; otherwise what went wrong.
  public func request(
    _ method: String = "GET", path: String, body: Data? = nil, contentType: String = "application/json",
    forServiceType service: SCServiceType
  ) async throws -> ServiceResponse {
    let call = begin(method, path, body, contentType, service)
    do { return try await Self.response(to: call.value) } catch { throw ServiceErrors.aboutRequest(error) }
  }

  /// Begins a request: its user, the settings and the community are those of this moment.
  /// - Parameter needsUser: whether a guest because of an earlier answer is asked again.
  func begin(
    _ method: String, _ path: String, _ body: Data?, _ contentType: String, _ service: SCServiceType,
    needsUser: Bool = false
  ) -> CapturedCall<SalesforceServiceCall> {
    if let problem { return CapturedCall(.failure(problem)) }
    return services[service.service].begin(
      try SalesforceCall(method: method, path: path, body: body, contentType: contentType),
      guestSite: serviceConfiguration.site, needsUser: needsUser)
  }

  @Sendable static func response(to call: SalesforceServiceCall) async throws -> ServiceResponse {
    let response = try await call.response()
    return ServiceResponse(statusCode: response.status.code, body: response.body)
  }
}

extension Result where Success == ServiceResponse {
  /// What a completion block gets.
  var value: ServiceResponse? { try? get() }
  var refusal: (any Error)? { if case .failure(let error) = self { ServiceErrors.aboutRequest(error) } else { nil } }
}

/// What a server answered to a request of ``ServiceCloud``. (Not in the vendor's SDK.)
public struct ServiceResponse: Sendable, Hashable {
  /// The HTTP status.
  public let statusCode: Int
  /// The body, JSON as a rule.
  public let body: Data

  /// Makes a response, for an app's tests.
  public init(statusCode: Int, body: Data) {
    self.statusCode = statusCode
    self.body = body
  }
}

extension ServiceResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size. The body is left out: its records may be confidential.
  public var description: String { "ServiceResponse(\(statusCode), \(body.count) bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
