import Foundation
import GRDB
import Testing

@testable import OstiaryServer

@Suite("Statements")
struct StatementTests {
  @Test("Parameters are numbered in the order of their first appearance")
  func parameters() {
    for (name, statement) in ServerStatements.all.flatMap({ $0.statements }) {
      var seen: [Int] = []
      for match in statement.text.matches(of: /\$([0-9]+)/) {
        guard let number = Int(match.output.1), !seen.contains(number) else { continue }
        seen.append(number)
      }
      #expect(seen == Array(1..<(seen.count + 1)), "\(name)")
      #expect(!statement.text.contains("?"), "\(name)")
    }
  }

  @Test("SQLite prepares every statement with the tables that the migrations make")
  func prepared() async throws {
    let storage = try ServerStorage.inMemory()
    let failed = try await storage.read { db in
      ServerStatements.all.flatMap { $0.statements }.filter { _, statement in
        (try? db.sqlite.makeStatement(sql: statement.text)) == nil
      }.map(\.name)
    }
    #expect(failed == [])
  }

  /// Statements that change what caches hold, and end nothing, each with the reason.
  private static let endingNothing = [
    // A use moves times on, which every server counts for itself.
    "SessionStatements.touch", "TokenStatements.touch", "TokenStatements.countCalls", "TokenStatements.countIssue",
    // A rotation leaves the access tokens, and caches hold no others.
    "TokenStatements.rotate",
    // Caches know times themselves.
    "SessionStatements.removeExpired", "TokenStatements.removeExpiredAccessTokens",
    "TokenStatements.removeExpiredGrants", "TokenStatements.postponeGrants",
    // There is no token left that a cache could have.
    "TokenStatements.removeGrantWithoutTokens",
    // The key of before is in no cache.
    "SessionStatements.bind",
    // Of a migration.
    "UserStatements.setAddressKey",
    // The same salt, sealed with another key.
    "TokenStatements.resealSuccessor",
  ]

  @Test("SE-04, RT-05: each statement that ends or changes what caches hold is of the type whose callers say what")
  func endings() {
    var unsaid: [String] = []
    var count = 0
    for set in ServerStatements.all {
      let endings = Mirror(reflecting: set.init()).children.filter { $0.value is EndingStatement }
        .map { "\(set).\($0.label ?? "")" }
      count += endings.count
      for (name, statement) in set.statements where !endings.contains(name) {
        let changes = statement.text.contains(
          #/(UPDATE|DELETE FROM) (users|sessions|grants|access_tokens|clients|client_secrets)\b/#)
        if changes || statement.text.contains("INTO client_secrets") { unsaid.append(name) }
      }
    }
    #expect(unsaid.sorted() == Self.endingNothing.sorted())
    #expect(count > 20)
  }

  @Test("OP-10: what a statement ends is noticed where a server from before leases does it")
  func silentEndings() {
    let noticed = Dictionary(uniqueKeysWithValues: SilentWriterSchema.endings)
    for set in ServerStatements.all {
      for child in Mirror(reflecting: set.init()).children {
        guard let text = (child.value as? EndingStatement)?.statement.text,
          let change = text.firstMatch(of: #/(?s)(UPDATE|DELETE FROM|INSERT INTO) ([a-z_]+)(?: SET (.*?) WHERE)?/#)
        else { continue }
        let events = noticed[String(change.2)] ?? ""
        #expect(events.contains(change.1.prefix(6)), "\(text)")
        // Of an update that is noticed for some columns, it is for one of them.
        guard let columns = events.firstMatch(of: #/UPDATE OF ([a-z_, ]+?) OR/#)?.1, let sets = change.3
        else { continue }
        let changed = Set(sets.matches(of: #/([a-z_]+) =/#).map { String($0.1) })
        #expect(!changed.isDisjoint(with: columns.split(separator: ", ").map(String.init)), "\(text)")
      }
    }
  }

  @Test("Rows are kept from other writers by a word that PostgreSQL gets and SQLite does not")
  func locking() {
    let statement = StorageStatement("SELECT id FROM users", "WHERE id = $1").locking("users")
    #expect(statement.text(for: .sqlite) == "SELECT id FROM users WHERE id = $1")
    #expect(statement.text(for: .postgreSQL) == "SELECT id FROM users WHERE id = $1 FOR UPDATE OF users")
    let kept = StorageStatement("SELECT id FROM users").keeping("users")
    #expect(kept.text(for: .sqlite) == "SELECT id FROM users")
    #expect(kept.text(for: .postgreSQL) == "SELECT id FROM users FOR KEY SHARE OF users")
  }

  @Test("The names and the order of the migrations are those that databases have kept")
  func migrations() async throws {
    let names = [
      "1: users, sessions, failures", "2: tenants, e-mail addresses to sign in with", "3: the Newzulu door",
      "4: clients and tokens", "5: the Salesforce door", "6: self-service flows and mail", "7: the Primer door",
      "9: the audit trail", "10: budgets of guesses", "11: codes of browsers",
      "12: proven addresses, accounts that people make themselves", "13: the Salesforce door's queries",
      "14: administrators", "15: repeated submissions", "16: experiences of the account pages",
      "17: key check value", "18: servers that share the database, and what has ended",
      "19: numbers and allowances of several servers", "20: requests that the gateway holds",
      "21: timelines of the database", "22: successors of refresh tokens", "23: the last back-up",
      "24: keys of the server that follow each other",
      "25: what writes without announcing ends",
    ]
    #expect(Migrations.all(of: houseDoors).map(\.name) == names)
    let applied = try await ServerStorage.inMemory().read { db in
      try String.fetchAll(db.sqlite, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }
    #expect(applied == names)
  }

  @Test("What is put together at run time numbers its parameters anew, and binds what it was given")
  func query() async throws {
    var query = StorageQuery(StorageFragment("SELECT CAST($1 AS TEXT), $2, $1", "|| '$'", "WHERE 1 IN"), "a", 2)
    query.add(list: [3, 1, "x"])
    query.add(StorageFragment("AND $2 = $1"), 7, 7)
    query.add(StorageFragment("ORDER BY"))
    query.add(separated: [StorageFragment("1"), StorageFragment("2 DESC")])
    #expect(
      query.text
        == "SELECT CAST($1 AS TEXT), $2, $1 || '$' WHERE 1 IN ($3, $4, $5) AND $7 = $6 ORDER BY 1, 2 DESC")
  }

  @Test("Values come back as they were bound")
  func values() async throws {
    let storage = try ServerStorage.inMemory()
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let query = StorageQuery(
      StorageFragment("SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9"), "text", 42, Int64.max, 1.5, date, Data([0, 255]),
      true, nil as String?, Data())
    let isEqual = try await storage.read { db in
      try db.first(query) { reader in
        let texts: (String, Int, Int64, Double) = (reader.next(), reader.next(), reader.next(), reader.next())
        let others: (Date, Data, Bool, String?, Data?) = (
          reader.next(), reader.next(), reader.next(), reader.next(), reader.next()
        )
        return texts == ("text", 42, .max, 1.5) && others == (date, Data([0, 255]), true, nil, Data())
      }
    }
    #expect(isEqual == true)
  }

  @Test("A recorder hears of every statement, once")
  func recorder() async throws {
    let recorder = StatementRecorder()
    var habits = StorageHabits()
    habits.recorder = recorder
    let server = try IdentityWorld(storage: ServerStorage(inMemory: Migrations.all(of: houseDoors), habits: habits))
    let user = try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let sessions = ServerSessions(storage: server.storage, clock: server.clock)
    let session = try await sessions.begin(for: user)
    #expect(try await sessions.find(session.id) != nil)
    let registered = Set(ServerStatements.all.flatMap { $0.statements }.map(\.statement.text))
    #expect(recorder.texts.isSubset(of: registered))
    #expect(recorder.texts.contains(UserStatements.sql.insert.text))
    #expect(recorder.texts.contains(SessionStatements.sql.insert.text))
  }
}
