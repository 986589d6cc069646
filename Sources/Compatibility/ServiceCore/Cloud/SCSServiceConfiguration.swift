public import Foundation
internal import Ostiary
internal import OstiarySalesforce
internal import SalesforceSDKCore

/// A part of Service Cloud that has authentication settings of its own.
///
/// See the vendor's page "Authentication". The strings behind the names were never published.
public struct SCServiceType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Case Management.
  public static let cases = SCServiceType(rawValue: SalesforceSDKName.cases.current)
  /// Knowledge.
  public static let knowledge = SCServiceType(rawValue: SalesforceSDKName.knowledge.current)

  /// The same, as the module below calls it.
  var service: SalesforceServiceType { SalesforceServiceType(rawValue: rawValue) }

  init(_ service: SalesforceServiceType) {
    self.init(rawValue: service.rawValue)
  }
}

/// Where an org's services are.
///
/// A drop-in for the class of this name in Salesforce's Embedded Service SDK, as far as requests need it. What belongs to the vendor's
/// screens is kept for code that sets it.
public final class SCSServiceConfiguration: NSObject, Sendable {
  /// The community whose services are used, if the app has named one.
  let site: URL?
  /// The community whose services are used; `about:blank` when the app has named none.
  public var communityURL: URL { site ?? Self.none }
  /// The group of data categories whose articles are shown.
  public let dataCategoryGroup: String?
  /// The data category that articles are shown from.
  public let rootDataCategory: String?

  private struct Screens: Sendable {
    var language: String?
    var imageFolderPath: String?
  }
  private let screens = Locked(Screens())
  private static let none = URL(string: "about:blank") ?? URL(fileURLWithPath: "/")

  /// Makes a configuration.
  /// - Parameter communityUrl: the address of the community.
  public convenience init(community communityUrl: URL) {
    self.init(site: communityUrl, dataCategoryGroup: nil, rootDataCategory: nil)
  }

  /// Makes a configuration for articles.
  /// - Parameters:
  ///   - communityURL: the address of the community.
  ///   - dataCategoryGroup: the group of data categories.
  ///   - rootDataCategory: the data category to begin at.
  public convenience init(community communityURL: URL, dataCategoryGroup: String, rootDataCategory: String) {
    self.init(site: communityURL, dataCategoryGroup: dataCategoryGroup, rootDataCategory: rootDataCategory)
  }

  override convenience init() { self.init(site: nil, dataCategoryGroup: nil, rootDataCategory: nil) }

  private init(site: URL?, dataCategoryGroup: String?, rootDataCategory: String?) {
    self.site = site
    self.dataCategoryGroup = dataCategoryGroup
    self.rootDataCategory = rootDataCategory
    super.init()
  }

  /// The language of articles. It has no effect: requests name their own.
  public var language: String? {
    get { screens.withLock { $0.language } }
    set { screens.withLock { $0.language = newValue } }
  }
  /// Where the screens' pictures are. It has no effect: there are no screens.
  public var imageFolderPath: String? {
    get { screens.withLock { $0.imageFolderPath } }
    set { screens.withLock { $0.imageFolderPath = newValue } }
  }
}
