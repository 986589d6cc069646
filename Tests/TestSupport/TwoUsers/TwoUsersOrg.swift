import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// The org of a life with two users, its login hosts, and the sites of guests. It tells the life of every request that reaches
/// it.
///
/// Used by the thread of the life alone.
package final class TwoUsersOrg: @unchecked Sendable {
  package enum User: String, CaseIterable, Sendable {
    case ann = "005x00000012Q9P"
    case ben = "005x00000012Q9Q"

    package static let org = "00Dx0000000BV7z"
    package var identityURL: String { "https://login.salesforce.com/id/\(Self.org)/\(rawValue)" }
    package var host: String { "\(self).my.salesforce.com" }
  }

  private let simulation: Simulation
  /// The way to it.
  package private(set) lazy var network = SimulatedNetwork(simulation) { [unowned self] in answer($0) }
  /// Every access and refresh token that was ever given, and whose it is.
  package private(set) var owners: [String: User] = [:]
  private var good: Set<String> = []
  package private(set) var hasDropped = false
  /// The devices that are registered, and whose they are.
  package private(set) var devices: [String: User] = [:]
  private var last = 0
  /// Looks at each request that reaches the org or a site: who proves to be asking, and where.
  package var judge: (_ call: Int, _ proof: User?, _ host: String) -> Void = { _, _, _ in }
  /// Looks at each call about a device: the number in its token, or the record that is removed.
  package var onDevice: (_ call: Int?, _ record: String?, _ proof: User?, _ host: String) -> Void = { _, _, _, _ in }
  /// Looks at each code that is to become tokens.
  package var onCode: (_ code: String, _ host: String) -> Void = { _, _ in }

  /// Hears whose device the org has registered without an answer that arrived.
  package var onLostDevice: (User) -> Void = { _ in }

  package init(_ simulation: Simulation) {
    self.simulation = simulation
    network.onLostAnswer = { [unowned self] request, _ in
      guard request.head.path == SalesforceStub.devicePath, let user = proof(of: request) else { return }
      onLostDevice(user)
    }
  }

  private func proof(of request: TransportRequest) -> User? {
    request.head.headerFields[.authorization].flatMap { owners[String($0.dropFirst("Bearer ".count))] }
  }

  package static let cases = "/services/data/v58.0/sobjects/Case"

  // MARK: Tokens

  package func issue(_ user: User, refreshable: Bool) -> [String: String] {
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
  package func drop(_ user: User, refreshTokensToo: Bool) {
    hasDropped = true
    good = good.filter { owners[$0] != user || (!refreshTokensToo && $0.hasPrefix("refresh")) }
  }

  // MARK: Requests

  private func answer(_ request: TransportRequest) -> TransportResponse {
    let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
    let token = request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
    let proof = proof(of: request)
    let isGood = token.map(good.contains) ?? false
    simulation.note("  \(host) \(token ?? "no proof")")
    if path == "/services/oauth2/token" { return tokens(SalesforceStub.form(request), host) }
    if path == "/services/oauth2/revoke" {
      good.remove(SalesforceStub.form(request)["token"] ?? "")
      return .status(.ok)
    }
    if path.hasPrefix("/id/") || path.hasSuffix("/userinfo") {
      guard isGood, let proof else { return SalesforceStub.text("Bad_OAuth_Token", status: .forbidden) }
      return .json([
        "id": .string(proof.identityURL), "user_id": .string(proof.rawValue),
        "organization_id": .string(User.org), "username": .string("\(proof)@acme.test"),
      ])
    }
    if path.hasPrefix(SalesforceStub.devicePath) {
      let record = path.dropFirst(SalesforceStub.devicePath.count + 1)
      let number = JSONValue(json: request.body ?? Data())?["ConnectionToken"]?.string.flatMap { Int($0, radix: 16) }
      onDevice(number, record.isEmpty ? nil : String(record), proof, host)
      guard isGood, let proof else { return SalesforceStub.failure("INVALID_SESSION_ID") }
      guard request.head.method == .post else {
        return devices.removeValue(forKey: String(record)) == nil
          ? SalesforceStub.failure("NOT_FOUND", status: .notFound) : .status(.noContent)
      }
      last += 1
      devices["dev\(last)"] = proof
      return .json(["id": .string("dev\(last)"), "success": true], status: .created)
    }
    judge(JSONValue(json: request.body ?? Data())?["call"]?.string.flatMap { Int($0) } ?? -1, proof, host)
    guard isGood || host.hasPrefix("guests") else { return SalesforceStub.failure("INVALID_SESSION_ID") }
    return .json(["success": true], status: .created)
  }

  private func tokens(_ form: [String: String], _ host: String) -> TransportResponse {
    let user: User?
    let isCode = form["grant_type"] == "authorization_code"
    if isCode {
      let code = form["code"] ?? ""
      onCode(code, host)
      user = User.allCases.first { code.hasPrefix("\($0).") }
    } else {
      let shown = form["refresh_token"] ?? ""
      user = good.contains(shown) ? owners[shown] : nil
    }
    guard let user else {
      return .json(["error": "invalid_grant", "error_description": "expired"], status: .badRequest)
    }
    return .json(issue(user, refreshable: isCode && simulation.chance(0.7)).mapValues { .string($0) })
  }
}
