import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("The address of a database")
struct PostgreSQLDatabaseTests {
  private static func complete(_ address: String, password: Secret? = nil) -> String {
    var database = PostgreSQLDatabase(Secret(address), folder: URL(filePath: "/nowhere"))
    database.password = password
    return database.complete.reveal()
  }

  @Test("The password is added so that none of its characters ends it")
  func password() {
    #expect(
      Self.complete("postgres://db/x", password: "a&b=c/ö") == "postgres://db/x?password=%61%26%62%3d%63%2f%c3%b6")
    #expect(
      Self.complete("postgres://db/x?sslmode=require", password: "a") == "postgres://db/x?sslmode=require&password=%61")
    #expect(Self.complete("postgres://db/x") == "postgres://db/x")
  }

  @Test("Of several hosts the one that takes writes is used, unless the address says another")
  func hosts() {
    #expect(
      Self.complete("postgres://a@one,two:5433/x") == "postgres://a@one,two:5433/x?target_session_attrs=read-write")
    #expect(Self.complete("postgresql://one,two") == "postgresql://one,two?target_session_attrs=read-write")
    let other = "postgres://one,two/x?target_session_attrs=any"
    #expect(Self.complete(other) == other)
    #expect(Self.complete("postgres://one/x?options=-ca%3Db,c") == "postgres://one/x?options=-ca%3Db,c")
  }

  @Test("The number of connections is checked at the start")
  func connections() {
    var configuration = ServerConfiguration()
    var database = PostgreSQLDatabase("postgres://db/x", folder: URL(filePath: "/nowhere"))
    for count in [0, -1, 1001] {
      database.connections = count
      configuration.storage = .postgreSQL(database)
      #expect(configuration.problems == ["The number of database connections must be between 1 and 1000."])
    }
  }

  @Test("The address is shown without its user, its password and its parameters, however it is written")
  func shown() {
    for (address, shown) in [
      ("postgres://ostiary:pa?ss@db.example/x?sslmode=require", "postgres://db.example/x"),
      ("postgres://ostiary:p@ss@db.example/x", "postgres://db.example/x"),
      ("postgresql://one,two:5433", "postgresql://one,two:5433"), ("postgres://db?password=planted", "postgres://db"),
      ("postgres:///x?host=/run/planted", "postgres:///x"), ("postgres://", "postgres://"),
      ("postgres:", "postgres://"),
    ] {
      #expect(PostgreSQLDatabase(Secret(address), folder: URL(filePath: "/nowhere")).shown == shown)
    }
    #expect(Self.complete("postgres://a:b?c@db/x", password: "d") == "postgres://a:b?c@db/x?password=%64")
  }
}
