public import Foundation
internal import HTTPTypes
internal import Ostiary
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
    Task {
      do {
        await completion(
          try await request(method, path: path, body: body, contentType: contentType, forServiceType: service), nil)
      } catch {
        await completion(nil, error)
      }
    }
  }

  /// Sends a request of a service, as ``request(_:path:body:contentType:forServiceType:completion:)`` does.
  /// - Throws: an error in ``SCServiceErrorDomain`` where it is about authentication; otherwise what went wrong.
  public func request(
    _ method: String = "GET", path: String, body: Data? = nil, contentType: String = "application/json",
    forServiceType service: SCServiceType
  ) async throws -> ServiceResponse {
    do {
      guard let method = HTTPRequest.Method(method) else {
        throw OstiaryError(.invalidRequest, "“\(method)” is no method.", requestMayHaveExecuted: false)
      }
      var fields: HTTPFields = [.accept: "application/json"]
      if body != nil { fields[.contentType] = contentType }
      let call = SalesforceCall(method, path, headerFields: fields, body: body)
      let response = try await send(call, service)
      return ServiceResponse(statusCode: response.status.code, body: response.body)
    } catch {
      throw ServiceErrors.aboutRequest(error)
    }
  }

  private func send(_ call: SalesforceCall, _ service: SCServiceType) async throws -> TransportResponse {
    do {
      return try await services[service.service].send(call)
    } catch let error as OstiaryError where error.code == .salesforceGuestHasNoSite {
      guard let community = serviceConfiguration.communityUrl else { throw error }
      return try await transport.send(call.request(at: community))
    }
  }
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
