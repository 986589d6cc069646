public import Foundation

/// Where an org's services are.
///
/// A drop-in for the class of this name in Salesforce's Embedded Service SDK, as far as requests need it.
public final class SCSServiceConfiguration: NSObject, Sendable {
  /// The community whose services are used; `nil` when there is none.
  public let communityUrl: URL?

  /// Makes a configuration.
  /// - Parameter communityUrl: the address of the community.
  public init(community communityUrl: URL) {
    self.communityUrl = communityUrl
    super.init()
  }

  override init() {
    communityUrl = nil
    super.init()
  }
}
