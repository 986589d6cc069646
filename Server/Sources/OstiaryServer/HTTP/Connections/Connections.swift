import NIOCore
import OstiaryCore

/// Carries out the actions of a `ConnectionTable`.
final class Connections: Sendable {
  private struct State: Sendable {
    var table: ConnectionTable
    var channels: [UInt64: any Channel] = [:]
    var lastID: UInt64 = 0
    /// Work that ends with a connection.
    var work: [ObjectIdentifier: [UInt64: @Sendable () -> Void]] = [:]
    /// Connections whose client has closed its side.
    var leaving: Set<ObjectIdentifier> = []
    /// How often a limit of connections or their requests was reached.
    var reached: [HTTPResource: Int] = [:]
  }

  let limits: ConnectionLimits
  private let proxies: TrustedProxies
  private let state: Locked<State>

  init(_ limits: ConnectionLimits, proxies: TrustedProxies) {
    self.limits = limits
    self.proxies = proxies
    state = Locked(State(table: ConnectionTable(limits)))
  }

  /// Counts since the start.
  var counts: ConnectionTable.Counts { state.withLock { $0.table.counts } }

  /// A limit has been reached.
  func note(_ resource: HTTPResource) { state.withLock { $0.reached[resource, default: 0] += 1 } }

  /// How often ``note(_:)`` was called for it.
  func timesReached(_ resource: HTTPResource) -> Int { state.withLock { $0.reached[resource] ?? 0 } }

  /// Admits a connection, and closes the one whose place it takes.
  /// - Returns: its number; `nil` if it has to be refused.
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

  func close(_ id: UInt64, _ channel: any Channel) {
    let key = ObjectIdentifier(channel)
    let ends = state.withLock { state -> [@Sendable () -> Void] in
      state.table.close(id)
      state.channels[id] = nil
      state.leaving.remove(key)
      return state.work.removeValue(forKey: key).map { Array($0.values) } ?? []
    }
    for end in ends { end() }
  }

  /// The client has closed its side of a connection: work for it alone ends.
  func endInput(of channel: any Channel) {
    let key = ObjectIdentifier(channel)
    let ends = state.withLock { state in
      state.leaving.insert(key)
      return state.work.removeValue(forKey: key).map { Array($0.values) } ?? []
    }
    for end in ends { end() }
  }

  /// Runs `body` in a task that is cancelled when the client closes the connection, or its side of it.
  func whileOpen<Value: Sendable>(
    _ channel: any Channel, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    let key = ObjectIdentifier(channel)
    let (id, isLeaving) = state.withLock { state in
      state.lastID += 1
      state.work[key, default: [:]][state.lastID] = { task.cancel() }
      return (state.lastID, state.leaving.contains(key))
    }
    defer {
      state.withLock { state in
        state.work[key]?[id] = nil
        if state.work[key]?.isEmpty == true { state.work[key] = nil }
      }
    }
    // It may have been closed before.
    if isLeaving || !channel.isActive { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// A trusted proxy has many clients, and so has this machine, where programs share one address.
  private func bucket(of channel: any Channel) -> [UInt8]? {
    guard let text = channel.remoteAddress?.ipAddress, !proxies.trust(text) else { return nil }
    return ClientAddress(text)?.limitBucket
  }
}

/// The limits of connections and requests, computed once when the server starts.
struct ConnectionLimits: Sendable, Hashable {
  /// The default if the machine allows it.
  static let standardConnections = 4096
  private static let fewestPerAddress = 8

  /// The most connections at a time.
  let connections: Int
  /// What makes these the most: what is set, the descriptors, or the memory.
  let reason: HTTPResource
  /// The most connections from one address.
  let perAddress: Int
  /// The most requests under way for one client.
  let requestsPerClient: Int

  init(_ limits: HTTPLimits, descriptors: DescriptorLimit, memory: MemoryLimit) {
    let wanted = limits.connections ?? Self.standardConnections
    let held = memory.connections(each: limits.connectionSize)
    connections = max(1, min(wanted, descriptors.connections, held))
    reason =
      if connections >= wanted { .connections } else if held < descriptors.connections { .connectionMemory } else {
        .descriptors
      }
    perAddress = limits.connectionsPerAddress ?? max(Self.fewestPerAddress, connections / 4)
    requestsPerClient = limits.requestsPerClient ?? perAddress
  }
}
