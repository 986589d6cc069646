import Foundation
import OstiaryCore
import OstiaryStores

/// A keychain in memory that can be locked, denied, full and contested, and remembers what it was asked.
final class KeychainDouble: KeychainAccess {
  enum Call: Equatable, Sendable {
    case add(VaultItem)
    case update(VaultItem)
    case copy(VaultItem)
    case delete(VaultItem)
    case list(String)
  }

  private struct State: Sendable {
    var items: [VaultItem: Data] = [:]
    var marks: [VaultItem: VaultItem.Mark] = [:]
    var protections: [VaultItem: KeychainProtection] = [:]
    var failure: KeychainStatus?
    var failingCall = Int.max
    var sizeLimit = Int.max
    var appearing: (VaultItem, Data)?
    var calls: [Call] = []
  }

  private let state = Locked(State())

  /// What everything answers until it is `nil` again.
  var failure: KeychainStatus? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// The largest item it takes.
  var sizeLimit: Int {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  var items: [VaultItem: Data] {
    get { state.withLock { $0.items } }
    set { state.withLock { $0.items = newValue } }
  }

  var protections: [VaultItem: KeychainProtection] { state.withLock { $0.protections } }

  /// What was asked since this was called last.
  func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Makes the call after `count` others, and all after that, fail, as when the process dies there.
  func fail(after count: Int) {
    state.withLock { $0.failingCall = $0.calls.count + count }
  }

  func heal() {
    state.withLock { $0.failingCall = .max }
  }

  /// Lets a program that takes no locks add an item just before the next `add`.
  func letAppear(_ item: VaultItem, _ data: Data) {
    state.withLock { $0.appearing = (item, data) }
  }

  private func answer<Value: Sendable>(
    _ call: Call, _ body: (inout State) -> (KeychainStatus, Value), otherwise: Value
  ) -> (KeychainStatus, Value) {
    state.withLock { state in
      state.calls.append(call)
      if let failure = state.failure { return (failure, otherwise) }
      if state.calls.count > state.failingCall { return (.notAvailable, otherwise) }
      return body(&state)
    }
  }

  func add(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark, _ protection: KeychainProtection) -> KeychainStatus
  {
    answer(
      .add(item),
      { state in
        if let (item, data) = state.appearing {
          state.items[item] = data
          state.appearing = nil
        }
        guard state.items[item] == nil else { return (.duplicate, ()) }
        guard data.count <= state.sizeLimit else { return (.dataTooLarge, ()) }
        state.items[item] = data
        state.marks[item] = mark
        state.protections[item] = protection
        return (.success, ())
      }, otherwise: ()
    ).0
  }

  func update(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) -> KeychainStatus {
    answer(
      .update(item),
      { state in
        guard state.items[item] != nil else { return (.notFound, ()) }
        guard data.count <= state.sizeLimit else { return (.dataTooLarge, ()) }
        state.items[item] = data
        state.marks[item] = mark
        return (.success, ())
      }, otherwise: ()
    ).0
  }

  func copy(_ item: VaultItem) -> (KeychainStatus, Data?) {
    answer(
      .copy(item), { state in state.items[item].map { (.success, $0) } ?? (.notFound, nil) }, otherwise: nil)
  }

  func delete(_ item: VaultItem) -> KeychainStatus {
    answer(
      .delete(item), { state in (state.items.removeValue(forKey: item) == nil ? .notFound : .success, ()) },
      otherwise: ()
    ).0
  }

  func list(service: String) -> (KeychainStatus, [(account: String, mark: VaultItem.Mark)]) {
    answer(
      .list(service),
      { state in
        let accounts = state.items.keys.filter { $0.service == service }.map {
          (account: $0.account, mark: state.marks[$0] ?? .session)
        }
        return (accounts.isEmpty ? .notFound : .success, accounts)
      }, otherwise: [])
  }
}
