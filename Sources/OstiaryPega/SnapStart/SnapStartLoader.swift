public import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryHTML

/// Opens SnapStart addresses without a web view: the server performs the action, and the page comes back as data.
///
/// A load ends in a page or an error, once. It has a watchdog of its own, on the context's clock, because a page that
/// never comes makes no call back.
public struct SnapStartLoader: Sendable {
  /// Where the server is.
  public let server: PegaAddress
  /// The names that the server uses.
  public let configuration: PegaConfiguration
  /// How long a load may take.
  public let timeout: Duration

  private let context: AuthenticationContext

  /// Makes a loader.
  /// - Parameters:
  ///   - context: the way to the server, and the time.
  ///   - timeout: how long a load may take, redirects included; by default as the configuration says.
  public init(
    server: PegaAddress,
    configuration: PegaConfiguration = PegaConfiguration(),
    context: AuthenticationContext,
    timeout: Duration? = nil
  ) {
    self.server = server
    self.configuration = configuration
    self.context = context
    self.timeout = timeout ?? configuration.snapStart.pageTimeout
  }

  /// Performs an action for the user whom the session manager has signed in, or can sign in.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `interactionRequired` when no user is signed in and the manager could not
  ///   sign one in.
  nonisolated(nonsending) public func load(
    _ action: SnapStartAction, through manager: SessionManager
  ) async throws -> SnapStartPage {
    let request = try request(action)
    let transport = AuthenticatedTransport(manager).atThisMoment
    return try await guarded { try page(await transport.send(request), request) }
  }

  /// Performs an action for the user to whom these cookies belong, and adds the cookies that come to them.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `interactionRequired` when the server answers with a 401 of its own or its
  ///   login form.
  public func load(_ action: SnapStartAction, cookies: inout CookieJar) async throws -> SnapStartPage {
    let request = try request(action)
    let jar = Locked(cookies)
    defer { cookies = jar.withLock { $0 } }
    return try await guarded { [context] in
      var cookies = jar.withLock { $0 }
      let response = try await context.exchange(request, jar: &cookies)
      jar.withLock { [cookies] in $0 = cookies }
      return try page(response, request)
    }
  }

  private func request(_ action: SnapStartAction) throws -> TransportRequest {
    var request = try TransportRequest.get(action.url(at: server, configuration: configuration))
    request.head.headerFields[.accept] = "text/html,application/xhtml+xml"
    request.timeout = timeout
    return request
  }

  /// Runs a load under the watchdog.
  private func guarded(_ load: @escaping @Sendable () async throws -> SnapStartPage) async throws -> SnapStartPage {
    try await withThrowingTaskGroup(of: SnapStartPage.self) { group in
      let timedOut = OstiaryError(.timedOut, "The page did not come within \(timeout).")
      group.addTask(operation: load)
      group.addTask { [context, timeout] in
        try await context.clock.sleep(for: timeout)
        throw timedOut
      }
      defer { group.cancelAll() }
      guard let page = try await group.next() else { throw timedOut }
      return page
    }
  }

  private func page(_ response: TransportResponse, _ request: TransportRequest) throws -> SnapStartPage {
    let isPage = (200..<300).contains(response.status.code)
    let isLoginForm =
      isPage && response.mediaType == "text/html" && PegaPage(response, configuration: configuration).loginForm != nil
    let isRefused = response.status.code == 401 && PegaMark.isIn(response, configuration)
    guard !isRefused, !isLoginForm else {
      throw OstiaryError(
        .interactionRequired, "No user is signed in: the server asks for a user name and password.",
        request: request.head, requestMayHaveExecuted: false)
    }
    guard isPage, let url = response.url ?? request.head.targetURL else {
      throw OstiaryError(unavailable: response.head, to: request.head, now: context.clock.now)
        ?? OstiaryError(
          .unexpectedResponse,
          "The server answered \(response.status.code) to the activity “\(configuration.snapStart.activity)” in place of a page.",
          advice: "Set snapStart.activity to the name that the server has for it.", request: request.head)
    }
    return SnapStartPage(response: response, url: url)
  }
}

/// What a Pega server answered to a SnapStart address.
public struct SnapStartPage: Sendable {
  /// The response, after redirects.
  public let response: TransportResponse
  /// The address that answered.
  public let url: URL
}

extension SnapStartPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, size and host. The address holds what was asked for, which may be private, and is not shown.
  public var description: String { "\(response) from \(url.host() ?? "?")" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .struct) }
}
