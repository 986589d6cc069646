internal import Foundation
internal import OstiaryCore

extension Profile {
  /// Where the session rests. It names everything that makes a session this profile's, so that a profile that is made
  /// anew for another server never meets the old one's session.
  var sessionKey: SessionKey {
    let kind = try? ServerKinds.kind(named: kind.rawValue)
    let account = (kind?.options ?? []).filter(\.isPartOfAccount).compactMap { options?[$0.name] }
    return SessionKey((["\(name) \(self.kind) \(server.absoluteString) \(user)"] + account).joined(separator: " "))
  }

  /// What a person calls the user whom the server calls `id`.
  func name(ofUser id: String) -> String {
    guard (try? ServerKinds.kind(named: kind.rawValue))?.namesUsersByNumber == true else { return id }
    return user.isEmpty ? username ?? id : user
  }

  /// What happened, with the user's name for a person.
  func words(for event: SessionEvent) -> String {
    let text = event.description
    guard let id = event.user, text.hasPrefix(id) else { return text }
    return name(ofUser: id) + text.dropFirst(id.count)
  }
}
