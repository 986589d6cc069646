internal import Foundation
internal import OstiaryCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The server's thread: waits for whichever descriptor is ready and does there what the script says.
struct LoopbackServerLoop {
  private let listener: Int32
  private let wake: Int32
  private let record: LoopbackServerRecord
  private let handler: LoopbackServer.Handler
  private var connections: [Int32: LoopbackServerConnection] = [:]
  private var accepted = 0
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  init(listener: Int32, wake: Int32, record: LoopbackServerRecord, handler: @escaping LoopbackServer.Handler) {
    self.listener = listener
    self.wake = wake
    self.record = record
    self.handler = handler
  }

  /// Runs until the record says that the server is stopped, and leaves no descriptor open.
  consuming func run() {
    while !record.isStopped {
      let ready = poll()
      for (descriptor, events) in ready {
        switch descriptor {
        case wake: LoopbackSocket.drain(wake)
        case listener: acceptAll()
        default: serve(descriptor, readable: events & ~Int16(POLLOUT) != 0)
        }
      }
      // A gate may have let a connection through, and the wake-up does not say which.
      if ready.contains(where: { $0.0 == wake }) {
        for (descriptor, connection) in connections where connection.isThroughGate {
          serve(descriptor, readable: false)
        }
      }
    }
    LoopbackSocket.close(listener)
    connections.keys.forEach(LoopbackSocket.close)
    let count = connections.count
    record.update { $0.open -= count }
    record.closeWake()
    LoopbackSocket.close(wake)
  }

  /// The descriptors on which something can be done, waiting for the first.
  private func poll() -> [(Int32, Int16)] {
    var entries = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
    ]
    for (descriptor, connection) in connections {
      let events = Int16(connection.wantsInput ? POLLIN : 0) | Int16(connection.wantsOutput ? POLLOUT : 0)
      entries.append(pollfd(fd: descriptor, events: events, revents: 0))
    }
    guard systemPoll(&entries) > 0 else { return [] }
    return entries.compactMap { $0.revents == 0 ? nil : ($0.fd, $0.revents) }
  }

  private mutating func acceptAll() {
    while let descriptor = LoopbackSocket.accept(listener) {
      accepted += 1
      connections[descriptor] = LoopbackServerConnection(descriptor: descriptor, number: accepted)
      record.update {
        $0.connections += 1
        $0.open += 1
      }
    }
  }

  private mutating func serve(_ descriptor: Int32, readable: Bool) {
    guard var connection = connections.removeValue(forKey: descriptor) else { return }
    if readable { connection.read(into: &buffer) }
    let end = connection.advance(record: record, handler: handler)
    switch end {
    case nil:
      connections[descriptor] = connection
      return
    case .reset: LoopbackSocket.reset(descriptor)
    case .closed, .disconnected: LoopbackSocket.close(descriptor)
    }
    let disconnected = end == .disconnected
    record.update {
      $0.open -= 1
      if disconnected { $0.disconnections += 1 }
    }
  }
}

/// How a connection ends.
enum LoopbackServerEnd {
  /// As the script or HTTP says.
  case closed
  /// With a reset, as the script says.
  case reset
  /// The client left before its answer was complete.
  case disconnected
}

/// One connection and what is still to happen on it.
struct LoopbackServerConnection {
  private let descriptor: Int32
  private let number: Int
  private var parser = LoopbackServerParser()
  private var actions: ArraySlice<LoopbackServer.Action> = []
  private var output = Data()
  private var isAnswering = false
  private var closesAfterAnswer = false
  private var inputEnded = false
  private var ticket: LoopbackGateTicket?

  init(descriptor: Int32, number: Int) {
    self.descriptor = descriptor
    self.number = number
  }

  var wantsInput: Bool { !inputEnded }
  var wantsOutput: Bool { !output.isEmpty }
  var isThroughGate: Bool { ticket?.isComplete ?? false }

  mutating func read(into buffer: inout [UInt8]) {
    switch LoopbackSocket.receive(descriptor, into: &buffer) {
    case .bytes(let count): parser.append(buffer[..<count])
    case .wouldBlock: break
    case .ended: inputEnded = true
    }
  }

  /// Does what can be done without waiting. Returns how the connection ended, or `nil` when it has not.
  mutating func advance(record: LoopbackServerRecord, handler: LoopbackServer.Handler) -> LoopbackServerEnd? {
    while true {
      if !output.isEmpty {
        switch LoopbackSocket.send(descriptor, output) {
        case .bytes(let count):
          output = Data(output.dropFirst(count))
          continue
        case .wouldBlock: return nil
        case .ended: return .disconnected
        }
      }
      if isAnswering {
        switch act(record: record) {
        case .goOn: break
        case .pause: return nil
        case .end(let end): return end
        }
      } else {
        switch parser.next(connection: number) {
        case .needsMore: return inputEnded ? .closed : nil
        case .malformed: return .closed
        case .request(let request, let closes):
          isAnswering = true
          closesAfterAnswer = closes
          // The record first, so that a client that has an answer finds its request there.
          record.update { $0.requests.append(request) }
          actions = handler(request)[...]
        }
      }
    }
  }

  private enum Step {
    case goOn
    case pause
    case end(LoopbackServerEnd)
  }

  /// Takes the next action.
  private mutating func act(record: LoopbackServerRecord) -> Step {
    guard let action = actions.first else {
      isAnswering = false
      return closesAfterAnswer ? .end(.closed) : .goOn
    }
    switch action {
    case .send(let bytes):
      output = bytes
    case .wait(let gate):
      let ticket = ticket ?? LoopbackGateTicket(through: gate, record: record)
      self.ticket = ticket
      guard ticket.isComplete else {
        guard inputEnded else { return .pause }
        ticket.giveUp()
        return .end(.disconnected)
      }
      self.ticket = nil
    case .repeatForever(let bytes):
      // One piece a turn, so that other connections have theirs.
      if inputEnded || bytes.isEmpty { return .end(.disconnected) }
      output = bytes
      return .pause
    case .hold:
      return inputEnded ? .end(.disconnected) : .pause
    case .close:
      return .end(.closed)
    case .reset:
      return .end(.reset)
    }
    actions = actions.dropFirst()
    return .goOn
  }
}

// Outside of the type whose method of this name hides it.
private func systemPoll(_ entries: inout [pollfd]) -> Int32 {
  poll(&entries, nfds_t(entries.count), -1)
}
