import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Clients", .timeLimit(.minutes(20)))
struct ClientTests {
  private static func name(_ decision: ClientDecision) -> String {
    switch decision {
    case .accepted: "accepted"
    case .unknown: "unknown"
    case .refused: "refused"
    case .disabled: "disabled"
    }
  }

  private static func authenticate(_ clients: ServerClients, _ secret: Secret?, id: String = "app") async throws
    -> String
  {
    name(try await clients.authenticate(id: id, secret: secret))
  }

  private static func make() throws -> (ServerClients, ServerStorage, TestClock) {
    let (storage, clock) = (try ServerStorage.forTest(), TestClock())
    return (ServerClients(storage: storage, clock: clock), storage, clock)
  }

  @Test("OA-19: a secret has 256 random bits, and only its SHA-256 is stored")
  func secrets() async throws {
    let (clients, storage, _) = try Self.make()
    let registered = try await clients.register(
      ClientRegistration(id: "app", name: "App", authentication: .newSecret))
    let secret = try #require(registered.secret)
    #expect(secret.reveal().hasPrefix("ost_cs_"))
    #expect(secret.reveal().dropFirst(7).description.decodedBase64URL?.count == 32)
    let stored = try await storage.read { db in
      try db.test.all(Data.self, "SELECT secret_hash FROM client_secrets")
    }
    #expect(stored == [TokenHash(secret.reveal()).data])
    #expect(try await Self.authenticate(clients, secret) == "accepted")
    for wrong: Secret? in [
      nil, "", "wrong", Secret(secret.reveal() + "A"), Secret(String(repeating: "A", count: 100_000)),
    ] {
      #expect(try await Self.authenticate(clients, wrong) == "refused")
    }
    #expect(try await Self.authenticate(clients, secret, id: "other") == "unknown")
    #expect(try await Self.authenticate(clients, secret, id: "APP") == "unknown")
  }

  @Test(
    "OA-19: a secret that can't have 112 random bits is refused",
    arguments: [
      "", "secret", "correct horse battery", "012345678901234567890123456789012", "0123456789abcdef0123456789a",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ])
  func weakSecrets(text: String) async throws {
    let (clients, _, _) = try Self.make()
    await #expect(throws: ServerError(.clientSecretTooWeak, "")) {
      try await clients.register(ClientRegistration(name: "App", authentication: .secret(Secret(text))))
    }
  }

  @Test("OA-19: a secret of somebody's choosing is accepted if it looks random enough")
  func chosenSecret() async throws {
    let (clients, _, _) = try Self.make()
    let secret: Secret = "8C4F21D0A7E39B5566F0C1D2E3A4B596"
    try await clients.register(ClientRegistration(id: "app", name: "App", authentication: .secret(secret)))
    #expect(try await Self.authenticate(clients, secret) == "accepted")
  }

  @Test("OA-19: two secrets may overlap, for as long as wanted, and never three")
  func overlap() async throws {
    let (clients, _, clock) = try Self.make()
    let first = try #require(
      try await clients.register(ClientRegistration(id: "app", name: "App", authentication: .newSecret)).secret)
    let second = try #require(try await clients.addSecret(clientID: "app").secret)
    #expect(try await Self.authenticate(clients, first) == "accepted")
    #expect(try await Self.authenticate(clients, second) == "accepted")
    let third = try #require(try await clients.addSecret(clientID: "app", overlap: .seconds(3600)).secret)
    #expect(try await Self.authenticate(clients, first) == "refused")
    #expect(try await Self.authenticate(clients, second) == "accepted")
    clock.advance(by: .seconds(3600))
    #expect(try await Self.authenticate(clients, second) == "refused")
    #expect(try await Self.authenticate(clients, third) == "accepted")
    let fourth = try #require(try await clients.addSecret(clientID: "app").secret)
    try await clients.retireOldSecrets(clientID: "app")
    #expect(try await Self.authenticate(clients, third) == "refused")
    #expect(try await Self.authenticate(clients, fourth) == "accepted")
  }

  @Test("A client without a secret is accepted without one, and not with one")
  func publicClient() async throws {
    let (clients, _, _) = try Self.make()
    try await clients.register(ClientRegistration(id: "app", name: "App", authentication: .none))
    #expect(try await Self.authenticate(clients, nil) == "accepted")
    #expect(try await Self.authenticate(clients, "anything") == "refused")
    await #expect(throws: ServerError(.clientRefused, "")) { try await clients.addSecret(clientID: "app") }
  }

  @Test("TK-11: secrets, hashes and challenges are compared over their whole length")
  func constantTime() throws {
    let bytes = Array("0123456789abcdef0123456789abcdef".utf8)
    #expect(ConstantTime.isEqual(bytes, bytes))
    #expect(!ConstantTime.isEqual(bytes, bytes.dropLast()))
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << bit
        #expect(!ConstantTime.isEqual(bytes, other))
      }
    }
    // Wherever a secret is checked, that comparison is what checks it.
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/OstiaryServer/Tokens").standardizedFileURL
    let files = ["Clients/ClientRow.swift", "Codes/CodeRequest.swift", "Engine/RefreshTokenUse.swift"]
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      #expect(text.contains("ConstantTime.isEqual"), "\(file)")
      #expect(!text.contains("Hash == ") && !text.contains("secret == "), "\(file)")
    }
  }

  @Test("What is known of a client can be changed, at another server too, and outlives the server")
  func update() async throws {
    let folder = TemporaryFolder()
    let (one, other) = (try ServerStorage.forTest(in: folder.url), try ServerStorage.forTest(in: folder.url))
    let clients = ServerClients(storage: one)
    var policy = TokenPolicy()
    policy.accessLifetime = .sliding(idle: .seconds(7200), absolute: .seconds(86_400))
    policy.rotatesRefreshTokens = false
    policy.replayWindow = .milliseconds(1500)
    policy.replaysUntilSuccessorIsUsed = true
    policy.refreshIdle = nil
    policy.refreshAbsolute = .seconds(9)
    policy.codeLifetime = .seconds(900)
    policy.requiresCodeChallenge = false
    policy.longestCodeVerifier = 171
    policy.endsWithPassword = false
    policy.mostApprovalsPerUser = 5
    policy.mostAccessOnlyGrantsPerUser = 6
    policy.mostAccessTokensPerGrant = 7
    try await clients.register(
      ClientRegistration(
        id: "app", name: "App", redirectURIs: ["https://a.example/?x=1", "app:/b"], scopes: ["api", "id"],
        policy: policy, attributes: ["org": "00D"], authentication: .newSecret))
    let known = try #require(try await ServerClients(storage: other).client(id: "app"))
    #expect(known.policy == policy)
    #expect(known.redirectURIs == ["https://a.example/?x=1", "app:/b"])
    #expect(known.scopes == ["api", "id"] && known.attributes == ["org": "00D"] && known.isConfidential)
    try await clients.update("app") { $0.name = "Renamed" }
    #expect(try await ServerClients(storage: other).client(id: "app")?.name == "Renamed")
    #expect(try await clients.clients().map(\.name) == ["Renamed"])
    try await one.close()
    try await other.close()
  }

  @Test("Clients that can't be are refused, and say why")
  func refused() async throws {
    let (clients, _, _) = try Self.make()
    for id in ["", "with space", "ä", "new\nline", String(repeating: "x", count: 257)] {
      await #expect(throws: ServerError(.clientRefused, "")) {
        try await clients.register(ClientRegistration(id: id, name: "App", authentication: .none))
      }
      #expect(try await Self.authenticate(clients, nil, id: id) == "unknown")
    }
    try await clients.register(ClientRegistration(id: "app", name: "App", authentication: .none))
    await #expect(throws: ServerError(.clientExists, "")) {
      try await clients.register(ClientRegistration(id: "app", name: "App", authentication: .none))
    }
    await #expect(throws: ServerError(.clientNotFound, "")) { try await clients.setDisabled(true, clientID: "x") }
    await #expect(throws: ServerError(.clientNotFound, "")) { try await clients.update("x") { _ in } }
    try await clients.setDisabled(true, clientID: "app")
    #expect(try await Self.authenticate(clients, nil) == "disabled")
  }
}
