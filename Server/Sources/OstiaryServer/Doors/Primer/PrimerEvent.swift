import Foundation
import OstiaryCore
import OstiaryExperiences

/// One event, as it was sent. What an event may be is what `EventRules` says, by which clients keep events.
struct PrimerEvent: Sendable {
  /// Identifies the event.
  let id: String
  let name: String
  /// The anonymous id of the user.
  let anonymousID: String
  let userID: String?
  /// The whole event as JSON.
  let text: String

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let name = value["name"]?.string, EventRules.isName(id),
      EventRules.isName(name), let anonymous = value["user"]?["anon"]?.string, EventRules.isName(anonymous),
      let text = try? DoorResponse.json(value).body,
      // Written in another way it may be a little longer or shorter.
      text.count < EventRules.mostBytes / 8 || EventRules.size(of: value) <= EventRules.mostBytes
    else { return nil }
    switch value["user"]?["id"] {
    case nil, .null, .string(""): userID = nil
    case .string(let user) where EventRules.isName(user): userID = user
    default: return nil
    }
    self.id = id
    self.name = name
    anonymousID = anonymous
    self.text = String(decoding: text, as: UTF8.self)
  }
}
