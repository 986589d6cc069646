import OstiaryPostgreSQL
import Testing

@testable import OstiaryServer

@Suite("Whether a transaction is run again")
struct PostgreSQLAttemptsTests {
  private static func failure(
    _ kind: PostgreSQLFailure.Kind, _ state: String = ""
  ) -> PostgreSQLFailure {
    PostgreSQLFailure(kind, state: state, message: "")
  }

  @Test(
    "OP-10: one that conflicts is run again on the same connection, at longer and longer distances, but not for ever",
    arguments: ["40001", "40P01"])
  func conflicts(state: String) {
    var attempts = PostgreSQLAttempts()
    var limits: [Duration] = []
    while case .again(let limit, let newConnection) = attempts.next(after: Self.failure(.refused, state)) {
      #expect(!newConnection)
      limits.append(limit)
      guard limits.count < 1000 else { break }
    }
    #expect(limits.count == 29)
    #expect(limits == limits.sorted())
    #expect(limits.first == .milliseconds(2) && limits.last == .milliseconds(50))
  }

  @Test("OP-10: a unique key that another has committed, a broken connection, a server that stops: twice at most")
  func others() {
    for (failure, newConnection) in [
      (Self.failure(.refused, "23505"), false), (Self.failure(.lost), true), (Self.failure(.refused, "57P01"), true),
      (Self.failure(.refused, "25006"), true), (Self.failure(.refused, "26000"), true),
    ] {
      var attempts = PostgreSQLAttempts()
      for _ in 0..<2 {
        #expect(attempts.next(after: failure) == .again(within: .milliseconds(20), newConnection: newConnection))
      }
      #expect(attempts.next(after: failure) == .fail, "\(failure.state)")
    }
  }

  @Test("One that found no server, had no answer in time, or made a mistake is not")
  func never() {
    for failure in [
      Self.failure(.cannotConnect), Self.failure(.noAnswer), Self.failure(.refused, "42601"),
      Self.failure(.refused, "53100"), Self.failure(.refused, "57014"), Self.failure(.refused, "23503"),
    ] {
      var attempts = PostgreSQLAttempts()
      #expect(attempts.next(after: failure) == .fail, "\(failure.state)")
    }
  }
}
