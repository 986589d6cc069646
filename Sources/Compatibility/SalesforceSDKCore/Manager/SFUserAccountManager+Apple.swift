#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  internal import OstiaryOAuth

  extension SFUserAccountManager {
    /// The system's own browser window.
    static var platformUserAgent: (any UserAgent)? { WebAuthenticationUserAgent() }
  }
#endif
