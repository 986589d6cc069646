public import Foundation
internal import OstiaryCore

/// A user agent that is a function: for apps that have their own way of showing a page, and for tests.
///
/// ```swift
/// let agent = ClosureUserAgent { request in
///   show(request.url)
///   return try await nextCallback()   // where the app's URL handler puts what it gets
/// }
/// ```
public struct ClosureUserAgent: UserAgent {
  private let body: @Sendable (AuthorizationRequest) async throws -> URL

  /// Makes a user agent.
  /// - Parameter body: shows the request's page and returns the address that the server sent the user to.
  public init(_ body: @escaping @Sendable (AuthorizationRequest) async throws -> URL) {
    self.body = body
  }

  public func visit(
    _ redirectURI: URL, page: @Sendable (URL) throws -> AuthorizationRequest
  ) async throws -> AuthorizationVisit {
    let request = try page(redirectURI)
    return AuthorizationVisit(request: request, callback: try await body(request))
  }
}
