internal import Foundation
internal import OstiaryCore

extension Profile {
  /// The key of the stored session. It contains all values that make a session this profile's: a new profile of the
  /// same name for another server never gets the old one's session.
  var sessionKey: SessionKey {
    let kind = try? ServerKinds.kind(named: kind.rawValue)
    let account = (kind?.options ?? []).filter(\.isPartOfAccount).compactMap { options?[$0.name] }
    return SessionKey((["\(name) \(self.kind) \(server.absoluteString) \(user)"] + account).joined(separator: " "))
  }

  /// Whose it is, for a person: who was to sign in, or who did; empty where neither is known.
  var person: String { user.isEmpty ? username ?? "" : user }

  /// The user's name for a person; the server's name for the user is `id`.
  func name(ofUser id: String) -> String {
    guard (try? ServerKinds.kind(named: kind.rawValue))?.namesUsersByNumber == true else { return id }
    return user.isEmpty ? username ?? id : user
  }

  /// The event in words, with the user's name for a person.
  func words(for event: SessionEvent) -> String {
    let text = CommandWording.event(event.description)
    // Of a sign-in that did not succeed no server has said whose it is; the profile says whose it was to be.
    let asked = person
    guard let id = event.user else { return event.kind == .failed && !asked.isEmpty ? "\(asked): \(text)" : text }
    guard text.hasPrefix(id) else { return text }
    return name(ofUser: id) + text.dropFirst(id.count)
  }

  /// The profile as it can be shown: without the values of secret options.
  var withoutSecrets: Profile {
    let secret = ((try? ServerKinds.kind(named: kind.rawValue))?.options ?? []).filter(\.isSecret).map(\.name)
    var shown = self
    for name in secret where shown.options?[name] != nil { shown.options?[name] = "\(Secret(""))" }
    return shown
  }
}

extension ProfileBook {
  /// The profiles as they can be shown.
  var withoutSecrets: ProfileBook { map(\.withoutSecrets) }
}
