import Foundation
import OstiaryCore
import OstiaryStores
import OstiaryTesting
import TestSupport
import Testing

/// The contract, for every store that is built here.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreConformanceTests {
  @Test("Store-T6: a keychain store keeps the contract", arguments: StoreConformance.checks)
  func keychain(check: StoreCheck) async throws {
    let folder = try TemporaryFolder()
    let keychain = KeychainDouble()
    let outage = StoreOutage(
      begin: { keychain.failure = .interactionNotAllowed }, end: { keychain.failure = nil })
    try await check.run(outage: outage) {
      KeychainStore(service: "app", access: keychain, lockFolder: folder.file("locks"))
    }
  }

  #if SQLite
    @Test("Store-T6: an SQLite store keeps the contract", arguments: StoreConformance.checks)
    func sqlite(check: StoreCheck) async throws {
      let folder = try TemporaryFolder()
      try await check.run { SQLiteStore(at: folder.file("db/sessions.sqlite")) }
    }
  #endif

  @Test("Bug-A37: stores keep the contract with another process", arguments: SharedStore.allCases)
  func otherProcess(kind: SharedStore) async throws {
    // One server for all, and a place for each.
    let first = try await StorePlace.make(kind)
    for check in StoreConformance.checks {
      let place = try await StorePlace.make(kind, beside: first)
      let settings = String(decoding: try JSONEncoder().encode(place.store), as: UTF8.self)
      do {
        try await check.run(
          otherProcess: { try StoreProcess(try Worker.program(), [settings]) }, { try place.store.make() })
      } catch {
        Issue.record("\(check): \(error)")
      }
    }
  }

  #if PostgreSQL
    @Test("Store-T6: a PostgreSQL store keeps the contract, with as few connections as can be")
    func postgreSQL() async throws {
      let server = try await PostgreSQLServer.start()
      try await runAll { number in PostgreSQLStore(server.connection(), table: "check_\(number)", connections: 2) }
    }
  #endif

  #if SecretService
    @Test("Store-T6: a store in the desktop's keyring keeps the contract")
    func secretService() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      try await runAll { number in
        SecretServiceStore(
          application: "check-\(number)", busAddress: keyring.address,
          lockFolder: keyring.lockFolder.appending(path: "\(number)"))
      }
    }
  #endif

  /// Runs all checks one after the other, where starting the store's server takes long.
  /// - Parameter open: opens the store of a number, which has nothing in it yet.
  private func runAll(_ open: @escaping @Sendable (Int) -> any SessionStore) async throws {
    for (number, check) in StoreConformance.checks.enumerated() {
      do {
        try await check.run { open(number) }
      } catch {
        Issue.record("\(check): \(error)")
      }
    }
  }
}
