internal import Foundation
internal import OstiaryCore

/// The work of a listener's thread.
struct CallbackLoop: Sendable {
  let listener: Int32
  let wake: Int32
  /// What the `Host` field of a request may be.
  let hosts: Set<String>
  let path: String
  let text: String
  let entrance: LoopbackEntrance
  let expected: @Sendable (String) -> URL?

  private struct Connection {
    let descriptor: Int32
    let begun: ContinuousClock.Instant
    var input: [UInt8] = []
    /// `nil` while the head is being read.
    var output: ArraySlice<UInt8>?
    var isFinished = false
    /// The callback, to be handed on when the browser has its page.
    var callback: URL?
  }

  /// How many connections are open at once.
  static let maximumConnections = 16
  /// How long one may take, from beginning to end.
  static let maximumAge = Duration.seconds(10)

  /// Runs until a callback has come or `isStopped` says so, and leaves no descriptor open.
  func run(until isStopped: () -> Bool) -> URL? {
    var connections: [Connection] = []
    var callback: URL?
    var isListening = true
    var buffer = [UInt8](repeating: 0, count: 4096)
    defer {
      connections.forEach { LoopbackSocket.close($0.descriptor) }
      if isListening { LoopbackSocket.close(listener) }
      LoopbackSocket.close(wake)
    }
    while !isStopped() {
      var entries = [(descriptor: wake, forOutput: false)]
      if isListening { entries.append((listener, false)) }
      entries += connections.map { ($0.descriptor, $0.output?.isEmpty == false) }
      let ready = LoopbackSocket.wait(entries, milliseconds: connections.isEmpty ? -1 : 1_000)
      let now = ContinuousClock.now
      for index in connections.indices where ready.contains(connections[index].descriptor) {
        serve(&connections[index], &buffer)
      }
      if callback == nil, let found = connections.lazy.compactMap(\.callback).first {
        callback = found
        // The expected callback has come; no further connection is accepted.
        LoopbackSocket.close(listener)
        isListening = false
      }
      connections.removeAll { connection in
        guard connection.isFinished || now - connection.begun > Self.maximumAge else { return false }
        LoopbackSocket.close(connection.descriptor)
        return true
      }
      // Its page is on the way, or never will be.
      if callback != nil, !connections.contains(where: { $0.callback != nil && $0.output?.isEmpty != true }) { break }
      if isListening, ready.contains(listener) { accept(&connections, now) }
    }
    return callback
  }

  private func accept(_ connections: inout [Connection], _ now: ContinuousClock.Instant) {
    guard let descriptor = LoopbackSocket.accept(listener) else {
      // Out of descriptors, perhaps: polling would not wait, so this does.
      return Thread.sleep(forTimeInterval: 0.01)
    }
    if connections.count >= Self.maximumConnections {
      LoopbackSocket.close(connections.removeFirst().descriptor)
    }
    connections.append(Connection(descriptor: descriptor, begun: now))
  }

  private func serve(_ connection: inout Connection, _ buffer: inout [UInt8]) {
    if connection.output == nil {
      switch LoopbackSocket.receive(connection.descriptor, into: &buffer) {
      case .wouldBlock: return
      case .ended: connection.isFinished = true
      case .bytes(let count):
        connection.input += buffer[..<count]
        let page: CallbackPage
        switch CallbackHead.read(connection.input) {
        case .incomplete: return
        case .malformed: page = .malformed
        case .head(let head): (page, connection.callback) = answer(head, connection.descriptor)
        }
        connection.input = []
        connection.output = page.response[...]
      }
    }
    if let output = connection.output, !output.isEmpty {
      switch LoopbackSocket.send(connection.descriptor, output) {
      case .wouldBlock: return
      case .ended: connection.isFinished = true
      case .bytes(let count):
        connection.output = output.dropFirst(count)
        if connection.output?.isEmpty == true { LoopbackSocket.finish(connection.descriptor) }
      }
    } else if connection.output != nil {
      // All is said. What the peer still sends is read and thrown away, so that closing does not reset what it reads.
      switch LoopbackSocket.receive(connection.descriptor, into: &buffer) {
      case .wouldBlock, .bytes: return
      case .ended: connection.isFinished = true
      }
    }
  }

  private func answer(_ head: CallbackHead, _ descriptor: Int32) -> (CallbackPage, URL?) {
    guard let host = head.host, hosts.contains(host) else { return (.malformed, nil) }
    if let page = entrance.page(for: head, isOtherUser: LoopbackPeer.isOtherUser(descriptor)) { return (page, nil) }
    guard head.target.prefix(while: { $0 != "?" }) == path else { return (.notFound, nil) }
    guard head.method == "GET" else { return (.methodNotAllowed, nil) }
    guard let callback = expected(head.target) else { return (.unexpected, nil) }
    return (.received(text), callback)
  }
}
