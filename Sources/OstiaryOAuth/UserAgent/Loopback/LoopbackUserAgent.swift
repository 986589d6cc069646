public import Foundation
internal import OstiaryCore

#if os(macOS) || os(Linux)
  /// Shows pages in the system's browser and catches the answer on this machine: for tools and desktop programs
  /// (RFC 8252 §7.3).
  ///
  /// The redirect URI is `http://127.0.0.1/…` or `http://[::1]/…` as it is registered; without a port it gets a free one,
  /// which servers have to allow (RFC 8252 §7.3). Give a port where one doesn't. It is listened for on that address alone;
  /// `http://localhost/…` on 127.0.0.1.
  ///
  /// The browser gets an address on the same port that leads to the server's page once, because a browser is opened by a process whose
  /// arguments other users of the machine can read, and the server's page has in its address what ties the answer to the request, or an ID
  /// token. On Linux other users' connections to it are refused.
  ///
  /// It listens for one answer and no longer than ``timeout``. Other programs and pages on this machine can send to the
  /// port, and that ends nothing: what does not carry the state of the sign-in is answered and forgotten.
  public struct LoopbackUserAgent: UserAgent {
    /// How long a user may take. 10 minutes.
    public var timeout: Duration
    /// What the browser shows in the end.
    public var text: String
    private let open: @Sendable (LoopbackPage) async throws -> Void

    /// Makes a user agent.
    /// - Parameter open: opens a page; by default ``LoopbackPage/address`` in the system's browser. It may return at once or when the browser
    ///   is closed, and must end when its task is cancelled. When it throws, the visit ends with its error.
    public init(
      timeout: Duration = .seconds(600), text: String = "You can close this page and go back to the program.",
      open: @escaping @Sendable (LoopbackPage) async throws -> Void = { try await SystemBrowser.open($0.address) }
    ) {
      self.timeout = timeout
      self.text = text
      self.open = open
    }

    public func visit(
      _ redirectURI: URL, page: @Sendable (URL) async throws -> AuthorizationRequest
    ) async throws -> AuthorizationVisit {
      let expectation = Locked<AuthorizationRequest?>(nil)
      let path = redirectURI.path(percentEncoded: true).isEmpty ? "/" : redirectURI.path(percentEncoded: true)
      let entrance = LoopbackEntrance()
      let listener = try Self.listen(for: redirectURI, path: path, text: text, entrance: entrance) { target in
        guard let request = expectation.withLock({ $0 }),
          let callback = Self.callback(to: request.redirectURI, target), request.isAnswered(by: callback)
        else { return nil }
        return callback
      }
      defer { listener.stop() }
      var real = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false)
      real?.port = listener.port
      var way = real
      // By its number, for behind a name another program may listen on the other address.
      if way?.host?.lowercased() == "localhost" { way?.host = "127.0.0.1" }
      way?.percentEncodedPath = entrance.path
      way?.percentEncodedQuery = nil
      guard let real = real?.url, let address = way?.url else { throw Self.unusable }
      let request = try await page(real)
      expectation.withLock { $0 = request }
      entrance.open(to: request)
      let shown = LoopbackPage(address: address, serverPage: request.url)
      let open = open
      let callback = try await withDeadline(timeout) {
        try await Self.first(of: listener, opening: shown, open)
      } timedOut: {
        OstiaryError(.signInTimedOut, "The sign-in in the browser took too long.", requestMayHaveExecuted: false)
      }
      return AuthorizationVisit(request: request, callback: callback)
    }

    /// The callback, or the failure to open the page, whichever comes first.
    private static func first(
      of listener: CallbackListener, opening page: LoopbackPage,
      _ open: @escaping @Sendable (LoopbackPage) async throws -> Void
    ) async throws -> URL {
      try await withThrowingTaskGroup(of: URL?.self) { group in
        group.addTask { try await listener.callback() }
        group.addTask {
          try await open(page)
          return nil
        }
        defer { group.cancelAll() }
        while let result = try await group.next() {
          if let result { return result }
        }
        throw CancellationError()
      }
    }

    private static func listen(
      for redirectURI: URL, path: String, text: String, entrance: LoopbackEntrance,
      expected: @escaping @Sendable (String) -> URL?
    ) throws -> CallbackListener {
      guard redirectURI.scheme?.lowercased() == "http", redirectURI.user() == nil,
        let host = address(redirectURI.host()?.lowercased()), let port = UInt16(exactly: redirectURI.port ?? 0)
      else { throw unusable }
      return try CallbackListener(
        host: host, port: port, path: path, text: text, entrance: entrance, expected: expected)
    }

    /// The address that a browser was sent to, as the redirect URI writes it.
    private static func callback(to redirectURI: URL, _ target: String) -> URL? {
      guard let origin = Origin(redirectURI) else { return nil }
      let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
      return URL(string: "http://\(host):\(origin.port)\(target)")
    }

    /// Where to listen for a host. (Foundations differ in whether an IPv6 address comes with its brackets.)
    private static func address(_ host: String?) -> String? {
      switch host {
      case "127.0.0.1", "localhost": "127.0.0.1"
      case "::1", "[::1]": "::1"
      default: nil
      }
    }

    private static var unusable: OstiaryError {
      .invalidOAuthInput(
        "A callback can be caught only under http://127.0.0.1, http://[::1] or http://localhost.",
        "Register such a redirect URI, or use another user agent.")
    }
  }
#endif
