import Crypto
import Foundation
import OstiaryCore

/// The server's keys: the one that it uses and, while that is being changed, the one before or after it; see <doc:ChangingTheKey>.
///
/// What is made from now on is made with the current key. What was made before, or by a server that is a moment ahead, opens with
/// the other one. The keys change while the server runs: a feature holds the ring, and asks it whenever it needs a key.
final class KeyRing: Sendable {
  /// A key, and its number in the order in which the database has had its keys.
  struct Entry: Sendable {
    let number: Int64
    let key: ServerKey
  }

  /// The keys at one moment.
  struct Content: Sendable {
    /// In the order of their numbers: one, or two while the key is being changed.
    var keys: [Entry]
    /// The number of the one that is used.
    var current: Int64
    /// What is left of earlier keys.
    var remains: [Int64: KeyRemains] = [:]
    /// The stages of the keys when this was read, by which a change is noticed.
    var stages: [String] = []

    var newest: Int64 { keys.last?.number ?? current }

    subscript(number: Int64) -> ServerKey? { keys.first { $0.number == number }?.key }
  }

  private struct State {
    var content: Content
    /// What was derived for a purpose, until the content changes.
    var derived: [String: PurposeKeys] = [:]
    var isRetired = false
  }

  private let state: Locked<State>
  /// The key that this process was started with.
  let origin: ServerKey

  /// A ring of one key.
  init(_ key: ServerKey) {
    origin = key
    state = Locked(State(content: Content(keys: [Entry(number: 1, key: key)], current: 1)))
  }

  /// A key that is stored nowhere.
  static func temporary() -> KeyRing { KeyRing(.temporary()) }

  var content: Content { state.withLock { $0.content } }

  /// Lets other keys count from now on.
  func set(_ content: Content) {
    state.withLock { state in
      state.content = content
      state.derived = [:]
    }
  }

  /// The database has another key by now, which these don't open: this process has been away for too long.
  func setRetired() { state.withLock { $0.isRetired = true } }

  /// The key that is used.
  var current: ServerKey {
    let content = content
    return content[content.current] ?? origin
  }

  /// The current key as files and variables have it.
  var text: Secret { current.text }

  // MARK: Purposes

  /// The keys for one purpose (HKDF, RFC 5869).
  func keys(for purpose: StaticString) -> PurposeKeys {
    keys(named: purpose.description) { $0.key(for: purpose) }
  }

  /// The keys for the pages of one place of the server, in one version.
  func keys(forPagesOf place: String, version: Int) -> PurposeKeys {
    keys(named: "\(place).pages/\(version)") { $0.key(forPagesOf: place, version: version) }
  }

  /// The current key for one purpose.
  func key(for purpose: StaticString) -> SymmetricKey { keys(for: purpose).current.key }

  private func keys(named name: String, _ derive: (ServerKey) -> SymmetricKey) -> PurposeKeys {
    state.withLock { state in
      if let known = state.derived[name] { return known }
      let content = state.content
      var all = content.keys.map { PurposeKeys.Numbered(number: $0.number, key: derive($0.key)) }
      for (number, remains) in content.remains where content[number] == nil {
        if let key = remains.key(for: name) { all.append(PurposeKeys.Numbered(number: number, key: key)) }
      }
      all.sort { $0.number > $1.number }
      let current =
        all.first { $0.number == content.current }
        ?? PurposeKeys.Numbered(number: content.current, key: derive(origin))
      let made = PurposeKeys(current: current, others: all.filter { $0.number != current.number })
      state.derived[name] = made
      return made
    }
  }

  // MARK: Where the key is kept

  /// Why the file that had the key doesn't have one of these any more; nil if it has. It makes no file.
  var problem: String? {
    guard !state.withLock({ $0.isRetired }) else {
      return "The server's key was retired while this server could not be reached. Start it with the new one."
    }
    return origin.problem(among: content.keys.map(\.key))
  }

  /// The number of the key that its place has now, with which this process would start again; 0 if it is none of these.
  var kept: Int64 {
    let keys = content.keys
    var kept: ServerKey? = origin
    if origin.file != nil { kept = origin.keptText.flatMap { ServerKey(text: $0, place: origin.place) } }
    return kept.flatMap { kept in keys.first { $0.key.isSame(as: kept) }?.number } ?? 0
  }
}

/// The keys of all numbers for one purpose.
struct PurposeKeys: Sendable {
  struct Numbered: Sendable {
    let number: Int64
    let key: SymmetricKey
  }

  /// The one with which something is made.
  let current: Numbered
  /// The others, the newest first. Something may have been made with each.
  let others: [Numbered]

  /// All of them, the current one first.
  var all: [Numbered] { [current] + others }

  /// The oldest.
  var oldest: Numbered { all.min { $0.number < $1.number } ?? current }

  /// The key of a number; nil if it doesn't count any more.
  subscript(number: Int64) -> SymmetricKey? { all.first { $0.number == number }?.key }
}
