internal import OstiaryCore

extension ProfileBook {
  /// Adds a profile that was signed in to, unless its name has been given to another account since the sign-in began: no
  /// command could reach the session of one of them.
  /// - Parameter previous: the profile of that name when the sign-in began.
  /// - Throws: ``OstiaryError`` `alreadySignedIn`.
  mutating func put(_ profile: Profile, replacing previous: Profile?) throws {
    if let now = self[profile.name], now.sessionKey != profile.sessionKey, now != previous {
      throw OstiaryError(
        .alreadySignedIn, LoginMessage.profileMadeMeanwhile(profile: now.name, place: now.place))
    }
    put(profile)
  }
}
