import Foundation
import OstiaryCore
import OstiaryStores
import OstiaryTesting
import Testing

@Suite("Tokens that others have left in the keychain", .timeLimit(.minutes(20)))
struct KeychainImporterTests {
  private let keychain = KeychainDouble()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let ann = Session.User(id: "ann")

  private var importer: KeychainImporter { KeychainImporter(access: keychain) }

  private func leave(_ text: String, _ account: String = "ann@example.org", service: String = "old") {
    keychain.items[VaultItem(service: service, account: account)] = Data(text.utf8)
  }

  private func grant(savedAt: Date? = nil) async throws -> SessionGrant? {
    try await importer.grant(service: "old", account: "ann@example.org", user: ann, savedAt: savedAt)
  }

  @Test(
    "A token response is read, under the names that people give it, also as a string in a string",
    arguments: [
      #"{"access_token":"A","token_type":"Bearer","expires_in":3600,"refresh_token":"R","scope":"read"}"#,
      #"{"accessToken":"A","token_type":"Bearer","expiresIn":3600,"refreshToken":"R","scope":"read"}"#,
      #"{"credentials":{"access_token":"A","token_type":"Bearer","expires_in":"3600","refresh_token":"R","scope":"read"}}"#,
      #""{\"access_token\":\"A\",\"token_type\":\"Bearer\",\"expires_in\":3600,\"refresh_token\":\"R\",\"scope\":\"read\"}""#,
    ])
  func reading(text: String) async throws {
    leave(text)
    let grant = try #require(try await grant(savedAt: now))
    #expect(grant.user == ann)
    #expect(grant.proof.tokens == ["access_token": "A", "refresh_token": "R"])
    #expect(grant.expiresAt == now + 3600)
    #expect(grant.attributes == ["token_type": "Bearer", "scope": "read"])
  }

  @Test("Whoever doesn't know when an item was written gets tokens that are renewed before they are used")
  func unknownAge() async throws {
    leave(#"{"access_token":"A","expires_in":3600}"#)
    let end = try #require(try await grant()?.expiresAt)
    #expect(end < now)
    // A date is a date, whenever it was written; without any, it is unknown.
    leave(#"{"access_token":"A","expires_at":1800003600}"#)
    #expect(try await grant()?.expiresAt == now + 3600)
    leave(#"{"access_token":"A"}"#)
    #expect(try await grant()?.expiresAt == nil)
  }

  @Test("Accounts are listed for a service, and nothing is changed by looking")
  func listing() async throws {
    leave("{}", "bob")
    leave("{}", "ann")
    leave("{}", "eve", service: "other")
    let before = keychain.items
    #expect(try await importer.accounts(ofService: "old") == ["ann", "bob"])
    #expect(try await importer.accounts(ofService: "none").isEmpty)
    leave(#"{"access_token":"A"}"#)
    _ = try await grant()
    keychain.items[VaultItem(service: "old", account: "ann@example.org")] = nil
    #expect(try await grant() == nil)
    #expect(keychain.items == before)
    let changes = keychain.takeCalls().filter { call in
      switch call {
      case .copy, .list: false
      case .add, .update, .delete: true
      }
    }
    #expect(changes.isEmpty)
  }

  @Test(
    "Store-T2, invariant 7: a keychain that is locked or denied can't tell, which is not the same as nothing",
    arguments: [
      KeychainStatus.interactionNotAllowed, .authenticationFailed, .userCancelled, .missingEntitlement, .notAvailable,
    ])
  func locked(status: KeychainStatus) async throws {
    leave(#"{"access_token":"A"}"#)
    keychain.failure = status
    let unavailable = OstiaryError(.storeUnavailable, "")
    await #expect(throws: unavailable) { try await grant() }
    await #expect(throws: unavailable) { try await importer.accounts(ofService: "old") }
    keychain.failure = nil
    #expect(try await grant()?.proof.tokens == ["access_token": "A"])
  }

  @Test(
    "Invariant 14, Store-T7: what holds no tokens is refused, and not shown",
    arguments: [
      "", "secret", "{\"secret\":1}", "[\"secret\"]", "{\"access_token\":\"\",\"refresh_token\":\"secret\"}",
      "bplist00secret", String(repeating: "[", count: 100_000), "\u{1}secret",
    ])
  func others(text: String) async throws {
    leave(text)
    let error = await #expect(throws: OstiaryError.self) { try await grant() }
    #expect(error?.code == .invalidInput)
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  @Test("An imported session goes into a store, and from there to a program that is then signed in")
  func adopting() async throws {
    leave(#"{"access_token":"A","refresh_token":"R","expires_at":1800003600}"#)
    let grant = try #require(try await grant())
    let server = try #require(URL(string: "https://id.example"))
    let session = Session(
      kind: AuthenticatorKind("oauth"), server: server, version: ProofVersion(), grant: grant, issuedAt: now)
    #expect(session.user == ann)
    #expect(session.proof.tokens["access_token"] == "A")
    var text = "\(session) \(grant)"
    dump(session, to: &text)
    #expect(!text.contains("\"A\"") && !text.contains("\"R\""))
  }
}
