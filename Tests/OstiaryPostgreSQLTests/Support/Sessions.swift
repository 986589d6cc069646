#if PostgreSQL
  import Foundation
  import OstiaryPostgreSQL
  import TestSupport
  import Testing

  extension PostgreSQLServer {
    /// A new session with it.
    func session(
      _ extra: String = "", _ settings: PostgreSQLSession.Settings = PostgreSQLSession.Settings()
    ) throws -> PostgreSQLSession {
      try PostgreSQLSession(connection(extra), settings: settings)
    }
  }

  extension PostgreSQLSession {
    /// The process that serves this session.
    func backend() throws -> Int64 {
      try #require(run("SELECT pg_backend_pid()", keepsPrepared: false).integer(0, 0))
    }

    /// Asks until the first cell of an answer is this text.
    func waitFor(_ text: String, of statement: String) throws {
      let end = ContinuousClock.now + .seconds(120)
      while try value(statement) != text { try #require(ContinuousClock.now < end, "\(text) of \(statement)") }
    }

    /// The first cell of an answer, as text.
    func value(_ statement: String) throws -> String? {
      try run(statement, keepsPrepared: false).text(0, 0)
    }
  }

  /// The failure that `body` ends with, which is of this kind and has this SQLSTATE.
  @discardableResult
  func expectFailure(
    _ kind: PostgreSQLFailure.Kind, _ state: String? = nil, _ location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) -> PostgreSQLFailure? {
    let failure = #expect(throws: PostgreSQLFailure.self, sourceLocation: location) { try body() }
    #expect(failure?.kind == kind, "\(failure?.description ?? "")", sourceLocation: location)
    if let state { #expect(failure?.state == state, "\(failure?.description ?? "")", sourceLocation: location) }
    return failure
  }

  /// All that shows a value.
  func shown(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    let error = (value as? any Error).map { $0.localizedDescription } ?? ""
    return "\(value) \(String(reflecting: value)) \(dumped) \(error)"
  }
#endif
