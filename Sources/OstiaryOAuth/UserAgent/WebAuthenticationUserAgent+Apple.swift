#if canImport(AuthenticationServices)
  internal import AuthenticationServices
  public import Foundation
  internal import OstiaryCore

  /// Shows pages with Apple's `ASWebAuthenticationSession`. The redirect URI has a scheme of the app's own
  /// (RFC 8252 §7.1).
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public struct WebAuthenticationUserAgent: UserAgent {
    /// Whether the browser's cookies stay out of it, so that the user is asked for a password each time.
    public var isEphemeral: Bool

    /// Makes a user agent.
    public init(isEphemeral: Bool = false) {
      self.isEphemeral = isEphemeral
    }

    public func visit(
      _ redirectURI: URL, page: @Sendable (URL) async throws -> AuthorizationRequest
    ) async throws -> AuthorizationVisit {
      let request = try await page(redirectURI)
      let callback = try await WebAuthenticationWindow().show(
        request.url, scheme: redirectURI.scheme, isEphemeral: isEphemeral)
      return AuthorizationVisit(request: request, callback: callback)
    }
  }

  /// One window of the system's.
  @MainActor
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  private final class WebAuthenticationWindow: NSObject, ASWebAuthenticationPresentationContextProviding {
    private var session: ASWebAuthenticationSession?

    nonisolated override init() {}

    func show(_ page: URL, scheme: String?, isEphemeral: Bool) async throws -> URL {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme) { @Sendable callback, error in
            if let callback { return continuation.resume(returning: callback) }
            continuation.resume(
              throwing: OstiaryError(
                .interactionCancelled, "The sign-in page was closed.", requestMayHaveExecuted: false,
                underlying: error))
          }
          session.presentationContextProvider = self
          session.prefersEphemeralWebBrowserSession = isEphemeral
          self.session = session
          // One that does not start calls back with the reason.
          session.start()
        }
      } onCancel: {
        MainActorDelivery.deliver { self.session?.cancel() }
      }
    }

    nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
      MainActor.assumeIsolated { ASPresentationAnchor() }
    }
  }
#endif
