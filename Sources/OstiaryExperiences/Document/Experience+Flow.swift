extension Experience {
  /// Screens that lead to one submission.
  public struct Flow: Sendable, Hashable {
    /// Names the flow within its experience.
    public var id: String
    /// What is submitted at its end.
    public var kind: Kind
    /// The screens, in their order.
    public var screens: [Screen]
    /// What happens when the flow has succeeded; `nil` closes the experience. For a log-in or sign-up it is always closed.
    public var onSuccess: Move?

    /// Makes a flow.
    public init(id: String, kind: Kind, screens: [Screen], onSuccess: Move? = nil) {
      self.id = id
      self.kind = kind
      self.screens = screens
      self.onSuccess = onSuccess
    }

    /// What a flow is for.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// Logs a known user in.
      case login
      /// Makes a new user.
      case signUp
      /// Helps a user who has forgotten the password.
      case recoverPassword
      /// Anything else; its fields are told when the experience closes.
      case custom
    }

    /// The screen with this id.
    public func screen(_ id: String) -> Screen? { screens.first { $0.id == id } }

    /// The fields of all screens, in their order.
    public var fields: [Field] { screens.flatMap(\.fields) }
  }
}
