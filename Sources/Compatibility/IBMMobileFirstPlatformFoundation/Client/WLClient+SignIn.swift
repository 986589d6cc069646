internal import Foundation
internal import Ostiary

// What WLAuthorizationManager and the names of version 7.1 do, in one place.
extension WLClient {
  /// Looks whether the gateway lets requests pass. If it asks for a sign-in, the app's handlers answer, as with any request.
  func checkSession(timeout: Duration, completion: @escaping @Sendable (Outcome) async -> Void) {
    let gateway = state.withLock { $0.gateway }
    let check = Result { SessionCheck(configuration: try gateway.get()) }
    fetch(try check.get().draft(timeout: timeout)) { outcome in
      await completion((try? check.get())?.verdict(outcome) ?? outcome)
    }
  }

  /// Signs in to the gateway: with credentials by its login form, without any as the app's handlers do.
  func signIn(
    _ credentials: [AnyHashable: Any]?, timeout: Duration, completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    guard let credentials, !credentials.isEmpty else { return checkSession(timeout: timeout, completion: completion) }
    let (gateway, headers, obstacle) = state.withLock { ($0.gateway, $0.headers, $0.obstacle) }
    do {
      if let obstacle { throw obstacle }
      let configuration = try gateway.get()
      connection.signIn(
        try LoginCredentials(credentials, configuration), configuration, timeout: timeout, fields: headers
      ) { [registry] outcome in
        // Requests that wait for a handler's answer have one now.
        if case .success = outcome { for (_, handler) in registry.handlers { handler.challenges.end(.answered) } }
        await completion(outcome)
      }
    } catch {
      SharedWork<Void>().launch { await completion(Outcome(.failure(error))) }
    }
  }

  /// Signs out of the gateway. From now on requests go without its cookies, and what is under way ends.
  func signOut(timeout: Duration, completion: @escaping @Sendable (OstiaryError?) async -> Void) {
    let (previous, gateway, headers) = state.withLock { state in
      let previous = state.connect(environment, registry)
      state.connection = nil
      state.dropped.append(previous.cookies)
      return (previous, state.gateway, state.headers)
    }
    previous.retire()
    SharedWork<Void>().launch { [self] in
      let error = await previous.signOut(gateway, timeout: timeout, fields: headers)
      forget(previous.cookies)
      await completion(error)
    }
  }

  /// Tells the handler of a security check of this name that the gateway's sign-in has succeeded or failed.
  func tellCheck(_ name: String, _ outcome: Outcome, user: String?) async {
    guard let handler = registry.checkHandlers[name] else { return }
    let now = environment.clock.now
    if let error = outcome.error {
      let message = error.localizedDescription
      await handler.tell { $0.handleFailure(["failure": message]) }
    } else {
      await handler.tell { handler in
        let user: [String: Any] = [
          "id": user ?? "", "displayName": user ?? "", "authenticatedBy": name,
          "authenticatedAt": Int64(now.timeIntervalSince1970 * 1000),
        ]
        handler.handleSuccess(["user": user])
      }
    }
  }
}
