import Foundation
import HTTPTypes
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import TestSupport

/// The org of a life with two users, and the sites of guests. It judges every request that reaches it.
///
/// Used by the thread of the life alone.
final class TwoUsersOrg: Transport, @unchecked Sendable {
  enum User: String, CaseIterable, Sendable {
    case ann = "005x00000012Q9P"
    case ben = "005x00000012Q9Q"

    static let org = "00Dx0000000BV7z"
    var identityURL: String { "https://login.salesforce.com/id/\(Self.org)/\(rawValue)" }
    var host: String { "\(self).my.salesforce.com" }
  }

  /// What happens to requests on their way, as probabilities.
  struct Weather {
    var lost = 0.0
    var foreign = 0.0
  }

  let simulation: Simulation
  var weather = Weather()
  /// Every access and refresh token that was ever given, and whose it is.
  private(set) var owners: [String: User] = [:]
  private var good: Set<String> = []
  private(set) var hasDropped = false
  private(set) var devices: [String: User] = [:]
  private var last = 0
  /// Looks at each request that reaches the org or a site: who proves to be asking, and where.
  var judge: (_ call: Int, _ proof: User?, _ host: String) -> Void = { _, _, _ in }
  var onDevice: (_ proof: User?, _ host: String) -> Void = { _, _ in }

  init(_ simulation: Simulation) { self.simulation = simulation }

  static let cases = "/services/data/v58.0/sobjects/Case"

  // MARK: Tokens

  func issue(_ user: User, refreshable: Bool) -> [String: String] {
    last += 1
    var members = [
      "access_token": "access.\(user).\(last)", "instance_url": "https://\(user.host)", "id": user.identityURL,
      "token_type": "Bearer", "issued_at": "1278448384422",
    ]
    if refreshable { members["refresh_token"] = "refresh.\(user).\(last)" }
    for token in [members["access_token"], members["refresh_token"]].compactMap({ $0 }) {
      owners[token] = user
      good.insert(token)
    }
    return members
  }

  /// Ends tokens of a user.
  func drop(_ user: User, refreshTokensToo: Bool) {
    hasDropped = true
    good = good.filter { owners[$0] != user || (!refreshTokensToo && $0.hasPrefix("refresh")) }
  }

  // MARK: Requests

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let path = request.head.path ?? ""
    await simulation.checkpoint("\(request.head.method) \(path) sent")
    try Task.checkCancellation()
    if simulation.chance(weather.lost) { throw Self.lost(request) }
    let response = simulation.chance(weather.foreign) ? foreign : answer(request, path)
    simulation.note("  → \(response.status.code)")
    await simulation.checkpoint("\(request.head.method) \(path) answered")
    if simulation.chance(weather.lost) { throw Self.lost(request) }
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: request.head.targetURL)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await collect(try await stream(request), for: request)
  }

  private static func lost(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.connectionLost, "Lost.", request: request.head)
  }

  /// What a portal, a proxy or a server in trouble answers.
  private var foreign: TransportResponse {
    simulation.one(of: [
      .html("<html>Sign in</html>"), .html("<html>Sign in</html>", status: .unauthorized),
      .html("<html>No</html>", status: .forbidden), .html("<html>No</html>", status: .notFound),
      .status(.serviceUnavailable), .status(.internalServerError),
    ])
  }

  private func answer(_ request: TransportRequest, _ path: String) -> TransportResponse {
    let host = request.head.authority ?? ""
    let token = request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
    let proof = token.flatMap { owners[$0] }
    let isGood = token.map(good.contains) ?? false
    simulation.note("  \(host) \(token ?? "no proof")")
    if path == "/services/oauth2/token" {
      let shown = SalesforceStub.form(request)["refresh_token"] ?? ""
      guard good.contains(shown), let user = owners[shown] else {
        return .json(["error": "invalid_grant", "error_description": "expired"], status: .badRequest)
      }
      return .json(issue(user, refreshable: false).mapValues { .string($0) })
    }
    if path == "/services/oauth2/revoke" { return .status(.ok) }
    if path.hasPrefix("/id/") || path.hasSuffix("/userinfo") {
      guard isGood, let proof else { return SalesforceStub.text("Bad_OAuth_Token", status: .forbidden) }
      return .json([
        "id": .string(proof.identityURL), "user_id": .string(proof.rawValue),
        "organization_id": .string(User.org), "username": .string("\(proof)@acme.test"),
      ])
    }
    if path.hasPrefix(SalesforceStub.devicePath) {
      onDevice(proof, host)
      guard isGood, let proof else { return SalesforceStub.failure("INVALID_SESSION_ID") }
      guard request.head.method == .post else {
        devices[String(path.dropFirst(SalesforceStub.devicePath.count + 1))] = nil
        return .status(.noContent)
      }
      last += 1
      devices["dev\(last)"] = proof
      return .json(["id": .string("dev\(last)"), "success": true], status: .created)
    }
    judge(JSONValue(json: request.body ?? Data())?["call"]?.string.flatMap { Int($0) } ?? -1, proof, host)
    guard isGood || host.hasPrefix("guests") else { return SalesforceStub.failure("INVALID_SESSION_ID") }
    return .json(["success": true], status: .created)
  }
}
