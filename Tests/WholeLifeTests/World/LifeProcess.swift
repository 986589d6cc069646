import Foundation
import OstiaryCore

/// One process of a life: its managers, one a layer, the outermost first.
final class LifeProcess: @unchecked Sendable {
  // Used by the thread of the life alone.
  let number: Int
  var isDead = false
  var layers: [SessionManager] = []
  /// The exclusive access that it has had.
  var access: [(key: SessionKey, holder: Int)] = []
  /// The answers with newer cookies that are on their way to it.
  var answersOnTheWay = 0
  /// What is on its way to it.
  var awaited: Set<String> = []

  init(number: Int) { self.number = number }

  /// What the app uses.
  var top: SessionManager { layers[layers.count - 1] }

  /// Every value of the sessions that it shows.
  var shown: [String] {
    layers.flatMap { manager -> [String] in
      guard let proof = manager.current?.proof else { return [] }
      return proof.tokens.values.map { $0.reveal() } + proof.cookies.cookies.map { $0.value.reveal() }
    }
  }
}
