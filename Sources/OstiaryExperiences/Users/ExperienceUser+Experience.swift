public import OstiaryCore

/// What joins a user to a runner: give it ``texts`` as its properties, and let the delegate pass on what it is told.
extension ExperienceUser {
  /// What is known of the user, for an experience's texts and for filling in its fields.
  public var texts: [String: JSONValue] { profile.properties.values.mapValues(\.json) }

  /// Notes that a user has logged in or signed up in an experience: from ``ExperienceDelegate/didSignIn(_:)``. The
  /// event of it is not recorded here: the runner tells of it by itself.
  public func admit(_ user: SignedInUser) {
    admit(user.id, ProvidedIdentity(id: "", fields: user.properties).properties)
  }

  /// Records what happened in an experience: from ``ExperienceDelegate/record(_:)``.
  public func record(_ event: ExperienceEvent) {
    record(event.name.rawValue, .standard, event.parameters.mapValues { .string($0) })
  }
}
