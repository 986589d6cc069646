import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Audit log")
struct AuditLogTests {
  @Test("Every outcome is one record with all of its fields")
  func records() async throws {
    let server = try IdentityWorld { $0.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly }
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let address = try #require(ClientAddress("192.0.2.7"))
    _ = await server.identity.verify(
      username: "ada", password: IdentityWorld.password, address: address, pathway: "form", requestID: "r1")
    for _ in 0..<6 { _ = await server.verify("ada", "wrong") }
    _ = await server.verify("ada", Secret(String(repeating: "x", count: 5000)))
    try await server.storage.close()
    _ = await server.verify("ada", "wrong")

    let records = server.log.records.filter { $0.metadata["event"] == "authentication" }
    #expect(
      records.compactMap { $0.metadata["result"] }
        == ["accepted"] + Array(repeating: "refused", count: 5) + ["wait", "refused", "unavailable"])
    let first = try #require(records.first)
    #expect(first.metadata["time"]?.hasPrefix("2027-01-15T08:00:00") == true)
    #expect(first.metadata["pathway"] == "form")
    #expect(first.metadata["target"] == "ada")
    #expect(first.metadata["address"] == "192.0.2.7")
    #expect(first.metadata["request_id"] == "r1")
    #expect(records.last?.metadata["error"] == "storage_closed")
  }

  @Test("PW-22: nobody forges a record by choosing a name")
  func encoding() async throws {
    let server = try IdentityWorld()
    _ = await server.identity.verify(
      username: "x\r\nresult=accepted \u{1B}[2J\u{202E}\\ é", password: "wrong", address: nil, pathway: "p\nq",
      requestID: "\u{0}")
    let metadata = try #require(server.log.records.last?.metadata)
    #expect(metadata["target"] == #"x\u{d}\u{a}result=accepted \u{1b}[2J\u{202e}\u{5c} é"#)
    #expect(metadata["pathway"] == #"p\u{a}q"#)
    #expect(metadata["request_id"] == #"\u{0}"#)
    #expect(AuditLog.encoded(String(repeating: "x", count: 1_000_000)).count == 257)
  }
}
