internal import Foundation
internal import OstiaryCore

/// All profiles, and the one that commands use by default.
struct ProfileBook: Sendable, Codable, Equatable {
  /// The profiles in the order in which they were made.
  private(set) var profiles: [Profile] = []
  /// The name of the current one.
  private(set) var current: String?

  /// The profile of that name.
  subscript(name: String) -> Profile? { profiles.first { $0.name == name } }

  /// The gateways that a profile's requests pass, the outermost first.
  /// - Throws: ``OstiaryError`` `unknownProfile` if one is missing, `invalidInput` if they form a circle.
  func gateways(before profile: Profile) throws -> [Profile] {
    try gateways(behind: profile.behind, of: profile.name)
  }

  /// The same for a profile that is still to be made.
  /// - Parameters:
  ///   - next: the gateway in front of it, if there is one.
  ///   - profile: its name, if it has one.
  func gateways(behind next: String?, of profile: String?) throws -> [Profile] {
    var gateways: [Profile] = []
    var next = next
    while let name = next {
      guard let gateway = self[name] else { throw Self.unknown(name, among: profiles) }
      guard name != profile, !gateways.contains(where: { $0.name == name }) else {
        throw OstiaryError.usage(ProfileMessage.behindEachOther(profile ?? name, name))
      }
      gateways.insert(gateway, at: 0)
      next = gateway.behind
    }
    return gateways
  }

  /// The same book with a change made to each profile.
  func map(_ change: (Profile) -> Profile) -> ProfileBook {
    var book = self
    book.profiles = profiles.map(change)
    return book
  }

  /// The profiles whose requests pass this gateway first.
  func profiles(behind name: String) -> [Profile] { profiles.filter { $0.behind == name } }

  /// The name of a profile that is made without one. Servers of several kinds may have one address, and one user.
  func newName(user: String, server: URL, kind: AuthenticatorKind) -> String {
    let usual = Profile.defaultName(user: user, server: server, kind: kind)
    guard let other = self[usual], other.kind != kind else { return usual }
    return Profile.defaultName(user: user, server: server, kind: kind, isOneOfSeveral: true)
  }

  /// Adds a profile, or replaces the one of its name, and makes it the current one.
  mutating func put(_ profile: Profile) {
    if let index = profiles.firstIndex(where: { $0.name == profile.name }) {
      profiles[index] = profile
    } else {
      profiles.append(profile)
    }
    current = profile.name
  }

  /// Makes a profile the current one.
  mutating func use(_ name: String) throws {
    guard self[name] != nil else { throw Self.unknown(name, among: profiles) }
    current = name
  }

  /// Removes a profile. If it was the current one, no other takes its place: the next command reports that instead of
  /// using a wrong account.
  mutating func remove(_ name: String) throws {
    guard self[name] != nil else { throw Self.unknown(name, among: profiles) }
    profiles.removeAll { $0.name == name }
    if current == name { current = nil }
  }

  /// The profile named, or the current one.
  /// - Throws: ``OstiaryError`` `unknownProfile`.
  func profile(named name: String?) throws -> Profile {
    if let name {
      guard let profile = self[name] else { throw Self.unknown(name, among: profiles) }
      return profile
    }
    if let current, let profile = self[current] { return profile }
    guard !profiles.isEmpty else {
      throw OstiaryError(.unknownProfile, ProfileMessage.noneYet, disposition: .misuse)
    }
    throw OstiaryError(
      .unknownProfile, ProfileMessage.noneCurrent(known: profiles.map(\.name)), disposition: .misuse)
  }

  private static func unknown(_ name: String, among profiles: [Profile]) -> OstiaryError {
    OstiaryError(.unknownProfile, ProfileMessage.unknown(name, known: profiles.map(\.name)), disposition: .misuse)
  }
}
