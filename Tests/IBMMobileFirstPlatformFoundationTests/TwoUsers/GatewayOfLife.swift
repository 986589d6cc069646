import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// Two gateways with login forms, each before its server, in memory. They know whose session each cookie is.
///
/// Used by the thread of the life alone.
final class GatewayOfLife: @unchecked Sendable {
  enum User: String, CaseIterable, Sendable {
    case ann, ben

    var password: String { "\(rawValue)'s" }
  }

  static let hosts = ["a.mfp.test", "b.mfp.test"]
  /// The gateway's cookie, and the one of the server behind it.
  static let proof = "LtpaToken2"
  static let serverCookie = "S"

  private let simulation: Simulation
  /// Whose session a cookie is, for every one that was ever given.
  private(set) var owners: [String: User] = [:]
  private var sessions: Set<String> = []
  private var number = 0
  private let attributes: String
  private let challengeStatus: HTTPResponse.Status

  init(_ simulation: Simulation) {
    self.simulation = simulation
    attributes = simulation.chance(0.5) ? "; Max-Age=360000" : "; HttpOnly"
    challengeStatus = simulation.one(of: [.ok, .unauthorized])
  }

  /// Whether a cookie's session lives.
  func lives(_ token: String) -> Bool { sessions.contains(token) }

  /// Ends every session, as a time-out does.
  func dropSessions() { sessions = [] }

  /// The cookies of a request by their names.
  static func cookies(of request: TransportRequest) -> [String: String] {
    var result: [String: String] = [:]
    for pair in (request.head.headerFields[.cookie] ?? "").split(separator: ";") {
      let parts = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    }
    return result
  }

  /// The fields of a form.
  static func fields(of request: TransportRequest) -> [String: String] {
    let text = String(decoding: request.body ?? Data(), as: UTF8.self)
    return Dictionary(FormEncoding.parse(text).map { ($0.name, $0.value) }) { $1 }
  }

  // MARK: Answers

  func respond(to request: TransportRequest) -> TransportResponse {
    let token = Self.cookies(of: request)[Self.proof] ?? ""
    let host = request.head.authority ?? ""
    if request.path.hasSuffix("pkmslogin.form") {
      let fields = Self.fields(of: request)
      guard let user = User(rawValue: fields["username"] ?? ""), user.password == fields["password"] else {
        return form("Login failed.")
      }
      sessions.remove(token)
      return setting([Self.proof: begin(user, host), Self.serverCookie: nil], .html("<p>Welcome</p>"))
    }
    if request.path.hasSuffix("pkmslogout") {
      sessions.remove(token)
      return setting([Self.proof: nil, Self.serverCookie: nil], .html("<p>You have signed out.</p>"))
    }
    guard sessions.contains(token), let user = owners[token] else {
      return token.isEmpty ? form("") : setting([Self.proof: nil, Self.serverCookie: nil], form(""))
    }
    var cookies: [String: String?] = [:]
    // A gateway gives newer cookies now and then, and the server behind it has cookies of its own.
    if simulation.chance(0.2) { cookies[Self.proof] = begin(user, host) }
    if simulation.chance(0.4) { cookies[Self.serverCookie] = name("s", user, host) }
    return setting(cookies, .json(["target": .string(request.path), "user": .string(user.rawValue)]))
  }

  private func begin(_ user: User, _ host: String) -> String {
    let token = name("t", user, host)
    sessions.insert(token)
    return token
  }

  private func name(_ kind: String, _ user: User, _ host: String) -> String {
    number += 1
    let name = "\(kind)\(number)-\(host)"
    owners[name] = user
    return name
  }

  private func form(_ message: String) -> TransportResponse {
    .html(
      """
      <html><body>\(message)<form method="post" action="/pkmslogin.form">
      <input name="username"><input type="password" name="password"></form></body></html>
      """, status: challengeStatus)
  }

  private func setting(_ cookies: [String: String?], _ response: TransportResponse) -> TransportResponse {
    var response = response
    for (name, value) in cookies.sorted(by: { $0.key < $1.key }) {
      let (path, more) = name == Self.proof ? ("/", attributes) : ("/mfp", "")
      let field = value.map { "\(name)=\($0); Path=\(path)\(more)" } ?? "\(name)=; Path=\(path); Max-Age=0"
      response.head.headerFields.append(HTTPField(name: .setCookie, value: field))
    }
    return response
  }
}
