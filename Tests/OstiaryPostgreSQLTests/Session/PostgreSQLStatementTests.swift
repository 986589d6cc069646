#if PostgreSQL
  import Foundation
  import OstiaryPostgreSQL
  import TestSupport
  import Testing

  /// Statements that are prepared, scripts, pipelines and transactions, with a real server.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct PostgreSQLStatementTests {
    private static let prepared =
      "SELECT count(*), coalesce(sum(generic_plans + custom_plans), 0) FROM pg_prepared_statements"

    @Test("OP-10: a statement is prepared once a session, alone or in a pipeline, and not at all behind a pooler")
    func preparedOnce() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      for number in 0..<3 {
        #expect(try session.run("SELECT $1::bigint", [.integer(Int64(number))]).integer(0, 0) == Int64(number))
      }
      try session.pipeline([("SELECT $1::bigint", [.integer(7)]), ("SELECT 'two'", []), ("SELECT 'two'", [])])
      try session.pipeline([("SELECT 'two'", []), ("SELECT $1::bigint", [.integer(8)])])
      try session.run("SELECT 'once'", keepsPrepared: false)
      let counts = try session.run(Self.prepared, keepsPrepared: false)
      #expect(counts.integer(0, 0) == 2 && counts.integer(0, 1) == 8)

      let unnamed = try server.session("", PostgreSQLSession.Settings(namesStatements: false))
      for _ in 0..<2 { try unnamed.run("SELECT $1::bigint", [.integer(1)]) }
      #expect(try unnamed.pipeline([("SELECT $1::bigint", [.integer(1)])]).first?.integer(0, 0) == 1)
      #expect(try unnamed.run(Self.prepared).integer(0, 0) == 0)
    }

    @Test("OP-06: a statement that failed when it was prepared, is gone, or has another result now is prepared again")
    func preparedAgain() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      expectFailure(.refused, "42P01") { try session.run("SELECT * FROM later") }
      expectFailure(.refused, "42P01") { try session.pipeline([("SELECT 1", []), ("SELECT * FROM later", [])]) }
      try session.run(script: "CREATE TABLE later (a bigint)")
      #expect(try session.run("SELECT * FROM later").columnCount == 1)
      try session.run(script: "ALTER TABLE later ADD b bigint")
      expectFailure(.refused, "0A000") { try session.run("SELECT * FROM later") }
      #expect(try session.run("SELECT * FROM later").columnCount == 2)
      try session.run(script: "DEALLOCATE ALL")
      expectFailure(.refused, "26000") { try session.pipeline([("SELECT * FROM later", [])]) }
      #expect(try session.pipeline([("SELECT * FROM later", [])]).first?.columnCount == 2)
    }

    @Test("OP-10: a program that makes texts of values fills the server's memory with at most a thousand statements")
    func manyTexts() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      for start in stride(from: 0, to: 1200, by: 300) {
        let answers = try session.pipeline((start..<start + 300).map { ("SELECT \($0)", []) })
        #expect(answers.enumerated().allSatisfy { $1.integer(0, 0) == Int64(start + $0) })
      }
      #expect(try session.run("SELECT -1").integer(0, 0) == -1)
      #expect(try session.run(Self.prepared, keepsPrepared: false).integer(0, 0) == 1000)
    }

    @Test("OP-10: a script is one transaction, and fails as one; copying ends the session instead of hanging")
    func scripts() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      try session.run(
        script: "CREATE TABLE a (n bigint PRIMARY KEY); INSERT INTO a VALUES (1); INSERT INTO a VALUES (2)")
      expectFailure(.refused, "23505") { try session.run(script: "INSERT INTO a VALUES (3); INSERT INTO a VALUES (1)") }
      #expect(try session.value("SELECT count(*) FROM a") == "2")
      try session.run(script: "")
      for copy in ["COPY a FROM STDIN", "COPY a TO STDOUT"] {
        let copier = try server.session()
        expectFailure(.lost, "0A000") { try copier.run(script: copy) }
        #expect(!copier.isAlive)
      }
      #expect(try session.value("SELECT count(*) FROM a") == "2")
    }

    @Test("OP-10: a session says where it stands with its transaction; one that is let go rolls back")
    func transactions() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      #expect(session.transaction == .idle)
      try session.run(script: "CREATE TABLE a (n bigint)")
      try session.run("BEGIN")
      #expect(session.transaction == .inTransaction && session.isAlive)
      expectFailure(.refused, "22012") { try session.run("SELECT 1 / 0") }
      #expect(session.transaction == .failed && session.isAlive)
      expectFailure(.refused, "25P02") { try session.run("SELECT 1") }
      try session.run("ROLLBACK")
      #expect(session.transaction == .idle)
      do {
        let other = try server.session()
        try other.run("BEGIN")
        try other.run("INSERT INTO a VALUES (1)")
        try other.run("LOCK TABLE a")
      }
      // Waits for the lock, which the server lets go when it sees that the other has hung up.
      try session.run(script: "BEGIN; LOCK TABLE a; COMMIT")
      #expect(try session.value("SELECT count(*) FROM a") == "0")
    }

    @Test("OP-10: a pipeline is one round trip and one transaction; of failures it tells the first, when all is over")
    func pipelines() async throws {
      let server = try await PostgreSQLServer.start()
      for isNamed in [true, false] {
        let session = try server.session("", PostgreSQLSession.Settings(namesStatements: isNamed))
        try session.run(script: "DROP TABLE IF EXISTS a; CREATE TABLE a (n bigint PRIMARY KEY)")
        let insert = "INSERT INTO a VALUES ($1) RETURNING n"
        #expect(try session.pipeline([]).isEmpty)
        let rows = try session.pipeline((1...3).map { (insert, [.integer($0)]) })
        #expect(rows.map { $0.integer(0, 0) } == [1, 2, 3])
        expectFailure(.refused, "23505") {
          try session.pipeline([
            (insert, [.integer(4)]), (insert, [.integer(1)]), ("SELECT 1 / 0", []), (insert, [.integer(5)]),
          ])
        }
        #expect(session.transaction == .idle && session.isAlive)
        #expect(try session.value("SELECT max(n) FROM a") == "3")
        try session.run("BEGIN")
        expectFailure(.refused, "22012") { try session.pipeline([(insert, [.integer(4)]), ("SELECT 1 / 0", [])]) }
        #expect(session.transaction == .failed)
        try session.pipeline([("ROLLBACK", [])])
        try session.pipeline([("BEGIN", []), (insert, [.integer(6)]), ("COMMIT", [])])
        #expect(try session.value("SELECT max(n) FROM a") == "6")
      }
    }

    @Test("OP-10: what is run together is one round trip, also what has to be prepared, and what is not to be kept")
    func roundTrips() async throws {
      let server = try await PostgreSQLServer.start()
      for isNamed in [true, false] {
        let session = try server.session("", PostgreSQLSession.Settings(namesStatements: isNamed))
        #expect(session.roundTrips == 1)
        let statements = [
          PostgreSQLStatement("BEGIN"), PostgreSQLStatement("SELECT $1::bigint", [.integer(7)]),
          PostgreSQLStatement("SELECT 'once'", keepsPrepared: false), PostgreSQLStatement("COMMIT"),
        ]
        for count in 2...4 {
          let answers = try session.run(together: statements)
          #expect(answers.count == 4 && answers[1].integer(0, 0) == 7 && answers[2].text(0, 0) == "once")
          #expect(session.roundTrips == count && session.transaction == .idle)
        }
        #expect(try session.run(together: []).isEmpty && session.roundTrips == 4)
        // What can't be sent is found before anything has left.
        expectFailure(.refused, "22021") {
          try session.run(together: [PostgreSQLStatement("BEGIN"), PostgreSQLStatement("SELECT $1", [.text("a\0")])])
        }
        #expect(session.roundTrips == 4 && session.transaction == .idle)
        let names = try session.run(Self.prepared, keepsPrepared: false)
        #expect(names.integer(0, 0) == (isNamed ? 3 : 0) && session.roundTrips == 5)
      }
    }

    @Test("OP-06: a pipeline larger than every buffer, both ways, comes to its end")
    func largePipelines() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      let text = String(repeating: "x", count: 20_000)
      let rows = try session.pipeline((0..<1000).map { _ in ("SELECT repeat($1, 2)", [.text(text)]) })
      #expect(rows.count == 1000 && rows.allSatisfy { $0.text(0, 0)?.utf8.count == 40_000 })
    }
  }
#endif
