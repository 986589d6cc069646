/// Something that happened in an experience, without anything that the user has entered.
public struct ExperienceEvent: Sendable, Hashable {
  /// What happened.
  public var name: Name
  /// More about it: ids of flow, screen and action, names of permissions and providers.
  public var parameters: [String: String]

  /// Makes an event.
  public init(_ name: Name, _ parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// What happened. An open set.
  public struct Name: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// A flow has begun.
    public static let flowStarted = Self(rawValue: "flow_started")
    /// A flow was submitted and accepted, or a custom one came to its end.
    public static let flowCompleted = Self(rawValue: "flow_completed")
    /// The user left the flow on purpose.
    public static let flowSkipped = Self(rawValue: "flow_skipped")
    /// A screen was shown.
    public static let screenDisplayed = Self(rawValue: "screen_displayed")
    /// An action was used.
    public static let actionTapped = Self(rawValue: "action_tapped")
    /// A user signed up.
    public static let signUp = Self(rawValue: "sign_up")
    /// A user logged in.
    public static let login = Self(rawValue: "login")
    /// A user logged in with a provider.
    public static let providerLogin = Self(rawValue: "provider_login")
    /// A permission is being asked for.
    public static let permissionRequested = Self(rawValue: "permission_requested")
    /// It was granted.
    public static let permissionGranted = Self(rawValue: "permission_granted")
    /// It was denied.
    public static let permissionDenied = Self(rawValue: "permission_denied")
  }
}
