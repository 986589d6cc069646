public import HTTPTypes

/// One request of a dialect, and what is read of its answer.
public struct DialectCall: Sendable, Hashable {
  /// The role of the server that it goes to; the main one without.
  public var server: String?
  /// The method.
  public var method: HTTPRequest.Method
  /// The path, which begins with `/`. A value is escaped as one segment, or a part of one.
  public var path: DialectTemplate
  /// The query's items.
  public var query: [DialectField]
  /// The request's fields.
  public var headers: [DialectField]
  /// The request's body.
  public var body: DialectBody?
  /// User name and password of an `Authorization` field (RFC 7617).
  public var basic: DialectBasic?
  /// What makes an answer a success; a status from 200 to 299 without.
  public var success: DialectCondition?
  /// Whether redirects within the origin are followed. Otherwise the redirect is the answer.
  public var followsRedirects: Bool
  /// Whether the request carries the session's proof. By default `verify`, `who` and `end` do, and a renewal by the token itself.
  public var carriesProof: Bool?
  /// What is read of a success.
  public var reads: DialectReads
  /// What refusals of this call mean.
  public var meanings: [DialectMeaning]

  /// Makes a call.
  public init(
    _ method: HTTPRequest.Method, _ path: DialectTemplate, server: String? = nil, query: [DialectField] = [],
    headers: [DialectField] = [], body: DialectBody? = nil, basic: DialectBasic? = nil,
    success: DialectCondition? = nil, followsRedirects: Bool = false, carriesProof: Bool? = nil,
    reads: DialectReads = DialectReads(), meanings: [DialectMeaning] = []
  ) {
    self.server = server
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.basic = basic
    self.success = success
    self.followsRedirects = followsRedirects
    self.carriesProof = carriesProof
    self.reads = reads
    self.meanings = meanings
  }
}

/// The call that answers one kind of question in the middle of a sign-in: a member of `continue` in the document.
public struct DialectContinuation: Sendable, Hashable {
  /// The kind of question, such as `totp`.
  public var kind: String
  /// The calls before the question, such as one by which the server sends a code. They have no password.
  public var before: [DialectCall]
  /// The call with the answer.
  public var call: DialectCall

  /// Makes a second step.
  public init(_ kind: String, before: [DialectCall] = [], _ call: DialectCall) {
    self.kind = kind
    self.before = before
    self.call = call
  }
}
