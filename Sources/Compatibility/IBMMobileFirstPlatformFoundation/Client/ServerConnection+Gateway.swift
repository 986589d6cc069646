internal import Foundation
internal import HTTPTypes
internal import Ostiary

extension ServerConnection {
  /// Signs in to the gateway with credentials: by the gateway's own login form, in turn with the forms that handlers send.
  func signIn(
    _ credentials: LoginCredentials, _ configuration: MobileFirstGatewayConfiguration, timeout: Duration,
    fields: [String: String], completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    inTurn(completion: completion) { connection in
      let login = try connection.gatewayLogin(configuration, timeout: timeout, fields: fields)
      let (cookies, doubt) = try await login.signIn(credentials)
      try Task.checkCancellation()
      await connection.cookies.takeOver(cookies, at: connection.environment.clock.now)
      connection.noteForm(login.observer.lastForm)
      if let doubt { throw doubt }
      return TransportResponse(HTTPResponse(status: .ok))
    }
  }

  /// Forgets the session here, and then ends it at the gateway.
  /// - Returns: why the gateway could not be told, if it could not.
  func signOut(
    _ configuration: Result<MobileFirstGatewayConfiguration, OstiaryError>, timeout: Duration, fields: [String: String]
  ) async -> OstiaryError? {
    let session = await Result { try await cookies.snapshot(at: environment.clock.now).jar }
    // The cookies are gone at once; where they rest, that may take its time.
    let removal = SharedWork<Void>()
    removal.launch { [cookies] in await cookies.drop() }
    let error = await end(session, configuration, timeout: timeout, fields: fields)
    _ = await removal.outcome
    return error
  }

  private func end(
    _ session: Result<CookieJar, any Error>, _ configuration: Result<MobileFirstGatewayConfiguration, OstiaryError>,
    timeout: Duration, fields: [String: String]
  ) async -> OstiaryError? {
    do {
      let cookies = try session.get()
      let login = try gatewayLogin(try configuration.get(), timeout: timeout, fields: fields)
      let form = backgroundTasks.withLock { $0.formAddress }
      guard !cookies.isEmpty, let address = try login.logoutAddress(after: form) else { return nil }
      try await login.signOut(cookies, at: address)
      return nil
    } catch {
      return error as? OstiaryError
        ?? OstiaryError(.internalError, "The gateway could not be told of the sign-out: \(type(of: error)).")
    }
  }

  /// Notes where a login form was sent to, where that tells how the session is ended.
  func noteForm(_ url: URL?) {
    guard let url, GatewayLogin.knowsLogout(after: url) else { return }
    backgroundTasks.withLock { $0.formAddress = url }
  }

  private func gatewayLogin(
    _ configuration: MobileFirstGatewayConfiguration, timeout: Duration, fields: [String: String]
  ) throws -> GatewayLogin {
    guard let address else {
      throw OstiaryError(
        .invalidInput, "There is no server whose gateway could be signed in to.",
        advice: "Call setServerUrl(_:) first, or put a file mfpclient.plist into the app.",
        requestMayHaveExecuted: false)
    }
    let observer = FormObserver(environment.transport, timeout: timeout, fields: fields, server: address)
    return GatewayLogin(configuration: configuration, server: address, observer: observer, clock: environment.clock)
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// What an asynchronous call returns or throws.
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
