/// The names that templates may use at one place of a dialect.
struct DialectScope {
  /// The names that have a value there, or may have one.
  var names: Set<String>
  /// Whether it is a call of `signIn` or `continue`.
  var signsIn = false

  /// The scope after the answer to a call.
  mutating func add(_ reads: DialectReads) {
    names.formUnion(reads.names)
  }
}

extension DialectReads {
  /// The names that it gives a value.
  var names: Set<String> {
    var names = Set(values.map(\.name))
    for (name, reads) in [
      ("token", token), ("renewalToken", renewalToken), ("kind", kind), ("userID", userID), ("userName", userName),
    ] where !reads.isEmpty { names.insert(name) }
    return names
  }
}

/// The scopes of a dialect.
struct DialectScopes {
  /// What calls before signing in have.
  let base: DialectScope
  /// What a session has.
  let session: DialectScope
  /// What the calls before the question of a second step have.
  let before: DialectScope
  /// What a second step has.
  let continuation: DialectScope

  init(_ dialect: Dialect) {
    var scope = DialectScope(names: Set(dialect.settings.map(\.name) + ["username", "deviceName", "lineage"]))
    base = scope
    for call in dialect.prepare + dialect.signIn + dialect.continuations.map(\.call) { scope.add(call.reads) }
    var step = scope
    step.names.insert("handle")
    before = step
    step.signsIn = true
    step.names.formUnion(["password", "code"])
    continuation = step
    for call in dialect.continuations.flatMap(\.before) { scope.add(call.reads) }
    for call in [dialect.renew, dialect.who] { if let call { scope.add(call.reads) } }
    session = scope
  }

  /// What the first call of a sign-in has after those before it.
  static func signIn(after scope: DialectScope) -> DialectScope {
    var result = scope
    result.signsIn = true
    result.names.formUnion(["password", "code"])
    return result
  }
}
