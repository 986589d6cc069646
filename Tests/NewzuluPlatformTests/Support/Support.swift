import Dispatch
import Foundation
import HTTPTypes
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport

/// Waits for the one call of a pair of completion blocks, and counts every one.
final class Calls<Value: Sendable>: Sendable {
  private let seen = Locked<[Result<Value, NewzuluError>]>([])
  private let gate = Gate()

  var count: Int { seen.withLock { $0.count } }

  func note(_ result: Result<Value, NewzuluError>) {
    seen.withLock { $0.append(result) }
    gate.open()
  }

  func first() async throws -> Result<Value, NewzuluError>? {
    try await gate.pass()
    return seen.withLock { $0.first }
  }
}

extension NewzuluStub {
  func platform(
    baseURL: URL? = nil, configuration: NewzuluConfiguration = NewzuluConfiguration()
  ) -> PlatformClient {
    let environment = NewzuluEnvironment(transport: transport, configuration: configuration)
    let client = PlatformClient(
      apiKey: Self.key.reveal(), vhost: "206", baseURL: baseURL ?? url, environment: environment)
    client.completionQueue = DispatchQueue(label: "completions")
    return client
  }
}

extension PlatformClient {
  func setAnn(_ store: any NewzuluCore.SessionStore = EphemeralSessionStore()) {
    setCredentials(email: "ann@example.com", password: "apple", sessionStore: store)
  }

  func authenticate(_ calls: Calls<NewzuluCore.Session>) {
    authenticate(onSuccess: { calls.note(.success($0)) }, onError: { calls.note(.failure($0)) })
  }

  func authenticated() async throws -> Result<NewzuluCore.Session, NewzuluError>? {
    let calls = Calls<NewzuluCore.Session>()
    authenticate(calls)
    return try await calls.first()
  }

  func listed() async throws -> Result<NewzuluFileList, NewzuluError>? {
    let calls = Calls<NewzuluFileList>()
    getFiles(onSuccess: { calls.note(.success($0)) }, onError: { calls.note(.failure($0)) })
    return try await calls.first()
  }

  /// Waits until what the store held is known.
  func waitForSession() async throws {
    try await waitUntil { currentSession != nil }
  }
}

/// A response that says it is JSON.
func json(_ text: String) -> TransportResponse {
  TransportResponse(
    HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: Data(text.utf8))
}

extension Result where Failure == NewzuluError {
  var reason: NewzuluError.Reason? { if case .failure(let error) = self { error.reason } else { nil } }
  var value: Success? { try? get() }
}
