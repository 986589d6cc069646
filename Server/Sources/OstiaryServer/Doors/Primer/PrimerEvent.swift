import Crypto
import Foundation
import OstiaryCore

/// One event, as it was sent.
struct PrimerEvent: Sendable {
  /// Tells it from all others.
  let id: String
  let name: String
  /// Who it happened to.
  let anonymousID: String
  let userID: String?
  /// The whole event as JSON.
  let text: String

  /// What a client's batch may be in all, so that one large event goes through as well.
  static let mostBytes = 256 << 10
  private static let mostNameBytes = 200

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let name = value["name"]?.string, Self.isName(id), Self.isName(name),
      let anonymous = value["user"]?["anon"]?.string, Self.isName(anonymous),
      let text = try? DoorResponse.json(value).body, text.count <= Self.mostBytes
    else { return nil }
    switch value["user"]?["id"] {
    case nil, .null: userID = nil
    case .string(let user) where Self.isName(user): userID = user
    default: return nil
    }
    self.id = id
    self.name = name
    anonymousID = anonymous
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// Whether a text can name something: neither empty nor long, and nothing in it that can't be seen.
  static func isName(_ text: String) -> Bool {
    (1...mostNameBytes).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isUnprintable)
  }
}
