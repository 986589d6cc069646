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

  /// Where notices of what has ended are listened to, if ``connection`` is with a pooler, which keeps them back: a URI of libpq that
  /// leads directly to the same database. ``password`` is used if it has none.
  public var listen: Secret?

  /// Describes a database.
  public init(_ connection: Secret, folder: URL) {
    self.connection = connection
    self.folder = folder
  }

  /// The parts of a URI. A question mark may also be part of a password.
  private static func parts(
    of connection: Secret
  ) -> (scheme: Substring, user: Substring, hosts: Substring, rest: Substring) {
    let address = connection.reveal()[...]
    let scheme = address.prefix { $0 != "/" }
    let rest = address.dropFirst(scheme.count + 2)
    // As libpq reads it: the user, with a password, ends at the first @ before the path.
    let head = rest.prefix { $0 != "/" }
    guard let at = head.firstIndex(of: "@") else {
      let hosts = rest.prefix { $0 != "/" && $0 != "?" }
      return (scheme, "", hosts, rest[hosts.endIndex...])
    }
    let hosts = rest[rest.index(after: at)...].prefix { $0 != "/" && $0 != "?" }
    return (scheme, rest[...at], hosts, rest[hosts.endIndex...])
  }

  /// ``connection`` with ``password``, and of several hosts the one that takes writes.
  var complete: Secret { complete(connection) }

  /// ``listen``, or ``connection``, completed.
  var completeForListening: Secret { complete(listen ?? connection) }

  private func complete(_ connection: Secret) -> Secret {
    let (_, _, hosts, rest) = Self.parts(of: connection)
    var address = connection.reveal()
    var hasParameters = rest.contains("?")
    func add(_ name: String, _ value: String) {
      address += (hasParameters ? "&" : "?") + name + "=" + value
      hasParameters = true
    }
    if hosts.contains(","), !rest.contains("target_session_attrs=") { add("target_session_attrs", "read-write") }
    // Every byte is encoded, so that none ends the value or the address.
    if let password { add("password", password.reveal().utf8.map { "%" + [$0].hexadecimal }.joined()) }
    return Secret(address)
  }

  /// The address without its user, its password and its parameters.
  package var shown: String {
    let (scheme, _, hosts, rest) = Self.parts(of: connection)
    // A password with an @ that is not encoded would be taken for a host.
    let shownHosts = hosts.lastIndex(of: "@").map { hosts[hosts.index(after: $0)...] } ?? hosts
    return scheme + "//" + shownHosts + rest.prefix { $0 != "?" }
  }

  /// How many calls may wait for a connection. More are refused.
  var mostWaiting: Int { connections * 128 }

  /// The sentences for what can't be used.
  var problems: [String] {
    (1...1000).contains(connections) ? [] : ["The number of database connections must be between 1 and 1000."]
  }
}
