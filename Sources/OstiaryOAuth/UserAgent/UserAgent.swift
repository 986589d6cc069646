public import Foundation
internal import OstiaryCore

/// Shows a server's page to a user and catches the address that the server sends them to afterwards.
///
/// It must show exactly the page that it is given, in a browser that the program can't look into (RFC 8252 §8.12), and
/// return the first address that ``AuthorizationRequest/isAnswered(by:)`` says yes to. It must never look further into
/// the address, keep it, or pass it on to others; it must end when its task is cancelled. Throw `OstiaryError`
/// `interactionCancelled` when the user closes the page.
public protocol UserAgent: Sendable {
  /// Shows a page and catches the answer.
  /// - Parameters:
  ///   - redirectURI: the address that is registered for this client.
  ///   - page: makes the request, for the redirect URI under which the answer can really be caught: a loopback address
  ///     gets its port only then. It may ask the server (RFC 9126), and is called once.
  func visit(
    _ redirectURI: URL, page: @Sendable (URL) async throws -> AuthorizationRequest
  ) async throws -> AuthorizationVisit
}

/// What came of a visit to a server's page.
public struct AuthorizationVisit: Sendable {
  /// The request that was shown.
  public let request: AuthorizationRequest
  /// The address that the server sent the user to.
  public let callback: URL

  /// Makes a visit.
  public init(request: AuthorizationRequest, callback: URL) {
    self.request = request
    self.callback = callback
  }
}

extension AuthorizationVisit: CustomStringConvertible, CustomReflectable {
  /// The server's host; the callback has the code.
  public var description: String { "AuthorizationVisit(\(request))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

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
    _ redirectURI: URL, page: @Sendable (URL) async throws -> AuthorizationRequest
  ) async throws -> AuthorizationVisit {
    let request = try await page(redirectURI)
    return AuthorizationVisit(request: request, callback: try await body(request))
  }
}
