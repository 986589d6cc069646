/// What has changed about the accounts.
///
/// A drop-in for the options of this name in Salesforce's Mobile SDK.
public struct SFUserAccountChange: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Something else.
  public static let unknown = SFUserAccountChange(rawValue: 1 << 0)
  /// There is a new user.
  public static let newUser = SFUserAccountChange(rawValue: 1 << 1)
  /// Another user is the current one.
  public static let currentUser = SFUserAccountChange(rawValue: 1 << 2)
}

/// What has changed about an account.
///
/// A drop-in for the options of this name in Salesforce's Mobile SDK.
public struct SFUserAccountDataChange: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Something else.
  public static let unknown = SFUserAccountDataChange(rawValue: 1 << 0)
  /// The community.
  public static let communityId = SFUserAccountDataChange(rawValue: 1 << 1)
  /// What the server says of the user.
  public static let idData = SFUserAccountDataChange(rawValue: 1 << 2)
  /// Where the org is.
  public static let instanceURL = SFUserAccountDataChange(rawValue: 1 << 3)
  /// The access token.
  public static let accessToken = SFUserAccountDataChange(rawValue: 1 << 4)
}
