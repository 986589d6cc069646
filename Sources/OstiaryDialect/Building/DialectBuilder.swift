internal import OstiaryCore

/// Builds a ``Dialect`` in Swift, call by call.
///
/// ```swift
/// let dialect = try DialectBuilder("shop")
///   .signIn(DialectCall(.post, "/login", body: .json(["email": "{username}", "password": "{password}"]),
///     reads: DialectReads(token: ["/token"], expiry: [.duration(["/expiresIn"])])))
///   .who(DialectCall(.get, "/me", reads: DialectReads(userID: ["/id"], userName: ["/name"])))
///   .meaning(.expired, when: .all([.status(401), .pointer("/code", .equals("token_expired"))]))
///   .dialect()
/// ```
public struct DialectBuilder: Sendable, Hashable {
  private var value: Dialect

  /// Begins a dialect.
  /// - Parameters:
  ///   - name: letters in lower case, digits and hyphens.
  ///   - title: the API's name for people.
  public init(_ name: String, title: String? = nil) {
    value = Dialect(name: name, title: title, signIn: [])
  }

  private func with(_ change: (inout Dialect) -> Void) -> DialectBuilder {
    var copy = self
    change(&copy.value)
    return copy
  }

  /// Names a page that the dialect is written from.
  public func source(_ address: String) -> DialectBuilder { with { $0.sources.append(address) } }

  /// Names the server's roles, the main one first, where there are several.
  public func servers(_ servers: DialectServer...) -> DialectBuilder { with { $0.servers = servers } }

  /// Adds a value that the app gives.
  public func setting(_ setting: DialectSetting) -> DialectBuilder { with { $0.settings.append(setting) } }

  /// Adds a call before signing in.
  public func prepare(_ call: DialectCall) -> DialectBuilder { with { $0.prepare.append(call) } }

  /// Adds a call that signs in.
  public func signIn(_ call: DialectCall) -> DialectBuilder { with { $0.signIn.append(call) } }

  /// Adds the call that answers one kind of question.
  public func answering(_ kind: String, _ call: DialectCall) -> DialectBuilder {
    with { $0.continuations.append(DialectContinuation(kind, call)) }
  }

  /// Says how the session is renewed.
  /// - Parameter call: the call; a renewal by a credential has none.
  public func renewing(_ renewal: DialectRenewal, _ call: DialectCall? = nil) -> DialectBuilder {
    with {
      $0.renewal = renewal
      $0.renew = call
    }
  }

  /// Says which call tells whether the session is good.
  public func verify(_ call: DialectCall) -> DialectBuilder { with { $0.verify = call } }

  /// Says which call tells who the user is.
  public func who(_ call: DialectCall) -> DialectBuilder { with { $0.who = call } }

  /// Says which call ends the session.
  public func end(_ call: DialectCall) -> DialectBuilder { with { $0.end = call } }

  /// Says what requests carry; `Authorization: Bearer {token}` without.
  public func proof(_ proof: DialectProof) -> DialectBuilder { with { $0.proof = proof } }

  /// Says what refusals of every call mean.
  public func meaning(_ meaning: DialectMeaning.Meaning, when condition: DialectCondition) -> DialectBuilder {
    with { $0.meanings.append(DialectMeaning(when: condition, meaning)) }
  }

  /// The dialect.
  /// - Throws: ``DialectError`` with all that contradicts itself.
  public func dialect() throws(DialectError) -> Dialect {
    let problems = value.check()
    guard problems.isEmpty else { throw DialectError(problems) }
    return value
  }
}
