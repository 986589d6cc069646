import Foundation
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import ServiceCore
import TestSupport
import Testing

/// What the vendor's names do.
@Suite("The names of the Embedded Service SDK", .timeLimit(.minutes(20)))
struct ServiceNamesTests {
  @Test("Bug-D05: a configuration has the community, the group and the root category, by either initializer")
  func configuration() throws {
    let community = try #require(URL(string: "https://acme.force.com/customers"))
    let articles = SCSServiceConfiguration(community: community, dataCategoryGroup: "Regions", rootDataCategory: "All")
    #expect(articles.communityURL == community)
    #expect(articles.dataCategoryGroup == "Regions" && articles.rootDataCategory == "All")
    let cases = SCSServiceConfiguration(community: community)
    #expect(cases.communityURL == community && cases.dataCategoryGroup == nil && cases.rootDataCategory == nil)
    cases.language = "de"
    #expect(cases.language == "de" && cases.imageFolderPath == nil)
    let cloud = ServiceCloud(environment: ServiceCoreEnvironment())
    #expect(cloud.serviceConfiguration.communityURL.absoluteString == "about:blank")
    cloud.serviceConfiguration = articles
    #expect(cloud.serviceConfiguration === articles)
  }

  @Test("Bug-D05: registering and unregistering can be awaited")
  func push() async throws {
    let org = try OrgStub()
    defer { org.stop() }
    let settings = try #require(org.settings())
    #expect(try await settings.register(forPushNotifications: Data([0xAB])))
    #expect(settings.isRegisteredForPushNotifications && Array(org.devices.values) == ["ab"])
    #expect(try await settings.unregisterForPushNotifications())
    #expect(org.devices.isEmpty)
    let guest = SCSAuthenticationSettings(guest: nil)
    let error = await #expect(throws: NSError.self) { try await guest.register(forPushNotifications: Data([1])) }
    #expect(
      error?.domain == SCServiceErrorDomain && error?.code == SCServiceErrorCode.authenticationSettingsError.rawValue)
  }

  @Test("Bug-D05: the shared directory can be set, and the codes are the vendor's")
  func values() {
    #expect(ServiceCloud.sharedDataDirectory == nil)
    ServiceCloud.sharedDataDirectory = URL(fileURLWithPath: "/tmp")
    #expect(ServiceCloud.sharedDataDirectory?.path == "/tmp")
    ServiceCloud.sharedDataDirectory = nil
    #expect(SCSKnowledgeErrorCode.allCases.map(\.rawValue) == Array(1...7))
    #expect(
      SCSKnowledgeErrorCode.notAuthenticated.rawValue == 6 && SCSCaseErrorCode.noCaseListNameDefined.rawValue == 1)
    #expect(
      Set([SCServiceErrorDomain, SCSKnowledgeErrorDomain, SCSCaseErrorDomain, SCServiceCloudLoggingErrorDomain]).count
        == 4)
  }

  @Test("Bug-D05: a delegate need not be Sendable, and is not kept alive")
  @MainActor
  func delegate() {
    final class Plain: SCServiceCloudDelegate {
      var count = 0
    }
    let cloud = ServiceCloud(environment: ServiceCoreEnvironment())
    var plain: Plain? = Plain()
    cloud.delegate = plain
    #expect(cloud.delegate === plain)
    plain = nil
    #expect(cloud.delegate == nil)
  }

  @Test("Bug-D05: settings of the app that can't be used make settings and requests fail with the reason")
  @MainActor
  func unusable() async throws {
    let org = try OrgStub()
    defer { org.stop() }
    var environment = ServiceCoreEnvironment()
    environment.problem = { OstiaryError(.invalidInput, "“host” in acme.json is no setting.") }
    let cloud = ServiceCloud(environment: environment)
    let settings = org.settings()
    let error = await withCheckedContinuation { continuation in
      cloud.setAuthenticationSettings(settings, forServiceType: .cases) { continuation.resume(returning: $1) }
    }
    #expect((error as NSError?)?.localizedDescription.contains("“host”") == true)
    let refusal = await #expect(throws: OstiaryError.self) {
      try await cloud.request(path: Stage.cases, forServiceType: .cases)
    }
    #expect(refusal?.message.contains("“host”") == true && org.log.isEmpty)
  }

  @Test("Bug-D05: a version of the interface that is set is used for devices")
  func version() async throws {
    var names = OrgStub.Names()
    names.apiVersion = "61.0"
    let org = try OrgStub(names)
    defer { org.stop() }
    var environment = ServiceCoreEnvironment()
    environment.services.apiVersion = "61.0"
    let answer = org.tokens()
    let dictionary: [SCSOAuth2JSONKey: String] = [
      .accessToken: answer["access_token"] ?? "", .instanceUrl: org.url, .identityUrl: answer["id"] ?? "",
    ]
    let settings = try #require(
      SCSAuthenticationSettings(oauth2: dictionary, clientId: OrgStub.clientID, environment: environment))
    #expect(try await settings.register(forPushNotifications: Data([0xAB])))
    #expect(org.log.last == "POST /services/data/v61.0/sobjects/MobilePushServiceDevice")
  }
}
