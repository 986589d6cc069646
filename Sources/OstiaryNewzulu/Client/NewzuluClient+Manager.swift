public import Logging
public import OstiaryCore

extension NewzuluClient {
  /// A client of the platform and the user of a session manager that the program has already, whose session is then the same. It signs in
  /// as the manager does, by asking where that asks; requests pass the layers below the manager.
  ///
  /// ``authenticate()`` signs in only where no session is known, and ``clearCredentials()`` signs the manager's user out.
  /// - Parameters:
  ///   - manager: owns the session; its authenticator is a ``NewzuluAuthenticator``.
  ///   - user: the e-mail address or the name that the manager's user signs in with. What is kept of uploads belongs to it.
  ///   - sessions: how often, and after which time, what failed is tried again.
  ///   - clock: tells the time.
  ///   - logger: gets one line an event.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the manager is of another kind of server.
  public convenience init(
    manager: SessionManager, user: String, sessions: SessionConfiguration = SessionConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.newzulu")
  ) throws {
    guard let authenticator = manager.authenticator as? NewzuluAuthenticator else {
      throw OstiaryError(
        .invalidInput, "The session manager is not of a Newzulu platform.",
        advice: "Make it with a NewzuluAuthenticator.", requestMayHaveExecuted: false)
    }
    let account = NewzuluAccount(
      email: user, password: nil, authenticator: authenticator, store: manager.store, manager: manager,
      name: NewzuluAccount.name(authenticator, user))
    self.init(authenticator, network: manager.transport, sessions: sessions, clock: clock, logger: logger, account)
    manager.onEvent { [weak self] event in
      guard let self else { return }
      events.tell(event)
      // What was owed at the last sign-out is told with the new session.
      if event.kind == .signedIn { settleUploads(of: account) }
    }
  }
}
