public import Foundation
public import OstiaryCore

/// A database of PostgreSQL (13 or newer) with the encoding UTF8. Several processes may use it, as they may use a folder.
public struct PostgreSQLDatabase: Sendable, Hashable {
  /// A URI of libpq: `postgres://ostiary@db1.example.org,db2.example.org/ostiary?sslmode=verify-full`.
  /// With several hosts the first that takes writes is used.
  ///
  /// See "Connection URIs" in PostgreSQL's manual.
  public var connection: Secret
  /// The password, if ``connection`` has none.
  public var password: Secret?
  /// The folder with the server's key and the files that doors keep. It is made if it does not exist.
  public var folder: URL
  /// How many connections the server opens at most, each with a thread of its own.
  public var connections = 8
  /// Whether a pooler gives each transaction another connection, as pgbouncer does with `pool_mode = transaction`.
  /// Statements are not kept prepared then.
  public var isBehindTransactionPooler = false

  /// Describes a database.
  public init(_ connection: Secret, folder: URL) {
    self.connection = connection
    self.folder = folder
  }

  /// ``connection`` with ``password``, and of several hosts the one that takes writes.
  var complete: Secret {
    var address = connection.reveal()
    func add(_ name: String, _ value: String) {
      address += (address.contains("?") ? "&" : "?") + name + "=" + value
    }
    let hosts = address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    if hosts.contains(","), !address.contains("target_session_attrs=") { add("target_session_attrs", "read-write") }
    // Every byte is encoded, so that none ends the value or the address.
    if let password { add("password", password.reveal().utf8.map { "%" + [$0].hexadecimal }.joined()) }
    return Secret(address)
  }

  /// The address without its user, its password and its parameters.
  package var shown: String {
    let address = connection.reveal()
    let parts = address.prefix { $0 != "?" }
    let scheme = parts.prefix { $0 != "/" }
    let rest = parts.dropFirst(scheme.count + 2)
    return scheme + "//" + (rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest)
  }

  /// How many calls may wait for a connection. More are refused.
  var mostWaiting: Int { connections * 128 }

  /// The sentences for what can't be used.
  var problems: [String] {
    (1...1000).contains(connections) ? [] : ["The number of database connections must be between 1 and 1000."]
  }
}
