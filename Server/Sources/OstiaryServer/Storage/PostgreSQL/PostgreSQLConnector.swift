internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Makes connections. While the server can't be reached it is asked a few times a second only.
final class PostgreSQLConnector: Sendable {
  private static let pause: Duration = .milliseconds(200)

  private let database: PostgreSQLDatabase
  /// Whether each transaction may have another connection, on which nothing was set.
  var isBehindTransactionPooler: Bool { database.isBehindTransactionPooler }
  private let last = Locked<(failure: PostgreSQLFailure, at: ContinuousClock.Instant)?>(nil)

  private let answerTimeout: Duration

  init(_ database: PostgreSQLDatabase, answerTimeout: Duration = .seconds(10)) {
    self.database = database
    self.answerTimeout = answerTimeout
  }

  /// For migrations and copies, which may take hours.
  var patient: PostgreSQLConnector { PostgreSQLConnector(database, answerTimeout: .seconds(86_400)) }

  /// A connection for the agreement on what has ended, which answers before a lease is over or is of no use.
  func forLeases(_ terms: LeaseTerms) throws(PostgreSQLFailure) -> PostgreSQLSession {
    var settings = PostgreSQLSession.Settings()
    settings.answerTimeout = terms.lease
    settings.connectTimeout = .seconds(2)
    settings.applicationName = "ostiary leases"
    settings.namesStatements = database.listen != nil || !database.isBehindTransactionPooler
    return try PostgreSQLSession(database.completeForListening, settings: settings)
  }

  /// A connection that writes something, for which calls wait for a time.
  func forProof(within patience: Duration) throws(PostgreSQLFailure) -> PostgreSQLSession {
    var settings = PostgreSQLSession.Settings()
    settings.answerTimeout = patience
    settings.connectTimeout = .seconds(2)
    settings.namesStatements = false
    return try PostgreSQLSession(database.complete, settings: settings)
  }

  func callAsFunction() throws(PostgreSQLFailure) -> PostgreSQLSession {
    if let last = last.withLock({ $0 }), last.at.duration(to: .now) < Self.pause { throw last.failure }
    var settings = PostgreSQLSession.Settings()
    settings.answerTimeout = answerTimeout
    settings.namesStatements = !database.isBehindTransactionPooler
    do {
      let session = try PostgreSQLSession(database.complete, settings: settings)
      // A process that was stopped in the middle of a transaction must not hold its locks. Behind a pooler each transaction says so.
      if !database.isBehindTransactionPooler {
        try session.run(
          script: """
            SET idle_in_transaction_session_timeout = '\(PostgreSQLTransaction.mostIdle)';
            SET \(PostgreSQLTransaction.announcing)
            """)
      }
      last.withLock { $0 = nil }
      return session
    } catch {
      last.withLock { $0 = (error, .now) }
      throw error
    }
  }
}
