internal import Foundation

/// Who uses the app, as far as experiences go: what rests on the device between two launches.
///
/// The app's backend knows its users; this knows whether one is here.
public struct UserProfile: Sendable, Hashable, Codable {
  /// Whether somebody has signed in.
  public enum Standing: String, Sendable, Hashable, Codable {
    /// Nobody has signed in on this device yet.
    case new
    /// Somebody is signed in.
    case loggedIn
    /// Somebody was, and has logged out.
    case loggedOut
  }

  /// Stands for the user while nobody knows who it is, and connects what they did before they signed in with what they do
  /// afterwards. A new one is made at each log-out.
  public private(set) var anonymousID: String
  /// The app's own identifier of the user; `nil` while nobody is signed in, or if the app did not say.
  public private(set) var userID: String?
  /// A name to show.
  public var name: String?
  /// What is known of the user.
  public internal(set) var properties = UserProperties()
  /// Whether somebody has signed in.
  public private(set) var standing = Standing.new
  /// Whether an experience has been shown on this device by itself.
  public internal(set) var hasSeenExperience = false

  /// Makes the profile of somebody who is new.
  public init(anonymousID: String = UserProfile.newAnonymousID()) {
    self.anonymousID = anonymousID
  }

  /// Signs a user in, or up.
  /// - Parameters:
  ///   - id: the app's own identifier; `nil` keeps what is known.
  ///   - anonymousID: stands for the user if it is another one.
  ///
  /// What is known of somebody who was nobody till now stays with them. Where somebody else was signed in, nothing of theirs
  /// stays.
  public mutating func signIn(as id: String?, anonymousID: String = UserProfile.newAnonymousID()) {
    if let id, let userID, id != userID { forget(anonymousID) }
    userID = id ?? userID
    standing = .loggedIn
  }

  /// Signs the user out: the identifier, the name and every property are gone, and whoever comes next is somebody else.
  /// - Parameter anonymousID: stands for whoever comes next.
  public mutating func signOut(anonymousID: String = UserProfile.newAnonymousID()) {
    forget(anonymousID)
    standing = .loggedOut
  }

  /// Whether an experience should be shown without having been asked for.
  ///
  /// Where signing in is required, at each launch until somebody is signed in; otherwise once on a device, to somebody who
  /// is new (from the vendor's page "User management").
  public func wantsExperience(requiringLogin: Bool) -> Bool {
    if standing == .loggedIn { return false }
    return requiringLogin || !hasSeenExperience
  }

  /// A new name for somebody whom nobody knows.
  public static func newAnonymousID() -> String { UUID().uuidString.lowercased() }

  private mutating func forget(_ anonymousID: String) {
    self.anonymousID = anonymousID
    userID = nil
    name = nil
    properties = UserProperties()
  }
}

extension UserProfile: CustomStringConvertible, CustomReflectable {
  /// Whether somebody is signed in, and the names of the properties; nothing that is about a person.
  public var description: String { "UserProfile(\(standing.rawValue), \(properties))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
