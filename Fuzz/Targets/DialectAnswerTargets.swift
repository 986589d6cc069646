import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting

extension FuzzTarget {
  /// A place and an answer: a line with a JSON Pointer, then JSON.
  static let dialectPointer = FuzzTarget(name: "dialect-pointer") { bytes in
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let pointer = DialectPointer(String(decoding: bytes[..<end], as: UTF8.self))
    try require(pointer.parts.count <= 16, "a pointer is bounded")
    try require(pointer.fault == nil || pointer.parts.isEmpty, "a pointer that is wrong has no parts")
    guard let value = JSONValue(json: Data(bytes[end...].dropFirst())) else { return }
    guard let found = value.value(at: pointer) else { return }
    try require(pointer.fault == nil, "a pointer that is wrong finds nothing")
    try require(value.value(at: DialectPointer(parts: pointer.parts)) == found, "a pointer is its parts")
    var step = value
    for part in pointer.parts {
      guard let next = step.value(at: DialectPointer(parts: [part])) else {
        throw PropertyBroken("what is found is there step by step")
      }
      step = next
    }
    try require(step == found, "what is found step by step is the same")
    _ = (found.scalarText, found.numberOrText)
  }

  /// An API's answer to a sign-in, a renewal, a verification and a request: a byte for the status, one for the type, and the body.
  static let dialectAnswer = FuzzTarget(name: "dialect-answer") { bytes in
    guard bytes.count > 1, let url = URL(string: "https://api.example") else { return }
    let statuses: [HTTPResponse.Status] = [
      .ok, .unauthorized, .forbidden, .badRequest, .found, .tooManyRequests, .badGateway, .noContent,
    ]
    let types = ["application/json", "text/html", "text/plain", "application/problem+json"]
    var head = HTTPResponse(status: statuses[Int(bytes[0]) % statuses.count])
    head.headerFields[.contentType] = types[Int(bytes[1]) % types.count]
    head.headerFields[.location] = "https://elsewhere.example/"
    let response = TransportResponse(head, body: Data(bytes.dropFirst(2)), url: url)
    let network = ScriptedTransport(handler: { _ in response })
    let context = AuthenticationContext(transport: network)
    let authenticator = try DialectAuthenticator(
      dialect: everything, server: url, answering: DialectQuestions { _ in .code("fuzzing-code") })

    let verdict = authenticator.judge(response, to: try .get(url))
    if verdict != .accepted {
      try require(head.status != .badGateway && head.status != .tooManyRequests, "only the server refuses a session")
    }
    do {
      let grant = try await authenticator.signIn(
        with: .password(username: "fuzz", password: "fuzzing-password"), in: context)
      let token = grant.proof.tokens["token"]?.reveal() ?? ""
      try require(!token.isEmpty && token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a token can be carried")
      try require(grant.expiresAt.map { $0 > Date() } ?? true, "a new session is not over")
      try require(!"\(grant)".contains(token) || token.utf8.count < 4, "a grant shows no token")
    } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying.map { "\($0)" } ?? "")".contains("fuzzing"), "an error holds no secret")
    }
    let proof = Proof(tokens: ["token": "t", "renewalToken": "r"])
    let session = Session(
      kind: authenticator.kind, server: url, version: ProofVersion(),
      grant: SessionGrant(user: Session.User(id: "7"), proof: proof), issuedAt: Date())
    do {
      _ = try await authenticator.renew(session, in: context)
      try require(head.status.kind == .successful, "only a success renews")
    } catch let error as OstiaryError where error.disposition == .terminal {
      try require([.renewalRefused, .anotherUser].contains(error.code), "a renewal ends by a mark alone")
      try require(!head.status.kind.isFailureOfTheServer, "a failing server ends nothing")
    } catch is OstiaryError {
    }
    _ = try? await authenticator.verify(session, in: context)
    _ = try? await authenticator.signIn(with: .proof(proof), in: context)
  }

  /// A dialect that reads in every way.
  private static var everything: Dialect {
    let reads = DialectReads(
      token: ["/token", "/data/0/token", DialectRead(.header("Content-Type"), after: "Bearer ")],
      renewalToken: ["/renewal"], kind: ["/kind"],
      userID: ["/user/id", .claim(of: "token", "/sub")], userName: ["/user/name"],
      expiry: [
        .duration(["/in"]), .duration(["/ms"], .milliseconds), .date(["/at"], .rfc3339), .date(["/sql"], .sql()),
        .date(["/http"], .http), .date(["/epoch"], .epoch), .claim(of: "token"),
      ],
      attributes: [DialectNamedRead("more", "/more")],
      values: [
        DialectNamedRead("csrf", DialectRead(.meta("csrf")), DialectRead(.formField("csrf"))),
        DialectNamedRead("cookie", .cookie("c", isPercentDecoded: true)),
      ])
    let demand = DialectDemand(handle: ["/handle"])
    return Dialect(
      name: "everything",
      signIn: [
        DialectCall(
          .post, "/login", body: .json(["u": "{username}", "p": "{password}"]), reads: reads,
          meanings: [
            DialectMeaning(when: .pointer("/mfa", .exists(true)), .secondFactor(demand)),
            DialectMeaning(when: .bodyContains("locked"), .lockedUntil([.duration(["/in"])])),
            DialectMeaning(when: .pointer("/error", .isOneOf(["wrong", 5, .null])), .wrongPassword),
          ])
      ],
      continuations: [
        DialectContinuation("otp", DialectCall(.post, "/otp", body: .json(["code": "{code}"]), reads: reads))
      ],
      renew: DialectCall(.post, "/renew", body: .json(["r": "{renewalToken}"]), reads: reads),
      who: DialectCall(.get, "/me", reads: DialectReads(userID: ["/user/id"])),
      meanings: [
        DialectMeaning(when: .all([.status(400...499), .pointer("/error", .equals("over"))]), .endedForGood),
        DialectMeaning(when: .all([.status(401), .pointer("/error", .contains("expired"))]), .expired),
        DialectMeaning(when: .all([.status(403), .not(.bodyContains("session"))]), .notThisSession),
      ],
      renewal: DialectRenewal(by: .renewalToken))
  }
}

extension HTTPResponse.Status.Kind {
  fileprivate var isFailureOfTheServer: Bool { self == .serverError }
}
