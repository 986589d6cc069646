public import Foundation
public import OstiaryCore

/// Something that happened, to be told to a server.
public struct UserEvent: Sendable, Hashable, Codable, Identifiable {
  /// Whose doing an event is.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// One that the SDK makes.
    public static let standard = Kind(rawValue: "standard")
    /// One of the app's own.
    public static let custom = Kind(rawValue: "custom")
  }

  /// Who it happened to, as known at that moment.
  public struct Subject: Sendable, Hashable, Codable {
    /// See ``UserProfile/anonymousID``.
    public var anonymousID: String
    /// See ``UserProfile/userID``.
    public var userID: String?
    /// What was known of the user.
    public var properties: UserProperties

    /// The user of a profile.
    public init(_ profile: UserProfile) {
      anonymousID = profile.anonymousID
      userID = profile.userID
      properties = profile.properties
    }
  }

  /// Tells this event from all others: a server that gets it twice counts it once, also when the program was ended in
  /// between.
  public let id: String
  /// What happened.
  public let name: String
  /// Whose doing it is.
  public let kind: Kind
  /// When it happened, by this device's clock.
  public let date: Date
  /// What else is to be said of it.
  public var parameters: [String: PropertyValue]
  /// Who it happened to.
  public var subject: Subject

  /// Makes an event.
  public init(
    id: String = UUID().uuidString.lowercased(), _ name: String, kind: Kind = .standard, date: Date,
    parameters: [String: PropertyValue] = [:], subject: Subject
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.date = date
    self.parameters = parameters
    self.subject = subject
  }

  /// The event without what tells who a person is: personal parameters and properties, a user's identifier that has an e-mail
  /// address or a telephone number in it, and such a name, in whose place is `(personal)`.
  public func sanitized(_ personal: PersonalData) -> UserEvent {
    var event = UserEvent(
      id: id, PersonalData.shown(name), kind: kind, date: date, parameters: personal.removed(from: parameters),
      subject: subject)
    event.subject.properties = subject.properties.sanitized(personal)
    if let id = subject.userID, PersonalData.tells(id) { event.subject.userID = nil }
    return event
  }

  /// The event as servers get it.
  public var json: JSONValue {
    var user: [String: JSONValue] = [
      "anon": .string(subject.anonymousID), "props": .object(subject.properties.values.mapValues(\.json)),
    ]
    if let id = subject.userID { user["id"] = .string(id) }
    return .object([
      "id": .string(id), "name": .string(name), "type": .string(kind.rawValue), "ts": PropertyValue.date(date).json,
      "params": .object(parameters.mapValues(\.json)), "user": .object(user),
    ])
  }
}

extension UserEvent: CustomStringConvertible, CustomReflectable {
  /// What happened, not to whom. A name that tells who a person is is not shown.
  public var description: String { "UserEvent(\(PersonalData.shown(name)), \(PersonalData.shown(id)))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension UserEvent.Subject: CustomStringConvertible, CustomReflectable {
  /// Whether a user is signed in, and the names of the properties; nothing that is about a person.
  public var description: String { "Subject(\(userID == nil ? "no identifier" : "identified"), \(properties))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension UserEvent {
  /// The events that are about the user. Those of an experience have names of their own. The vendor of Primer published
  /// its constants, not their texts; these are Ostiary's.
  public enum Name {
    /// A launch of the app.
    public static let sessionStarted = "session_started"
    /// A user has signed up.
    public static let signUp = "sign_up"
    /// A user has logged in.
    public static let login = "login"
    /// A user has logged in with a provider.
    public static let providerLogin = "provider_login"
    /// A user has logged out.
    public static let logout = "logout"
  }
}
