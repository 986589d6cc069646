import Foundation
import HTTPTypes
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting

/// Times what a session with a Salesforce org costs: reading a token, sending a request, finding a hundred accounts again.
/// Each figure with its bar; exits with 1 when one is missed.
@main
enum Main {
  static func main() async {
    do {
      let isGood = [try await tokens(), try await requests(), try await accounts()].allSatisfy { $0 }
      exit(isGood ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static let rounds = 30

  /// What a rounds' median is held against.
  private static func report(_ title: String, _ value: Double, _ unit: String, _ bar: Double, atLeast: Bool) -> Bool {
    let isMet = atLeast ? value >= bar : value <= bar
    let figure = String(format: "%.3g", value)
    print("\(title): \(figure) \(unit), bar \(atLeast ? "≥" : "≤") \(bar): \(isMet ? "met" : "MISSED")")
    return isMet
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try await work()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
  }

  /// An org that takes every token.
  private static func org() -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.head.path ?? ""
      guard path.hasPrefix("/id/") else { return .json(["ok": true]) }
      return .json(["id": .string("https://login.salesforce.com\(path)"), "username": "ann@acme.test"])
    }
  }

  private static func tokens(_ user: Int = 0, instance: String = "https://na1.salesforce.com") throws
    -> SalesforceTokens
  {
    let id = "005x" + String(repeating: "0", count: 11 - "\(user)".count) + "\(user)"
    let members = [
      "access_token": "00Dx0000000BV7z!" + String(repeating: "A", count: 96), "instance_url": instance,
      "id": "https://login.salesforce.com/id/00Dx0000000BV7z/\(id)",
    ]
    guard let tokens = SalesforceTokens(members, clientID: "bench") else {
      throw OstiaryError(.internalError, "What is measured is not what was meant.")
    }
    return tokens
  }

  private static func tokens() async throws -> Bool {
    let connection = try SalesforceConnection(try tokens(), transport: org())
    try await connection.verify()
    let count = 200_000
    var times: [Double] = []
    for _ in 0..<rounds {
      times.append(
        try await seconds {
          for _ in 0..<count where connection.accessToken == nil {
            throw OstiaryError(.internalError, "There is no token.")
          }
        } / Double(count) * 1e9)
    }
    return report("Read a valid token", median(times), "ns", 100, atLeast: false)
  }

  /// The same requests over the same client to the same server, with and without a session, in turns.
  private static func requests() async throws -> Bool {
    let server = try LoopbackServer { _ in
      [.response(200, [("Content-Type", "application/json")], body: "{\"totalSize\":0,\"records\":[]}")]
    }
    defer { server.stop() }
    let network = AsyncHTTPClientTransport()
    let instance = "http://127.0.0.1:\(server.port)"
    let manager = SessionManager(
      authenticator: try SalesforceAuthenticator(try tokens(instance: instance)), transport: org())
    try await manager.signIn(with: .proof(try tokens(instance: instance).proof))
    let call = SalesforceCall.get("/services/data/v58.0/query?q=SELECT+Id+FROM+Case")
    let authenticated = AuthenticatedTransport(manager, over: network)
    guard let base = URL(string: instance) else { return false }
    let request = try call.request(at: base)
    let count = 1_000
    var ratios: [Double] = []
    for round in 0..<rounds {
      let bare = try await seconds { for _ in 0..<count { _ = try await network.send(request) } }
      let own = try await seconds { for _ in 0..<count { _ = try await authenticated.send(request) } }
      if round > 1 { ratios.append(bare / own) }
    }
    return report("Authenticated requests/s beside the bare client's", median(ratios), "times", 0.95, atLeast: true)
  }

  private static func accounts() async throws -> Bool {
    let store = EphemeralStore()
    let transport = org()
    let before = SalesforceAccounts(clientID: "bench", transport: transport, store: store)
    for user in 0..<100 { try await before.signIn(with: .proof(try tokens(user).proof)) }
    var times: [Double] = []
    for _ in 0..<rounds {
      let after = SalesforceAccounts(clientID: "bench", transport: transport, store: store)
      times.append(try await seconds { try await after.restore() } * 1e3)
      guard after.accounts.count == 100 else { throw OstiaryError(.internalError, "Accounts are missing.") }
    }
    return report("Restore 100 accounts, warm", median(times), "ms", 5, atLeast: false)
  }
}
