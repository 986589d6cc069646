import Testing

@testable import OstiaryServer

/// What the statements of leases do in PostgreSQL. Their texts are run as they are, values in the places of parameters.
@Suite(
  "Leases: statements", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct LeaseStatementTests {
  private static let sql = LeaseStatements.sql

  private static func server() async throws -> PostgreSQLServer {
    let server = try await PostgreSQLServer.start()
    let tables = [LeaseSchema.nodes, LeaseSchema.ends].compactMap { StorageDialect.postgreSQL.text(of: $0) }
    #expect(try await server.execute((tables + [SilentWriterSchema.functions]).joined(separator: "\n")).errors == "")
    return server
  }

  private static func text(_ statement: StorageStatement, _ values: String...) -> String {
    var text = statement.text(for: .postgreSQL)
    for (index, value) in values.enumerated().reversed() {
      text = text.replacing("$\(index + 1)", with: value)
    }
    return text + ";"
  }

  /// The rows that statements give, each one's columns with `|` between.
  private static func run(_ server: PostgreSQLServer, _ statements: String...) async throws -> [String] {
    let answer = try await server.execute(statements.joined(separator: "\n"))
    #expect(answer.errors == "")
    return answer.output.split(separator: "\n").map(String.init)
  }

  @Test("PostgreSQL prepares every statement of leases")
  func prepared() async throws {
    let server = try await Self.server()
    let statements = LeaseStatements.statements
    #expect(statements.count == 19)
    for (name, statement) in statements {
      let prepared = "PREPARE p AS \(statement.text(for: .postgreSQL)); DEALLOCATE p;"
      #expect(try await server.execute(prepared).errors == "", "\(name)")
    }
  }

  @Test("SE-04: a question writes what it was shown, and an end takes off the list only who was not shown it")
  func list() async throws {
    let server = try await Self.server()
    let found = try await Self.run(server, Self.text(Self.sql.identity))
    let here = try #require(found.first)
    let system = String(here.prefix { $0 != "|" })
    #expect(here == "\(system)|1")
    /// The first columns of a question's answer.
    func question(applied: String) async throws -> String {
      let rows = try await Self.run(server, Self.text(Self.sql.question, "'a'", system, "1", applied))
      return String(rows.first?.split(separator: "|").prefix(4).joined(separator: "|") ?? "")
    }
    func list() async throws -> [String] { try await Self.run(server, Self.text(Self.sql.list)) }

    // A node that is not on the list is told so.
    #expect(try await question(applied: "0") == "\(system)|1|0|f")
    #expect(try await list() == ["\(system)|1|||||"])
    _ = try await Self.run(server, Self.text(Self.sql.register, "'a'", "'1'", "1", "1"))
    #expect(try await question(applied: "0") == "\(system)|1|0|t")

    // Ends are numbered from 1 on.
    for number in 1...2 {
      let rows = try await Self.run(server, Self.text(Self.sql.end, "'session'", "'x y'"))
      #expect(rows.first?.hasPrefix("\(number)|\(system)|1|") == true)
    }
    #expect(
      try await Self.run(server, Self.text(Self.sql.endsBetween, "0", "9")) == [
        "\(system)|1|1|session|x y", "\(system)|1|2|session|x y",
      ])
    #expect(try await Self.run(server, Self.text(Self.sql.endsBetween, "2", "9")) == ["\(system)|1|||"])
    #expect(try await question(applied: "1") == "\(system)|1|2|t")
    #expect(try await list() == ["\(system)|1|a|\(system)|1|2|1"])

    // It was shown 2, so an end with that number leaves it on the list, and so does another database's.
    _ = try await Self.run(
      server, Self.text(Self.sql.takeOff, "'a'", system, "1", "2"),
      Self.text(Self.sql.takeOff, "'a'", system, "2", "3"))
    #expect(try await list() == ["\(system)|1|a|\(system)|1|2|1"])
    // What was applied never becomes less, and another database's numbers are not written.
    _ = try await Self.run(
      server, Self.text(Self.sql.writeApplied, "2", "'a'", system, "1"),
      Self.text(Self.sql.writeApplied, "1", "'a'", system, "1"),
      Self.text(Self.sql.writeApplied, "9", "'a'", system, "2"))
    #expect(try await question(applied: "1") == "\(system)|1|2|t")
    #expect(try await list() == ["\(system)|1|a|\(system)|1|2|2"])
    _ = try await Self.run(server, Self.text(Self.sql.takeOff, "'a'", system, "1", "3"))
    #expect(try await list() == ["\(system)|1|||||"])
    #expect(try await question(applied: "2") == "\(system)|1|2|f")
  }

  @Test("SE-04: a question that found its node on the list before it came off and back on gives no lease")
  func listing() async throws {
    let server = try await Self.server()
    _ = try await Self.run(
      server, Self.text(Self.sql.register, "'a'", "'1'", "1", "1"),
      Self.text(Self.sql.question, "'a'", "1", "1", "0"))
    /// Waits until another session has, or waits for, such a lock.
    func wait(_ lock: String) -> String {
      """
      DO $$ BEGIN FOR i IN 1..3000 LOOP
        EXIT WHEN EXISTS (SELECT 1 FROM pg_locks WHERE pid <> pg_backend_pid() AND \(lock));
        PERFORM pg_sleep(0.01);
      END LOOP; END $$;
      """
    }
    async let others = Self.run(
      server, "BEGIN;", "UPDATE nodes SET shown = NULL, applied = NULL, system = NULL, timeline = NULL;",
      Self.text(Self.sql.register, "'a'", "'1'", "1", "1"), "SELECT pg_advisory_xact_lock(1);", wait("NOT granted"),
      "COMMIT;")
    async let question = Self.run(
      server, wait("locktype = 'advisory'"), Self.text(Self.sql.question, "'a'", "1", "1", "0"))
    #expect(try await question.first?.contains("|1|0|f|") == true)
    _ = try await others
    let next = try await Self.run(server, Self.text(Self.sql.question, "'a'", "1", "1", "0"))
    #expect(next.first?.contains("|1|0|t|") == true)
  }

  @Test("What a later question has written stays when an earlier one is committed")
  func stray() async throws {
    let server = try await Self.server()
    let question = Self.text(Self.sql.question, "'a'", "1", "1", "0")
    _ = try await Self.run(
      server, Self.text(Self.sql.register, "'a'", "'1'", "1", "1"), question,
      "UPDATE nodes SET shown = 5, applied = 4;", question)
    #expect(try await Self.run(server, "SELECT shown, applied FROM nodes;") == ["5|4"])
  }

  @Test("Numbers of another timeline are not taken over by a question")
  func timeline() async throws {
    let server = try await Self.server()
    _ = try await Self.run(
      server, Self.text(Self.sql.register, "'a'", "'1'", "1", "1"),
      "UPDATE nodes SET system = 1, timeline = 7, shown = 99, applied = 98;",
      Self.text(Self.sql.question, "'a'", "1", "7", "98"))
    let rows = try await Self.run(server, "SELECT timeline, shown, applied FROM nodes;")
    #expect(rows == ["1|0|0"])
  }
}
