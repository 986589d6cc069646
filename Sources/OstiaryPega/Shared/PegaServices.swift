package import Foundation
internal import OstiaryCore

/// The services of all objects of a process, and the order of their calls: those for one server are made one at a time, in the order
/// in which they were made, whichever object they were made on.
///
/// A log-off cancels the logins before it, of every object: what the server has begun for one of them is ended.
package final class PegaServices: Sendable {
  /// What makes two services the same.
  private struct Key: Hashable {
    let address: PegaAddress
    let activity: PegaLoginActivity
    let settings: PegaSettings
  }

  /// The calls for one server.
  private struct Lane {
    var services: [Key: PegaService] = [:]
    /// The call that the next one waits for.
    var last: (id: UUID, task: Task<Void, Never>)?
    var logins: [UUID: (task: Task<Void, Never>, service: PegaService)] = [:]
  }

  /// By the context's address; calls without an address have a lane, too.
  private let lanes = Locked<[String: Lane]>([:])

  /// Makes the place for a process's services.
  package init() {}

  /// Begins a call when every call before it for the same server is done.
  /// - Parameters:
  ///   - server: the address that the app gives.
  ///   - kind: what the call does to others.
  ///   - work: the call.
  ///   - completion: gets the outcome, once.
  package func begin<Value: Sendable>(
    at server: URL?, by activity: PegaLoginActivity, in environment: PegaEnvironment, as kind: Kind = .question,
    _ work: @escaping @Sendable (PegaService) async throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) async -> Void
  ) {
    let address = Result { try environment.address(of: server) }
    let lane = (try? address.get()).map { $0.origin.description + $0.contextPath } ?? ""
    let id = UUID()
    lanes.withLock { lanes in
      let service = Result {
        try self.service(
          Key(address: address.get(), activity: activity, settings: environment.knownSettings),
          in: environment, of: &lanes[lane, default: Lane()])
      }
      var overtaken: [PegaService] = []
      if kind == .logOff {
        for login in lanes[lane, default: Lane()].logins.values {
          login.task.cancel()
          overtaken.append(login.service)
        }
      }
      let before = lanes[lane]?.last?.task
      let call = CapturedCall(.success(service)).start { [overtaken] service in
        await before?.value
        let service = try service.get()
        // The sign-in of another object's login may still be on its way, for no caller.
        for other in overtaken where other !== service { await other.manager.signOut() }
        return try await work(service)
      } completion: { [self] result in
        leave(lane, id)
        await completion(result)
      }
      lanes[lane, default: Lane()].last = (id, call)
      if kind == .login, let service = try? service.get() { lanes[lane]?.logins[id] = (call, service) }
    }
  }

  /// What a call does to others.
  package enum Kind: Sendable {
    /// Nothing.
    case question
    /// It can be cancelled by a log-off.
    case login
    /// It cancels logins.
    case logOff
  }

  private func service(_ key: Key, in environment: PegaEnvironment, of lane: inout Lane) throws -> PegaService {
    if let service = lane.services[key] { return service }
    let service = try PegaService(server: key.address, activity: key.activity, environment: environment)
    lane.services[key] = service
    return service
  }

  private func leave(_ lane: String, _ id: UUID) {
    lanes.withLock { lanes in
      lanes[lane]?.logins[id] = nil
      if lanes[lane]?.last?.id == id { lanes[lane]?.last = nil }
    }
  }
}
