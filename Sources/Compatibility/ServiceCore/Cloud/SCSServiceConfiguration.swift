public import Foundation
internal import OstiarySalesforce

/// A part of Service Cloud that has authentication settings of its own.
///
/// See the vendor's page "Authentication". The strings behind the names were never published.
public struct SCServiceType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Case Management.
  public static let cases = SCServiceType(rawValue: SalesforceServiceType.cases.rawValue)
  /// Knowledge.
  public static let knowledge = SCServiceType(rawValue: SalesforceServiceType.knowledge.rawValue)

  /// The same, as the module below calls it.
  var service: SalesforceServiceType { SalesforceServiceType(rawValue: rawValue) }

  init(_ service: SalesforceServiceType) {
    self.init(rawValue: service.rawValue)
  }
}

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
