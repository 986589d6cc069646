import Dispatch
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// A server on a real socket that takes events from several processes, each event once. It loses requests and answers, is
/// overloaded, exchanges the app's token, and kills the process that asks, as a seed says.
final class EventServer: Sendable {
  fileprivate struct State: Sendable {
    var generator: SplitMix64
    var requests = 0
    /// The names of the events that were taken, by their ids.
    var taken: [String: String] = [:]
    /// What must not be, a sentence each.
    var faults: [String] = []
    var processes: [String: ChildProcess] = [:]
    var isCalm = false
  }

  private let state: Locked<State>
  private let socket: LoopbackServer
  /// Held while a process is started, so that no request comes before its sender is known.
  private let starting: DispatchSemaphore
  /// The request from which on only the second token is taken.
  fileprivate static let newTokenAt = 6

  init(seed: UInt64) throws {
    let state = Locked(State(generator: SplitMix64(seed: seed)))
    let starting = DispatchSemaphore(value: 1)
    self.state = state
    self.starting = starting
    socket = try LoopbackServer { request in
      starting.wait()
      starting.signal()
      return state.withLock { $0.answer(request) }
    }
  }

  deinit { socket.stop() }

  var url: URL { socket.url("/v1/events") }
  /// The names of the events that were taken, by their ids.
  var taken: [String: String] { state.withLock { $0.taken } }
  /// What must not be, a sentence each.
  var faults: [String] { state.withLock { $0.faults } }

  /// Does nothing wrong from now on, and takes the second token alone.
  func calmDown() { state.withLock { $0.isCalm = true } }

  func start(_ settings: TrackerSettings) throws -> ChildProcess {
    starting.wait()
    defer { starting.signal() }
    let arguments = ["track", String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)]
    let process = try ChildProcess(Worker.program(), arguments)
    state.withLock { $0.processes[settings.name] = process }
    return process
  }
}

extension EventServer.State {
  fileprivate mutating func answer(_ request: LoopbackServer.Request) -> [LoopbackServer.Action] {
    requests += 1
    func field(_ name: String) -> String? {
      request.fields.first { $0.name.rawName.lowercased() == name.lowercased() }?.value
    }
    let isNew = isCalm || requests >= EventServer.newTokenAt
    let token = field(TrackerSettings.tokenField)
    guard token == TrackerSettings.tokens[isNew ? 1 : 0] else { return [.response(401)] }
    let fate = isCalm ? 9 : Int.random(in: 0..<10, using: &generator)
    // Lost on its way; too much to do.
    if fate == 0 { return [.close] }
    if fate == 1 { return [.response(503)] }
    guard let batch = JSONValue(json: request.body)?["batch"]?.array, !batch.isEmpty else {
      faults.append("A batch that is none: \(String(decoding: request.body.prefix(80), as: UTF8.self))")
      return [.response(400)]
    }
    for event in batch { take(event) }
    // Taken, and the answer lost; or the process gone before it has noted the answer.
    if fate == 2 { return [.close] }
    if fate == 3, let sender = field(TrackerSettings.senderField), let process = processes[sender] {
      process.kill()
      return [.close]
    }
    return [.response(202)]
  }

  private mutating func take(_ event: JSONValue) {
    guard let id = event["id"]?.string, UUID(uuidString: id) != nil, let name = event["name"]?.string else {
      return faults.append("An event without a UUID and a name.")
    }
    if let known = taken[id], known != name { faults.append("\(id) is \(known) and \(name).") }
    if taken[id] == nil, taken.values.contains(name) { faults.append("\(name) has two identifiers.") }
    taken[id] = name
  }
}
