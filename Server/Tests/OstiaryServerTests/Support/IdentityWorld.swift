import Foundation
import OstiaryCore

@testable import OstiaryServer

/// An identity service and its sessions over one storage, cheap, with a clock that stands still.
final class IdentityWorld: Sendable {
  let clock: TestClock
  let storage: ServerStorage
  let identity: IdentityService
  let sessions: ServerSessions
  let log = LogRecorder()
  private let hashes: Locked<[HashParameters]>

  static let password = Secret("correct horse battery staple")
  static let cheap = HashParameters.insecureForDevelopmentOnly(memoryKiB: 64, iterations: 1)

  init(
    storage: ServerStorage? = nil, clock: TestClock = TestClock(), parameters: HashParameters = cheap,
    limits: SessionLimits = .standard, equalWork: (any WorkFilling)? = nil,
    _ change: (inout IdentityConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = IdentityConfiguration.standard
    configuration.hashParameters = parameters
    change(&configuration)
    let hashes = Locked<[HashParameters]>([])
    self.hashes = hashes
    self.clock = clock
    self.storage = try storage ?? .forTest()
    identity = try IdentityService(
      storage: self.storage, configuration: configuration, clock: clock, logger: log.logger, equalWork: equalWork,
      hashObserver: { parameters in hashes.withLock { $0.append(parameters) } })
    sessions = ServerSessions(storage: self.storage, limits: limits, clock: clock)
  }

  /// The cost of every hash since the last call.
  func takeHashes() -> [HashParameters] {
    hashes.withLock { hashes in
      defer { hashes = [] }
      return hashes
    }
  }

  func verify(_ name: String, _ password: Secret, from address: String? = nil) async -> LoginDecision {
    await identity.verify(
      username: name, password: password, address: address.flatMap(ClientAddress.init), pathway: "test")
  }
}

extension LoginDecision {
  /// The decision in a word, and the wait in seconds if there is one.
  var summary: String {
    switch self {
    case .accepted: "accepted"
    case .refused: "refused"
    case .wait(let wait): "wait \(wait.components.seconds)"
    case .overloaded: "overloaded"
    case .unavailable(let error): "unavailable \(error.code)"
    }
  }

  var user: User? { if case .accepted(let user) = self { user } else { nil } }
}
