internal import Foundation
internal import Ostiary
internal import OstiaryPega

// The names are those under which Swift 3 and later import the vendor's Objective-C methods.
extension PMPegaAuthenticator {
  /// Logs in.
  /// - Parameter completionHandler: gets the server's response with the access group's name, the base URL and other
  ///   properties, or an error in ``PMAuthenticationErrorDomain``; never both.
  @preconcurrency
  public func logIn(
    withUsername username: String?, password: String?,
    completionHandler: @escaping @Sendable (_ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    logIn(username, password) { result in
      switch result {
      case .success(let response): completionHandler(response.mapValues(\.foundationValue), nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  /// Logs off, and clears the cookies of the current or a previous session, also when the server can't be told.
  /// - Parameter completionHandler: gets `nil`, or why the server could not be told.
  @preconcurrency
  public func logOff(completionHandler: @escaping @Sendable (_ error: (any Error)?) -> Void) {
    perform(as: .logOff) { service in
      try await service.logOff()
    } completion: { result in
      switch result {
      case .success: completionHandler(nil)
      case .failure(let error): completionHandler(error)
      }
    }
  }

  /// Asks the server whether a user is logged in. Never logs a user in.
  /// - Parameter completionHandler: gets `true` and the server's response; or `false` and the reason:
  ///   ``PMAuthenticationError/invalidCredentials`` when no user is logged in or the session has expired,
  ///   ``PMAuthenticationError/network`` and others when it can't be told.
  @preconcurrency
  public func isLoggedIn(
    completionHandler:
      @escaping @Sendable (_ success: Bool, _ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    askWhetherLoggedIn { result in
      switch result {
      case .success(let response): completionHandler(true, response.mapValues(\.foundationValue), nil)
      case .failure(let error): completionHandler(false, nil, error)
      }
    }
  }

  private func logIn(
    _ username: String?, _ password: String?,
    _ completion: @escaping @Sendable (Result<[String: JSONValue], NSError>) -> Void
  ) {
    let secret = Secret(password ?? "")
    perform(as: .login, { try await $0.logIn(username ?? "", secret) }, completion: completion)
  }

  private func askWhetherLoggedIn(_ completion: @escaping @Sendable (Result<[String: JSONValue], NSError>) -> Void) {
    perform(
      { service in
        guard let response = try await service.isLoggedIn() else {
          throw OstiaryError(.interactionRequired, "No user is logged in, or the session has expired.")
        }
        return response
      }, completion: completion)
  }
}

// Swift 5.5 and later import each of these methods a second time, as an asynchronous one.
extension PMPegaAuthenticator {
  /// Logs in.
  /// - Returns: the server's response.
  /// - Throws: an `NSError` in ``PMAuthenticationErrorDomain``.
  public func logIn(withUsername username: String?, password: String?) async throws -> sending [String: Any] {
    let response: [String: JSONValue] = try await withCheckedThrowingContinuation { continuation in
      logIn(username, password) { continuation.resume(with: $0) }
    }
    return response.mapValues(\.foundationValue)
  }

  /// Logs off, and clears the cookies of the current or a previous session, also when the server can't be told.
  /// - Throws: an `NSError` in ``PMAuthenticationErrorDomain``.
  public func logOff() async throws {
    try await withCheckedThrowingContinuation { continuation in
      perform(as: .logOff, { try await $0.logOff() }, completion: { continuation.resume(with: $0) })
    }
  }

  /// Asks the server whether a user is logged in. Never logs a user in.
  /// - Returns: `true` and the server's response.
  /// - Throws: an `NSError` in ``PMAuthenticationErrorDomain`` when no user is logged in, and when it can't be told.
  public func isLoggedIn() async throws -> sending (Bool, [String: Any]) {
    let response: [String: JSONValue] = try await withCheckedThrowingContinuation { continuation in
      askWhetherLoggedIn { continuation.resume(with: $0) }
    }
    return (true, response.mapValues(\.foundationValue))
  }
}

// The spellings of the vendor's page, which Swift 2 imported.
extension PMPegaAuthenticator {
  /// Logs in: the spelling of the vendor's page.
  @available(*, deprecated, renamed: "logIn(withUsername:password:completionHandler:)")
  @preconcurrency
  public func logInWithUsername(
    _ username: String?, password: String?,
    completionHandler: @escaping @Sendable (_ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    logIn(withUsername: username, password: password, completionHandler: completionHandler)
  }

  /// Logs off: the spelling of the vendor's page.
  @available(*, deprecated, renamed: "logOff(completionHandler:)")
  @preconcurrency
  public func logOffWithCompletionHandler(
    _ completionHandler: @escaping @Sendable (_ error: (any Error)?) -> Void
  ) {
    logOff(completionHandler: completionHandler)
  }

  /// Asks the server whether a user is logged in: the spelling of the vendor's page.
  @available(*, deprecated, renamed: "isLoggedIn(completionHandler:)")
  @preconcurrency
  public func isLoggedInWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable (_ isSuccess: Bool, _ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    isLoggedIn(completionHandler: completionHandler)
  }
}
