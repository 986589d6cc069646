import Foundation
import HTTPTypes
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiaryTesting
import Testing

@Suite(
  "Three nodes do once what is to be done once", .serialized, .timeLimit(.minutes(20)),
  .enabled(if: ClusterDatabase.programs != nil, Comment(rawValue: ClusterDatabase.absence)))
struct ClusterOnceTests {
  private static let addresses = (0..<6).map { "new\($0)@example.com" }
  private static let password = "a quite different long password"

  /// Programs that sign up by the JSON interface of any node.
  private struct Program: Sendable {
    let cluster: Cluster
    let transport = AsyncHTTPClientTransport()

    private func send(_ request: TransportRequest) async throws -> JSONValue {
      let response = try await transport.send(request)
      return try #require(JSONValue(json: response.body), "\(response.status)")
    }

    private func url(_ node: Int) throws -> URL {
      try #require(URL(string: "http://127.0.0.1:\(cluster.nodes[node % cluster.nodes.count].port)/flows/signup"))
    }

    func begin(_ node: Int) async throws -> String {
      let answer = try await send(.get(url(node)))
      return try #require(answer["flow"]?["id"]?.string, "\(answer)")
    }

    @discardableResult
    func submit(_ node: Int, _ flow: String, _ action: String, _ fields: [String: String]) async throws -> JSONValue {
      let body = JSONValue.object([
        "flow": .string(flow), "action": .string(action), "fields": .object(fields.mapValues { .string($0) }),
      ])
      return try await send(
        .post(url(node), body: try JSONEncoder().encode(body), contentType: "application/json"))
    }
  }

  @Test("FL-03, OP-10: sign-ups with one address on three nodes make one account, and each mail goes out once")
  func signUps() async throws {
    let mail = try await MailSink()
    let options = [
      "--allow-sign-up", "--mail-server", "127.0.0.1:\(mail.port)", "--mail-security", "insecure-plain-text",
      "--mail-from", "id@example.com",
    ]
    try await Cluster.run(users: 1, options: options) { cluster in
      let program = Program(cluster: cluster)
      // For each address a flow on each node, each continued on the next one.
      let flows = try await withThrowingTaskGroup(of: [(flow: String, code: String)].self) { group in
        for address in Self.addresses {
          group.addTask {
            var flows: [(flow: String, code: String)] = []
            for node in cluster.nodes.indices {
              let flow = try await program.begin(node)
              try await program.submit(node + 1, flow, "signup", ["email": address, "password": Self.password])
              flows.append((flow, try await Self.code(node, of: address, mail)))
            }
            return flows
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      // Each code on all nodes at once.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (flow, code) in flows {
          for node in cluster.nodes.indices {
            group.addTask { try await program.submit(node, flow, "check_code", ["code": code]) }
          }
        }
        try await group.waitForAll()
      }
      let database = try #require(cluster.database as? ClusterDatabase)
      let accounts = try await database.query("SELECT count(*) FROM users WHERE email LIKE 'new%'")
      #expect(accounts == "\(Self.addresses.count)")
      // A mail that is sent is taken from the outbox a moment later.
      try await waitUntil("an empty outbox") { try await database.query("SELECT count(*) FROM outbox") == "0" }
      #expect(mail.messages.filter { $0.code != nil }.count == flows.count)
      await program.transport.close()
    }
    await mail.stop()
  }

  /// The code of an address's mail of that number. It comes when a node has sent it.
  private static func code(_ number: Int, of address: String, _ mail: MailSink) async throws -> String {
    var codes: [String] = []
    try await waitUntil("mail number \(number) to \(address)") {
      codes = mail.messages.filter { $0.recipient == address }.compactMap(\.code)
      return codes.indices.contains(number)
    }
    return codes[number]
  }
}
