/// What some routes tell the audit trail. Doors declare it, the tests hold it to what the routes do, and the documentation shows it.
package struct RouteAudit: Sendable {
  /// Something that can come of a request, in a few words, and the event that it writes.
  package struct Outcome: Sendable {
    let what: String
    let kind: AuditKind
    let cause: AuditCause?

    init(_ what: String, _ kind: AuditKind, _ cause: AuditCause? = nil) {
      self.what = what
      self.kind = kind
      self.cause = cause
    }

    /// The event as the trail names it.
    var word: String { cause.map { "\(kind.rawValue): \($0.rawValue)" } ?? kind.rawValue }
  }

  /// Methods and patterns, such as `POST /primer/login`; of a door with its default options.
  let routes: [String]
  /// Nothing for routes that only read: calls are counted, and told with the end of their session or tokens.
  let outcomes: [Outcome]

  init(_ routes: [String], _ outcomes: [Outcome] = []) {
    self.routes = routes
    self.outcomes = outcomes
  }
}

extension [RouteAudit.Outcome] {
  /// Of a password that is looked at.
  static let password: Self = [
    .init("the password is right", .passwordAccepted),
    .init("it is wrong, or there is no such user", .passwordRefused, .credentialRefused),
    .init("the user is disabled", .passwordRefused, .userDisabled),
    .init("there were too many attempts", .passwordRefused, .tooManyAttempts),
  ]
  /// Of what can't be a name and a password.
  static let malformed: Self = [.init("the credential is malformed", .passwordRefused, .wrong)]
  /// Of a form that comes from elsewhere.
  static let form: Self = [.init("the form is forged or expired", .formRefused, .forged)]
  /// Of a sign-in that begins a session.
  static let session: Self = [
    .init("a session begins", .sessionBegun),
    .init("it replaces the client's own", .sessionEnded, .signedInAgain),
  ]
  /// Of a sign-out.
  static let signOut: Self = [.init("the session ends", .sessionEnded, .requestedByApp)]
  /// Of a mailed code.
  static let code: Self = [
    .init("a code is asked for", .codeAsked),
    .init("the code is right", .codeAccepted),
    .init("the code is wrong", .codeRefused, .wrong),
  ]
}
