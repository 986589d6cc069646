import Foundation
import OstiaryCore
import Primer

/// The app's own server, in the samples: answers on a queue of its own, as one would.
final class Backend: Sendable {
  private struct State: Sendable {
    var calls: [String] = []
    var result: PMRValidationResult?
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "backend")

  /// What was called, with the fields' names.
  var calls: [String] { state.withLock { $0.calls } }

  /// What comes out of the next checks.
  func answer(_ result: PMRValidationResult?) {
    state.withLock { $0.result = result }
  }

  func note(_ name: String, _ fields: [String: Any]) {
    let call = "\(name) \(fields.keys.sorted().joined(separator: " "))"
    state.withLock { $0.calls.append(call) }
  }

  func check(_ name: String, _ fields: [String: Any], completion: @escaping @Sendable (PMRValidationResult?) -> Void) {
    note(name, fields)
    let result = state.withLock { $0.result }
    queue.async { completion(result) }
  }
}
