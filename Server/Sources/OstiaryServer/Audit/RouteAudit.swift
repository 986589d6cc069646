/// The events that some routes record. Doors declare them, the tests compare them with the routes' behaviour, and the
/// documentation shows them.
package struct RouteAudit: Sendable {
  /// One outcome of a request, in a few words, and the event that it writes.
  package struct Outcome: Sendable {
    let what: String
    let kind: AuditKind
    let cause: AuditCause?

    init(_ what: String, _ kind: AuditKind, _ cause: AuditCause? = nil) {
      self.what = what
      self.kind = kind
      self.cause = cause
    }

    /// The event's name in the trail.
    var word: String { cause.map { "\(kind.rawValue): \($0.rawValue)" } ?? kind.rawValue }
  }

  /// Methods and patterns, such as `POST /primer/login`; of a door with its default options.
  let routes: [String]
  /// Empty for routes that only read: their calls are counted, and the count is recorded at the end of their session or tokens.
  let outcomes: [Outcome]

  init(_ routes: [String], _ outcomes: [Outcome] = []) {
    self.routes = routes
    self.outcomes = outcomes
  }
}

extension [RouteAudit.Outcome] {
  /// The outcomes of verifying a password.
  static let password: Self = [
    .init("the password is right", .passwordAccepted),
    .init("it is wrong, or there is no such user", .passwordRefused, .credentialRefused),
    .init("the user is disabled", .passwordRefused, .userDisabled),
    .init("there were too many attempts", .passwordRefused, .tooManyAttempts),
  ]
  /// The outcome of a text that can't be a name and a password.
  static let malformed: Self = [.init("the credential is malformed", .passwordRefused, .wrong)]
  /// The outcome of a form from another site.
  static let form: Self = [.init("the form is forged or expired", .formRefused, .forged)]
  /// The outcomes of a sign-in that begins a session.
  static let session: Self = [
    .init("a session begins", .sessionBegun),
    .init("it replaces the client's own", .sessionEnded, .signedInAgain),
  ]
  /// The outcome of a sign-out.
  static let signOut: Self = [.init("the session ends", .sessionEnded, .requestedByApp)]
  /// The outcomes of a mailed code.
  static let code: Self = [
    .init("a code is asked for", .codeAsked),
    .init("the code is right", .codeAccepted),
    .init("the code is wrong", .codeRefused, .wrong),
  ]
}
