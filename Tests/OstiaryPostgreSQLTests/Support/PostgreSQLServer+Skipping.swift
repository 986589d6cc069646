#if PostgreSQL
  import TestSupport
  import Testing

  extension PostgreSQLServer {
    /// A new server, running. Where PostgreSQL is not installed, the test is skipped.
    static func start() async throws -> PostgreSQLServer {
      guard programs != nil else { try Test.cancel("PostgreSQL is not installed here.") }
      return try await launch()
    }
  }
#endif
