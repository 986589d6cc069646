public import OstiaryCore

/// What a sign-in has asked of the ID token that it gets.
public struct IDTokenExpectation: Sendable, Hashable {
  /// The `nonce` that has to be in it (OpenID Connect Core §3.1.3.7 (11)); `nil` where none was sent.
  public var nonce: Secret?
  /// How long ago the user may have signed in at the server (`max_age`); `nil` where it was not asked.
  public var maximumAge: Duration?
  /// The authentication contexts of which one was asked for (`acr_values`); empty where none was.
  public var contextClasses: [String]
  /// Whom it has to be about, where that is known: a stronger sign-in is of the same user.
  public var subject: String?

  /// Makes an expectation.
  public init(
    nonce: Secret? = nil, maximumAge: Duration? = nil, contextClasses: [String] = [], subject: String? = nil
  ) {
    self.subject = subject
    self.nonce = nonce
    self.maximumAge = maximumAge
    self.contextClasses = contextClasses
  }
}

extension IDTokenExpectation {
  init(members: [String: JSONValue]) {
    self.init(
      nonce: members["nonce"]?.string.map { Secret($0) },
      maximumAge: members["max_age"]?.double.flatMap { (0...1e12).contains($0) ? .seconds($0) : nil },
      contextClasses: members["acr_values"]?.array?.compactMap(\.string) ?? [], subject: members["sub"]?.string)
  }

  /// As JSON, to keep it until the token is judged.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["nonce"] = nonce.map { .string($0.reveal()) }
    members["max_age"] = maximumAge.map { .number($0.seconds) }
    members["sub"] = subject.map(JSONValue.string)
    if !contextClasses.isEmpty { members["acr_values"] = .array(contextClasses.map(JSONValue.string)) }
    return members
  }
}

extension IDTokenExpectation: Redacted {
  /// What was asked; not the nonce.
  public var description: String {
    "IDTokenExpectation(\(nonce == nil ? "no nonce" : "a nonce"), acr \(contextClasses), max_age \(maximumAge.map { "\($0)" } ?? "any"))"
  }
}
