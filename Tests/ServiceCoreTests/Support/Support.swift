import Foundation
import Ostiary
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import ServiceCore
import TestSupport
import Testing

/// A delegate that says what it is told to, and notes what it is asked in the org's log.
@MainActor
final class Handler: SCServiceCloudDelegate {
  typealias Completion = @Sendable (SCSAuthenticationSettings?) -> Void

  let org: OrgStub
  /// Answers the question for settings.
  var answer: (SCServiceType, @escaping Completion) -> Bool = { _, _ in false }
  /// Whether to be asked again after a failure.
  var isToBeAskedAgain = false
  private(set) var errors: [NSError] = []

  init(_ org: OrgStub) {
    self.org = org
  }

  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping Completion
  ) -> Bool {
    org.note("ask \(service.rawValue)")
    return answer(service, completion)
  }

  func serviceCloud(
    _ serviceCloud: ServiceCloud, authenticationFailed error: any Error, forServiceType service: SCServiceType
  ) -> Bool {
    errors.append(error as NSError)
    org.note("failed \(service.rawValue) \((error as NSError).code)")
    return isToBeAskedAgain
  }
}

/// A cloud of its own with an org of its own.
@MainActor
struct Stage {
  let org: OrgStub
  let cloud: ServiceCloud
  let handler: Handler

  nonisolated static let cases = "/services/data/v58.0/sobjects/Case"
  nonisolated static let verification = "GET /id/\(OrgStub.orgID)/\(OrgStub.annID)"
  nonisolated static let list = "GET \(cases)"

  static func with(_ body: (Stage) async throws -> Void) async throws {
    let org = try OrgStub()
    defer { org.stop() }
    let stage = Stage(org: org, cloud: ServiceCloud(environment: ServiceCoreEnvironment()), handler: Handler(org))
    stage.cloud.delegate = stage.handler
    try await body(stage)
  }

  /// Settings of a token that the org has just given.
  func settings(refreshable: Bool = false) -> SCSAuthenticationSettings? { org.settings(refreshable: refreshable) }

  func set(
    _ settings: SCSAuthenticationSettings?, _ service: SCServiceType = .cases
  ) async -> (success: Bool, error: NSError?) {
    await withCheckedContinuation { continuation in
      cloud.setAuthenticationSettings(settings, forServiceType: service) { success, error in
        continuation.resume(returning: (success, error.map { $0 as NSError }))
      }
    }
  }

  /// The cases' status; throws what the completion block gets.
  @discardableResult
  func list(_ service: SCServiceType = .cases) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      cloud.request(path: Self.cases, forServiceType: service) { response, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: response?.statusCode ?? 0)
        }
      }
    }
  }
}

extension Stage {
  /// Checks that the cases can be read.
  func expectList(_ service: SCServiceType = .cases, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let status = try await list(service)
    #expect(status == 200, sourceLocation: sourceLocation)
  }
}

extension OrgStub {
  /// Settings of a token that the org has just given.
  func settings(of user: String = OrgStub.annID, refreshable: Bool = false) -> SCSAuthenticationSettings? {
    let answer = tokens(of: user, refreshable: refreshable)
    return SCSAuthenticationSettings(
      oauth2: Dictionary(uniqueKeysWithValues: answer.map { (SCSOAuth2JSONKey(rawValue: $0.key), $0.value) }),
      clientId: OrgStub.clientID)
  }

  /// An account of the Mobile SDK that has just logged in.
  func account() async throws -> SFUserAccount {
    let store = EphemeralStore()
    let manager = SFUserAccountManager(environment: SFEnvironment(transport: PlatformTransport(), store: { store }))
    manager.oauthClientId = Self.clientID
    manager.loginHost = url
    manager.authorizationFlow = Self.flow(tokens(refreshable: true))
    return try await withCheckedThrowingContinuation { continuation in
      let hasBegun = manager.login { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
      #expect(hasBegun)
    }
  }
}

/// A delegate of the time when accounts were asked for.
@MainActor
final class OlderHandler: SCServiceCloudDelegate {
  let org: OrgStub
  /// What it answers.
  var account: SFUserAccount?

  init(_ org: OrgStub) {
    self.org = org
  }

  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateService service: SCServiceType,
    completion: @escaping @Sendable (SFUserAccount?) -> Void
  ) -> Bool {
    org.note("older ask \(service.rawValue)")
    completion(account)
    return true
  }

  func serviceCloud(_ serviceCloud: ServiceCloud, serviceAuthenticationFailedWithError error: any Error) {
    org.note("older failed \((error as NSError).code)")
  }
}
