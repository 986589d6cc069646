#if !canImport(AuthenticationServices) || os(tvOS) || os(watchOS)
  internal import OstiaryOAuth

  extension SFUserAccountManager {
    /// There is none that catches redirects to an app.
    static var platformUserAgent: (any UserAgent)? { nil }
  }
#endif
