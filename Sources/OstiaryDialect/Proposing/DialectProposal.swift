internal import Foundation
public import OstiaryCore

/// The draft of a dialect, from one captured call, its answer, and what a person says of them.
///
/// No value of the call or of the answer goes into the document: what the call sends besides user name and password becomes a setting.
/// The only exceptions are values that the person names in ``kept``.
public struct DialectProposal: Sendable {
  /// How a request carries the session.
  public enum ProofForm: Sendable, Hashable {
    /// A field, with what stands before the token.
    case header(name: String, prefix: String)
    /// The cookies that the server sets.
    case cookies([String])
  }

  /// The dialect's name.
  public var name: String
  /// The API's name for people.
  public var title: String
  /// The call that signs in.
  public var call: CapturedCall
  /// Where the call sends the user name.
  public var username: CapturedInput.Place?
  /// Where the call sends the password.
  public var password: CapturedInput.Place?
  /// The names of the inputs whose values are the same for every user, and no secrets.
  public var kept: Set<String> = []
  /// Where the answer has the token.
  public var token: FoundValue?
  /// Where the answer has the token that renews.
  public var renewalToken: FoundValue?
  /// Where the answer says how long the token lasts.
  public var expiry: FoundValue?
  /// Where the answer has the user's identifier.
  public var userID: FoundValue?
  /// Where the answer has the user's name.
  public var userName: FoundValue?
  /// How requests carry the session.
  public var proof: ProofForm
  /// The path of the call that renews.
  public var renewPath: String?
  /// The name that the renewal token has in that call.
  public var renewName: String?
  /// The path of the call that tells who the user is.
  public var whoPath: String?
  /// What the answer of that call has.
  public var whoUserID: FoundValue?
  /// Where that answer has the user's name.
  public var whoUserName: FoundValue?
  /// The path of the call that ends the session.
  public var endPath: String?

  /// Takes the likeliest of everything: a field with the token, or the cookies where the answer has no token.
  public init(_ call: CapturedCall, answer: CapturedAnswer, name: String, title: String) {
    self.name = name
    self.title = title
    self.call = call
    let inputs = call.inputs
    username = inputs.first { $0.likeness == .username }?.place
    password = inputs.first { $0.likeness == .password }?.place
    let findings = AnswerFinder(answer, to: call).findings
    token = findings.first { $0.likeness == .token && !$0.isCookie && $0.rank > -10 }
    let cookies = findings.filter(\.isCookie).map(\.name)
    proof = token == nil && !cookies.isEmpty ? .cookies(cookies) : .header(name: "Authorization", prefix: "Bearer ")
    renewalToken = findings.first { $0.likeness == .renewalToken && !$0.isCookie }
    expiry = findings.first(where: \.isTime)
    userID = findings.first { $0.likeness == .userID }
    userName = findings.first { $0.likeness == .userName }
  }

  /// The document, as JSON.
  public func document() -> JSONValue {
    let signIn = ProposedCall(self)
    var members = signIn.members
    members["reads"] = .object(reads)
    var document: [String: JSONValue] = [
      "dialect": 1, "name": .string(name), "title": .string(title), "signIn": .array([.object(members)]),
      "proof": .object(proofMembers), "renewal": .object(renewal),
    ]
    if !signIn.settings.isEmpty { document["settings"] = .object(signIn.settings) }
    if let renew { document["renew"] = .object(renew) }
    if let whoPath {
      var who = Self.call("GET", whoPath)
      var reads: [String: JSONValue] = [:]
      if let whoUserID { reads["userID"] = whoUserID.read }
      if let whoUserName { reads["userName"] = whoUserName.read }
      if !reads.isEmpty { who["reads"] = .object(reads) }
      document["who"] = .object(who)
    }
    if let endPath { document["end"] = .object(Self.call("POST", endPath)) }
    return .object(document)
  }

  // MARK: Parts

  private var reads: [String: JSONValue] {
    var reads: [String: JSONValue] = [:]
    // Cookies need no token to be read: the jar is the proof.
    if case .header = proof, let token { reads["token"] = token.read }
    if let renewalToken { reads["renewalToken"] = renewalToken.read }
    if let expiry = expiryRead { reads["expiry"] = expiry }
    reads["userID"] = userID?.read ?? userIDClaim.map { Self.claim($0) }
    reads["userName"] = userName?.read ?? userNameClaim.map { Self.claim($0) }
    return reads
  }

  /// The claim of the token that is read as the user's identifier where the answer has none.
  public var userIDClaim: String? { claim(of: ["sub", "user_id"]) }

  /// The claim of the token that is read as the user's name where the answer has none.
  public var userNameClaim: String? { claim(of: ["preferred_username", "username", "email", "name"]) }

  private func claim(of names: [String]) -> String? {
    guard let claims = token?.claims else { return nil }
    return names.first(where: claims.contains)
  }

  private static func claim(_ name: String) -> JSONValue {
    .object(["jwt": "token", "pointer": .string("/\(name)")])
  }

  private var expiryRead: JSONValue? {
    switch expiry?.likeness {
    case .lifetime(let unit)?:
      return .object(["in": expiry?.read ?? .null, "unit": .string(unit.rawValue)])
    case .end(let form)?: return .object(["at": expiry?.read ?? .null, "as": .string(form.rawValue)])
    default: return token?.claims.contains("exp") == true ? .object(["jwt": "token"]) : nil
    }
  }

  private var proofMembers: [String: JSONValue] {
    switch proof {
    case .header(let name, let prefix):
      ["headers": .object([name: .string(ProposedCall.literal(prefix) + "{token}")])]
    case .cookies(let names): ["cookies": .array(names.map { .string($0) })]
    }
  }

  private var renew: [String: JSONValue]? {
    guard let renewPath, let renewalToken else { return nil }
    var renew = Self.call("POST", renewPath)
    let name = renewName ?? renewalToken.memberName
    renew["body"] = .object(["json": .object([ProposedCall.literal(name): "{renewalToken}"])])
    var reads: [String: JSONValue] = [:]
    if let token { reads["token"] = token.read }
    reads["renewalToken"] = renewalToken.read
    if let expiry = expiryRead { reads["expiry"] = expiry }
    renew["reads"] = .object(reads)
    return renew
  }

  private var renewal: [String: JSONValue] {
    guard renew != nil else { return ["by": "credential"] }
    // Whether the server gives another renewal token each time isn't known from one call.
    return ["by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "ask"]
  }

  private static func call(_ method: String, _ path: String) -> [String: JSONValue] {
    ["method": .string(method), "path": .string(ProposedCall.literal(path))]
  }
}

extension FoundValue {
  /// Whether it tells how long something lasts.
  public var isTime: Bool {
    switch likeness {
    case .lifetime, .end: true
    default: false
    }
  }

  /// The last name on the way to it.
  var memberName: String {
    switch place {
    case .body(let path): path.last { Int($0) == nil } ?? "token"
    case .header(let name), .cookie(let name): name
    case .whole: "token"
    }
  }
}
