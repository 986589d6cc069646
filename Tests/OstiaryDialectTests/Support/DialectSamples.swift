import Foundation
import OstiaryCore
import OstiaryDialect

/// Documents for tests.
enum DialectSamples {
  /// A document with every member of the format that can stand beside the others.
  static let everything = #"""
    {
      "$schema": "https://ostiary.example/dialect.schema.json",
      "dialect": 1,
      "name": "acme",
      "title": "Acme's API",
      "sources": ["https://acme.example/docs", "http://acme.example/more"],
      "servers": {
        "server": { "title": "the API", "documented": "https://api.acme.example" },
        "accounts": {}
      },
      "settings": {
        "apiKey": { "title": "the project's key", "secret": true, "required": true, "default": null },
        "tenant": { "required": false, "default": "main" },
        "lifetime": { "default": "60" }
      },
      "prepare": [
        { "method": "GET", "path": "/csrf",
          "reads": { "values": {
            "csrf": { "cookie": "XSRF-TOKEN", "as": "percentDecoded" },
            "page": [{ "formField": "_token" }, { "meta": "csrf-token" }] } } }
      ],
      "signIn": [
        { "server": "accounts", "method": "POST", "path": "/tenants/{tenant}/login",
          "query": { "language": "en", "device": "{deviceName?}" },
          "headers": { "X-Api-Key": "{apiKey}", "X-CSRF": "{csrf}" },
          "body": {
            "json": {
              "user": { "name": "{username}", "password": "{password}" }, "lifetime": "{lifetime:number}",
              "tags": ["a", 1, 2.5, true, null], "otp": "{code?}", "page": "{page}"
            }
          },
          "success": { "all": [{ "status": { "from": 200, "to": 201 } }, { "pointer": "/ok", "is": true }] },
          "redirects": "follow",
          "reads": {
            "token": "/access",
            "renewalToken": ["/refresh", { "header": "X-Refresh", "after": "Bearer " }],
            "kind": "/type",
            "userID": { "jwt": "token", "pointer": "/sub" },
            "userName": null,
            "expiry": [
              { "in": "/expires", "unit": "milliseconds" }, { "at": "/until", "as": "sql", "zone": "+02:00" },
              { "jwt": "token" }, { "in": 3600 }
            ],
            "renewalExpiry": { "at": { "header": "X-Until" }, "as": "http" },
            "attributes": { "role": "/role", "greeting": { "text": "Hello {userID}" } },
            "values": { "session": "/session" }
          },
          "meanings": [
            { "when": { "status": 401 }, "means": "wrongPassword" },
            { "when": { "status": 423 }, "means": "lockedUntil", "until": { "at": "/lockedUntil", "as": "rfc3339" } },
            { "when": { "pointer": "/need", "is": "totp" }, "means": "secondFactor", "kind": "totp",
              "handle": "/handle", "title": "The code of the app" },
            { "when": { "pointer": "/need", "contains": "more" }, "means": "secondFactor", "kind": "/need" },
            { "when": { "pointer": "/terms", "exists": true }, "means": "acceptTerms", "kind": "terms" },
            { "when": { "header": "X-Change", "exists": true }, "means": "passwordChange" }
          ] }
      ],
      "continue": {
        "totp": { "method": "POST", "path": "/2fa", "body": { "form": { "handle": "{handle}", "otp": "{code}" } },
          "reads": { "token": "/access" } },
        "terms": { "method": "PUT", "path": "/terms/{handle}", "body": { "json": { "accepted": true } },
          "reads": { "token": "/access" } }
      },
      "renew": { "method": "POST", "path": "/refresh", "body": { "json": { "refresh": "{renewalToken}" } },
        "reads": { "token": "/access", "renewalToken": "/refresh" } },
      "verify": { "method": "GET", "path": "/verify", "proof": true },
      "who": { "method": "GET", "path": "/me", "reads": { "userID": "/id", "userName": "/name" } },
      "end": { "method": "DELETE", "path": "/sessions/{session}" },
      "proof": { "headers": { "Authorization": "{kind} {token}" }, "below": "/api", "origins": ["server", "accounts"] },
      "meanings": [
        { "when": { "all": [{ "status": 401 }, { "pointer": "/code", "isOneOf": ["expired", 7] }] }, "means": "expired" },
        { "when": { "any": [{ "header": "X-Reason", "contains": "revoked" }, { "body": { "contains": "revoked" } }] },
          "means": "endedForGood" },
        { "when": { "not": { "header": "X-Reason", "is": "session" } }, "means": "notThisSession" },
        { "when": { "status": 429 }, "means": "tryLater", "after": { "in": { "header": "Retry-After" } } }
      ],
      "renewal": { "by": "renewalToken", "rotation": "always", "afterLostAnswer": "ask", "grace": 10 }
    }
    """#

  /// A document with what is required.
  static let small = #"""
    {
      "dialect": 1, "name": "small",
      "signIn": [{ "method": "POST", "path": "/login", "body": { "basic": { "username": "{username}", "password": "{password}" } },
        "reads": { "token": "/token" } }],
      "proof": { "headers": { "Authorization": "Token {token}" } }
    }
    """#

  /// Proofs that ``everything`` hasn't, as a document's `proof`.
  static let proofs = [
    #"{ "basic": { "username": "{username}", "password": "{token}" } }"#,
    #"{ "cookie": { "name": "sid", "value": "{token}" } }"#,
    #"{ "cookies": ["session", "wordpress_*"], "csrf": { "cookie": "XSRF-TOKEN", "as": "percentDecoded", "header": "X-XSRF" } }"#,
    #"{ "cookies": ["session"], "csrf": { "value": "csrf", "header": "X-CSRF" } }"#,
    #"{ "cookies": ["session"] }"#,
    #"{ "insecureQuery": { "access_token": "{token}" }, "below": "/api/v1" }"#,
    #"{ "body": { "token": "{token}" } }"#,
  ]

  static func json(_ text: String) throws -> OrderedJSON {
    try OrderedJSON(Array(text.utf8), maximumDepth: 64)
  }

  /// ``everything`` with another value at a place; without the place for `nil`.
  static func edited(_ place: String, _ text: String?) throws -> Data { try edited(everything, place, text) }

  /// A document with another value at a place; without the place for `nil`.
  static func edited(_ document: String, _ place: String, _ text: String?) throws -> Data {
    let value = try text.map(json)
    let edited = try json(document).replacing(DialectPointer(place).parts[...], with: value)
    return Data((edited ?? .null).bytes)
  }

  /// The parts of a problem's place, of which there may be more than a pointer of a document has.
  static func parts(of place: String) -> [String] {
    place.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// What a document is refused with.
  static func problems(_ document: Data) -> [DialectProblem] {
    do throws(DialectError) {
      _ = try Dialect(json: document)
      return []
    } catch {
      return error.problems
    }
  }
}

extension OrderedJSON {
  /// The value with another one at a place, which may be a new member; without the place for `nil`.
  func replacing(_ parts: ArraySlice<String>, with value: OrderedJSON?) -> OrderedJSON? {
    guard let name = parts.first else { return value }
    switch self {
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.name == name }) else {
        if let value, parts.count == 1 { members.append(Member(name, value)) }
        return .object(members)
      }
      if let inner = members[index].value.replacing(parts.dropFirst(), with: value) {
        members[index].value = inner
      } else {
        members.remove(at: index)
      }
      return .object(members)
    case .array(var elements):
      guard let index = Int(name), elements.indices.contains(index) else { return self }
      if let inner = elements[index].replacing(parts.dropFirst(), with: value) {
        elements[index] = inner
      } else {
        elements.remove(at: index)
      }
      return .array(elements)
    default: return self
    }
  }

  /// What a place holds.
  func value(at parts: ArraySlice<String>) -> OrderedJSON? {
    guard let name = parts.first else { return self }
    switch self {
    case .object: return self[name]?.value(at: parts.dropFirst())
    case .array(let elements):
      guard let index = Int(name), elements.indices.contains(index) else { return nil }
      return elements[index].value(at: parts.dropFirst())
    default: return nil
    }
  }

  /// The places of everything in it.
  var places: [[String]] {
    switch self {
    case .object(let members):
      [[]] + members.flatMap { member in member.value.places.map { [member.name] + $0 } }
    case .array(let elements):
      [[]] + elements.enumerated().flatMap { index, element in element.places.map { [String(index)] + $0 } }
    default: [[]]
    }
  }
}
