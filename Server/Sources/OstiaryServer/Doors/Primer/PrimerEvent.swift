import Crypto
import Foundation
import OstiaryCore

/// One event, as it was sent.
struct PrimerEvent: Sendable {
  /// Identifies the event.
  let id: String
  let name: String
  /// The anonymous id of the user.
  let anonymousID: String
  let userID: String?
  /// The whole event as JSON.
  let text: String

  /// The most bytes of an event, as many as a client's batch may have: one large event is accepted as well.
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

  /// Whether a text can be a name: neither empty nor long, and without invisible characters.
  static func isName(_ text: String) -> Bool {
    (1...mostNameBytes).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isUnprintable)
  }
}
