/// The activity that a client calls to sign in and to ask whether it is signed in.
public enum PegaLoginActivity: String, Sendable, Hashable, Codable, CaseIterable {
  /// Answers the mobile app's configuration with the range of container versions. For Pega 7.2.1 and later.
  case mobileAppConfiguration
  /// Answers the operator's access group. For servers before Pega 7.2.1.
  case accessGroupDetails
}
