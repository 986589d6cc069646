internal import Foundation

/// Who uses the app, as far as experiences go: what rests on the device between two launches.
///
/// The app's backend knows its users; this knows whether one is here.
public struct UserProfile: Sendable, Hashable, Codable {
  /// Whether a user has signed in.
  public enum Standing: String, Sendable, Hashable, Codable {
    /// No user has signed in on this device yet.
    case new
    /// A user is signed in.
    case loggedIn
    /// A user was signed in, and has logged out.
    case loggedOut
  }

  /// Stands for the user while it is not known who it is, and connects what they did before they signed in with what
  /// they do afterwards. A new one is made whenever it may be another person: at each log-out, and when a user signs in where
  /// one is signed in.
  public private(set) var anonymousID: String
  /// The app's own identifier of the user; `nil` while no user is signed in, or if the app did not say.
  public private(set) var userID: String?
  /// A name to show.
  public var name: String?
  /// What is known of the user.
  public internal(set) var properties = UserProperties()
  /// Whether a user has signed in.
  public private(set) var standing = Standing.new
  /// Whether an experience has been shown on this device by itself.
  public internal(set) var hasSeenExperience = false
  /// Whether another process has put this person in the place of the one who was there, until one signs in or out. It does not
  /// rest with the profile.
  private(set) var isOfAnother = false

  private enum CodingKeys: CodingKey {
    case anonymousID, userID, name, properties, standing, hasSeenExperience
  }

  /// Makes the profile of a new user.
  public init(anonymousID: String = UserProfile.newAnonymousID()) {
    self.anonymousID = anonymousID
  }

  /// Signs a user in, or up.
  /// - Parameters:
  ///   - id: the app's own identifier; `nil`, or an empty one, when the app does not say who it is.
  ///   - anonymousID: stands for the user if it may be another one.
  ///
  /// The properties of a user who was anonymous till now stay with them, and those of a user who signs in again under the
  /// same identifier. Any other who signs in where a user is signed in may be another person, of whom nothing stays: also
  /// one without an identifier, and one who comes after a user without one.
  public mutating func signIn(as id: String?, anonymousID: String = UserProfile.newAnonymousID()) {
    let id = id?.isEmpty == true ? nil : id
    if standing == .loggedIn, id == nil || id != userID { forget(anonymousID) }
    userID = id
    standing = .loggedIn
    isOfAnother = false
  }

  /// Signs the user out: the identifier, the name and every property are gone, and the next user is another one.
  /// - Parameter anonymousID: stands for the next user.
  public mutating func signOut(anonymousID: String = UserProfile.newAnonymousID()) {
    forget(anonymousID)
    standing = .loggedOut
  }

  /// Whether an experience should be shown without having been asked for.
  ///
  /// Where signing in is required, at each launch until a user is signed in; otherwise once on a device, to a new user
  /// (from the vendor's page "User management").
  public func wantsExperience(requiringLogin: Bool) -> Bool {
    if standing == .loggedIn { return false }
    return requiringLogin || !hasSeenExperience
  }

  /// A new name for an unknown user.
  public static func newAnonymousID() -> String { UUID().uuidString.lowercased() }

  private mutating func forget(_ anonymousID: String) {
    isOfAnother = false
    self.anonymousID = anonymousID
    userID = nil
    name = nil
    properties = UserProperties()
  }
}

extension UserProfile: StoredContent {
  var person: String? { anonymousID }

  mutating func takeOver(from former: UserProfile, about person: String?) {
    // Where the store held nothing, each process has made a name for the same unknown user.
    isOfAnother = person != nil && person != anonymousID
  }

  mutating func endTakeOver() { isOfAnother = false }
}

extension UserProfile: CustomStringConvertible, CustomReflectable {
  /// Whether a user is signed in, and the names of the properties; nothing that is about a person.
  public var description: String { "UserProfile(\(standing.rawValue), \(properties))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
