import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A server that takes batches of events, and counts each event once.
final class EventIntake: Sendable {
  fileprivate struct State: Sendable {
    var batches: [[String]] = []
    var events: [JSONValue] = []
    var known: Set<String> = []
    var refused: (name: String, status: Int)?
  }

  private let state: Locked<State>
  let transport: ScriptedTransport

  init() {
    let state = Locked(State())
    self.state = state
    transport = ScriptedTransport()
    transport.on(.post, "/v1/events") { request in
      let batch = JSONValue(json: request.body ?? Data())?["batch"]?.array ?? []
      return .status(.init(code: state.withLock { $0.take(batch) }))
    }
  }

  /// Makes the server refuse batches with an event of this name.
  func refuse(_ name: String, _ status: Int) {
    state.withLock { $0.refused = (name, status) }
  }

  /// The identifiers of each batch that was taken.
  var batches: [[String]] { state.withLock { $0.batches } }
  /// The events, each once.
  var events: [JSONValue] { state.withLock { $0.events } }
  var names: [String] { events.compactMap { $0["name"]?.string } }
}

extension EventIntake.State {
  fileprivate mutating func take(_ batch: [JSONValue]) -> Int {
    if let refused, batch.contains(where: { $0["name"]?.string == refused.name }) { return refused.status }
    batches.append(batch.compactMap { $0["id"]?.string })
    for event in batch where known.insert(event["id"]?.string ?? "").inserted { events.append(event) }
    return 202
  }
}
