import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A process of its own, as far as authenticators can tell: a server, a store, a cookie storage.
struct World: Sendable {
  let stub: PegaStub
  let storage: HTTPCookieStorage
  var environment: PegaEnvironment

  init(_ stub: PegaStub = PegaStub()) {
    self.stub = stub
    // No other test has a storage of this name.
    storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: UUID().uuidString)
    environment = PegaEnvironment(
      transport: stub.transport, cookies: SharedCookies(storage), configuration: .vendor)
  }

  func authenticator(_ url: URL? = nil) -> PMPegaAuthenticator {
    PMPegaAuthenticator(serverURL: url ?? stub.url, environment: environment)
  }

  /// The storage's cookies, as `name path`.
  var cookies: [String] {
    (storage.cookies ?? []).filter { !$0.value.isEmpty }.map { "\($0.name) \($0.path)" }.sorted()
  }

  /// The session cookie's values.
  var sessionValues: [String] {
    (storage.cookies ?? []).filter { $0.name == "Pega-RULES" && !$0.value.isEmpty }.map(\.value)
  }

  /// Puts in a cookie as the app's own requests would.
  func set(_ name: String, _ value: String, path: String = "/prweb", host: String = "pega.test") {
    let properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .path: path, .domain: host]
    if let cookie = HTTPCookie(properties: properties) { storage.setCookie(cookie) }
  }
}

/// What a completion handler got, in a form that crosses tasks.
struct Completion: Sendable {
  var isSuccess = false
  var json: [String: String]?
  var code: PMAuthenticationError?
  var domain: String?
  var message: String?
  var dump = ""

  init(_ isSuccess: Bool, _ json: [String: Any]?, _ error: (any Error)?) {
    self.isSuccess = isSuccess
    self.json = json?.mapValues { String(describing: $0) }
    if let error = error as NSError? {
      code = PMAuthenticationError(rawValue: error.code)
      domain = error.domain
      message = error.localizedDescription
      Swift.dump(error.userInfo, to: &dump)
      dump += "\(error) \(error.userInfo) \(error.localizedDescription)"
    }
    if let json { Swift.dump(json, to: &dump) }
  }
}

/// Counts the calls of a completion handler and waits for the first.
final class Calls: Sendable {
  private let seen = Locked<[Completion]>([])
  private let gate = Gate()

  var count: Int { seen.withLock { $0.count } }

  func note(_ completion: Completion) {
    seen.withLock { $0.append(completion) }
    gate.open()
  }

  func first() async throws -> Completion {
    try await gate.pass()
    return seen.withLock { $0.first } ?? Completion(false, nil, nil)
  }
}

extension PMPegaAuthenticator {
  func logIn(_ username: String? = "jdoe", _ password: String? = "secret") async throws -> Completion {
    let calls = Calls()
    logIn(withUsername: username, password: password) { json, error in calls.note(Completion(json != nil, json, error))
    }
    return try await calls.first()
  }

  func logOffResult() async throws -> Completion {
    let calls = Calls()
    logOff { error in calls.note(Completion(error == nil, nil, error)) }
    return try await calls.first()
  }

  func isLoggedInResult() async throws -> Completion {
    let calls = Calls()
    isLoggedIn { isSuccess, json, error in calls.note(Completion(isSuccess, json, error)) }
    return try await calls.first()
  }
}
