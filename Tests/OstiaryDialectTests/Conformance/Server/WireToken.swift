import Foundation
import OstiaryCore

/// The tokens that a server of a document gives: JSON Web Tokens where the document reads claims, else texts that say nothing.
struct WireToken: Sendable {
  /// The places of claims by the names of what is read from them.
  private var claims: [String: [String]] = [:]
  private var hasExpiry = false

  /// - Parameter reads: what the document reads of all answers that give a token.
  init(_ reads: [JSONValue]) {
    for read in reads {
      for (name, value) in (read.object ?? [:]) where ["userID", "userName"].contains(name) {
        for alternative in value.array ?? [value] where alternative["jwt"]?.string == "token" {
          claims[name, default: []].append(alternative["pointer"]?.string ?? "/sub")
        }
      }
      for (name, value) in read["attributes"]?.object ?? [:] {
        for alternative in value.array ?? [value] where alternative["jwt"]?.string == "token" {
          claims["attribute.\(name)", default: []].append(alternative["pointer"]?.string ?? "/sub")
        }
      }
      for expiry in read["expiry"]?.array ?? [read["expiry"] ?? .null] where expiry["jwt"]?.string == "token" {
        hasExpiry = true
      }
    }
  }

  /// Whether the document reads claims of its tokens.
  var isSigned: Bool { hasExpiry || !claims.isEmpty }

  /// Makes one. What is planted in it must be seen nowhere else.
  func make(_ number: Int, user: WireAccount, expiry: Date) -> String {
    let secret = "planted-token-\(number)-0123456789abcdefghij"
    guard isSigned else { return secret }
    var payload = JSONValue.object(["jti": .string(secret)])
    for pointer in claims["userID"] ?? [] {
      payload = WirePointer(pointer).setting(user.idValue, in: payload)
    }
    for pointer in claims["userName"] ?? [] {
      payload = WirePointer(pointer).setting(.string(user.displayName), in: payload)
    }
    for (name, pointers) in claims where name.hasPrefix("attribute.") {
      for pointer in pointers { payload = WirePointer(pointer).setting(.string("kept"), in: payload) }
    }
    if hasExpiry {
      payload = WirePointer("/exp").setting(.integer(Int64(expiry.timeIntervalSince1970)), in: payload)
    }
    let parts = [#"{"alg":"HS256","typ":"JWT"}"#, Self.text(payload)].map { Base64URL.encode(Data($0.utf8)) }
    return parts.joined(separator: ".") + "." + Base64URL.encode(Data("planted-signature-\(number)".utf8))
  }

  private static func text(_ value: JSONValue) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// A user of the server.
struct WireAccount: Sendable {
  let name: String
  let password: String
  let id: Int64
  let displayName: String

  var idValue: JSONValue { .string(String(id)) }
}
