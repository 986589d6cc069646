import NIOCore
import OstiaryCore

/// Carries out what a ``ConnectionTable`` says.
final class Connections: Sendable {
  private struct State: Sendable {
    var table: ConnectionTable
    var channels: [UInt64: any Channel] = [:]
    var lastID: UInt64 = 0
  }

  let limits: ConnectionLimits
  private let proxies: TrustedProxies
  private let state: Locked<State>

  init(_ limits: ConnectionLimits, proxies: TrustedProxies) {
    self.limits = limits
    self.proxies = proxies
    state = Locked(State(table: ConnectionTable(limits)))
  }

  /// What has happened since the start.
  var counts: ConnectionTable.Counts { state.withLock { $0.table.counts } }

  /// Takes a connection in, and closes the one that makes room for it.
  /// - Returns: its number; `nil` where it has to be refused.
  func open(_ channel: any Channel) -> UInt64? {
    let bucket = bucket(of: channel)
    let (id, displaced) = state.withLock { state -> (UInt64?, (any Channel)?) in
      state.lastID += 1
      let id = state.lastID
      switch state.table.open(id, from: bucket) {
      case .refused: return (nil, nil)
      case .admitted:
        state.channels[id] = channel
        return (id, nil)
      case .admittedInPlace(let displaced):
        state.channels[id] = channel
        return (id, state.channels.removeValue(forKey: displaced))
      }
    }
    displaced?.close(promise: nil)
    return id
  }

  func begin(_ id: UInt64) { state.withLock { $0.table.begin(id) } }

  func end(_ id: UInt64) { state.withLock { $0.table.end(id) } }

  func close(_ id: UInt64) {
    state.withLock { state in
      state.table.close(id)
      state.channels[id] = nil
    }
  }

  /// A trusted proxy brings many clients, and so does this machine, where programs share one address.
  private func bucket(of channel: any Channel) -> [UInt8]? {
    guard let text = channel.remoteAddress?.ipAddress, !proxies.trust(text) else { return nil }
    return ClientAddress(text)?.limitBucket
  }
}
