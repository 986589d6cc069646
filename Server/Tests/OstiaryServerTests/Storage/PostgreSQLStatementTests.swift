import Foundation
import Testing

@testable import OstiaryServer

/// The server keeps its data with SQLite; what it says to it PostgreSQL understands as well.
@Suite(
  "Statements for PostgreSQL", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct PostgreSQLStatementTests {
  /// A server with the tables.
  private static func server() async throws -> PostgreSQLServer {
    let server = try await PostgreSQLServer.start()
    let tables = Migrations.all(of: houseDoors).flatMap(\.steps).compactMap { StorageDialect.postgreSQL.text(of: $0) }
    #expect(try await server.execute(tables.joined(separator: "\n")).errors == "")
    return server
  }

  /// What PostgreSQL has against statements. Each is one line, by whose number it is complained about.
  private static func errors(_ statements: [String], _ server: PostgreSQLServer) async throws -> String {
    let lines = statements.enumerated().map { number, text in
      "PREPARE s\(number) AS \(text.split(whereSeparator: \.isNewline).joined(separator: " "));"
    }
    return try await server.execute(lines.joined(separator: "\n")).errors
  }

  /// Each way to ask for a list of files, and for one.
  private static var mediaQueries: [StorageQuery] {
    let viewers: [NewzuluMedia.Viewer] = [.anybody, .user(id: "x"), .everything]
    var queries: [StorageQuery] = []
    for viewer in viewers {
      queries.append(NewzuluMedia.statement(1, for: viewer, vhost: nil))
      queries.append(NewzuluMedia.statement(1, for: viewer, vhost: "x"))
      for order in [NewzuluMedia.Order.upload, .id, .title] {
        for isDescending in [false, true] {
          var query = NewzuluMedia.Query(vhost: "x", viewer: viewer, order: order, isDescending: isDescending)
          queries += [query.statements.count, query.statements.page]
          (query.channel, query.ownerNumber, query.status, query.title) = ("x", 1, 1, "x")
          queries += [query.statements.count, query.statements.page]
        }
      }
    }
    return queries
  }

  @Test("PostgreSQL makes the tables and prepares every statement, registered, put together or run by this suite")
  func prepared() async throws {
    let server = try await Self.server()
    let registered = ServerStatements.all.flatMap { $0.statements }.map { $0.statement.text(for: .postgreSQL) }
    #expect(registered.count > 100)
    #expect(try await Self.errors(registered, server) == "")
    #expect(try await Self.errors(Self.mediaQueries.map(\.text), server) == "")
    #expect(try await Self.errors(Array(StorageHabits.standard.recorder?.texts ?? []), server) == "")
    // So that silence means something.
    for wrong in ["SELECT rowid FROM users", "INSERT OR IGNORE INTO newzulu_keys VALUES ($1)", "SELECT $1 IS NULL"] {
      #expect(try await Self.errors([wrong], server).contains("ERROR"), "\(wrong)")
    }
  }

  @Test("No trigger writes the epoch of tokens there: servers are told what has ended")
  func triggers() async throws {
    let server = try await Self.server()
    let answer = try await server.execute(
      """
      INSERT INTO clients (id, name, is_confidential, redirect_uris, scopes, policy, attributes, created_at)
        VALUES ('a', 'a', 0, '[]', '', '{}', '{}', 0);
      SELECT number FROM token_epoch;
      UPDATE clients SET disabled = 1;
      SELECT number FROM token_epoch;
      INSERT INTO client_secrets (client_id, secret_hash) VALUES ('a', 'x');
      SELECT number FROM token_epoch;
      """)
    #expect(answer.errors == "")
    #expect(answer.output == "0\n0\n0\n")
  }
}
