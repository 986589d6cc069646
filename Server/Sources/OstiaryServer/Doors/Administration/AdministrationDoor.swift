import Foundation
import HTTPTypes
import OstiaryCore

/// Answers administrators from elsewhere: what `ostiary why --server` tells on the server's own machine, and nothing else.
///
/// It must never answer a request that could have been read on its way, and never tell a password, a code or a token: it tells what is
/// in the audit trail, which has none.
struct AdministrationDoor: Door {
  static let path = "/administration"
  static let why = path + "/why"

  let name = "administration"
  let title = "Administration"

  let origin: Origin
  /// Whether the server speaks TLS itself.
  let speaksTLS: Bool
  let administrators: Administrators
  let identity: IdentityService

  var address: String { origin.description + Self.path }

  var routes: [Route] { [Route(Self.why, [.get: { try await why($0) }])] }

  /// No one signs in here; this asks about the user.
  func signIn(as username: String) -> String {
    "ostiary why --server \(origin) --user \(username.shellWord) --admin-token-file FILE"
  }

  /// What a request asks for.
  private struct Question {
    private static let mostEvents = 1000

    var subject: (name: String, tenant: String?)?
    let last: Int

    /// - Parameter query: `user`, with `tenant` where the user belongs to one; without it all users are meant. `last` is the number of
    ///   events.
    init?(_ query: FormFields) {
      let count = query.first("last").map { Int($0) } ?? 10
      guard let count, (1...Self.mostEvents).contains(count) else { return nil }
      last = count
      subject = query.first("user").map { ($0, query.first("tenant")) }
    }
  }

  private func why(_ request: DoorRequest) async throws -> DoorResponse {
    guard isProtected(request) else {
      try await administrators.refuse(.notEncrypted)
      return try refusal(
        .forbidden, "https_required",
        "The request came over plain HTTP, where others can read the token: replace the token, and use https.")
    }
    guard let question = Question(request.query) else {
      return try refusal(.badRequest, "invalid_request", "The parameter last takes a number from 1 to 1000.")
    }
    let admission = try await administrators.admit(
      request.token(schemes: ["bearer"]), from: GuessSource(address: ClientAddress(request.clientAddress)),
      about: question.subject)
    switch admission {
    case .admitted(let userID): return try await answer(question, userID)
    case .unknown: return try challenge("invalid_token", "No administrator has this token.")
    case .expired: return try challenge("expired_token", "The administrator's token has expired.")
    case .wait(let wait):
      return try refusal(.tooManyRequests, "too_many_attempts", "Too many wrong tokens came from there.")
        .retrying(after: wait)
    }
  }

  private func answer(_ question: Question, _ userID: String?) async throws -> DoorResponse {
    let subject = question.subject.map { (name: $0.name, tenant: $0.tenant, id: userID) }
    let records = try await identity.auditArchive.records(.story(of: subject, last: question.last))
    var names: [String: String] = [:]
    for id in Set(records.compactMap(\.userID)) { names[id] = try await identity.user(id: id)?.name }
    let events = records.map { record in record.told(userName: record.userID.flatMap { names[$0] }) }
    return Self.unkept(try .json(.object(["version": .integer(1), "events": .array(events)])))
  }

  // MARK: The way here

  /// Whether no one on the way could read the request, as far as that is known. What a trusted proxy was asked with, it says; where
  /// it doesn't, it was the origin for clients, as at the gateway.
  private func isProtected(_ request: DoorRequest) -> Bool {
    let schemes = request.headers[values: .xForwardedProto]
    if request.isFromTrustedProxy, !schemes.isEmpty { return schemes == ["https"] }
    if speaksTLS || (request.isFromTrustedProxy && origin.isSecure) { return true }
    // A proxy on this machine that is not trusted brings the requests of others.
    let isPassedOn = [HTTPField.Name.xForwardedProto, .xForwardedFor, .forwarded].contains {
      request.headers.contains($0)
    }
    return !isPassedOn && ClientAddress(request.clientAddress)?.isLoopback == true
  }

  // MARK: Answers

  private func challenge(_ code: String, _ message: String) throws -> DoorResponse {
    var answer = try refusal(.unauthorized, code, message)
    answer.headers[.wwwAuthenticate] = "Bearer realm=\"ostiary administration\", error=\"invalid_token\""
    return answer
  }

  private func refusal(
    _ status: HTTPResponse.Status, _ code: String, _ message: String
  ) throws -> DoorResponse {
    Self.unkept(try .json(.object(["error": .string(code), "message": .string(message)]), status: status))
  }

  private static func unkept(_ answer: DoorResponse) -> DoorResponse {
    var answer = answer
    answer.headers[.cacheControl] = "no-store"
    return answer
  }
}
