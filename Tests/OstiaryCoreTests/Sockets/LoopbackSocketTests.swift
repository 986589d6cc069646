import Foundation
import OstiaryCore
import Testing

@Suite("Loopback sockets", .timeLimit(.minutes(20)))
struct LoopbackSocketTests {
  /// Whether this machine has the address; containers often have no IPv6.
  private static func has(_ host: String) -> Bool {
    guard let listener = try? LoopbackSocket.listen(host: host, port: 0, backlog: 1) else { return false }
    LoopbackSocket.close(listener.descriptor)
    return true
  }

  @Test("What one side sends the other gets, until it ends", arguments: ["127.0.0.1", "::1"].filter(has))
  func exchange(host: String) throws {
    let (listener, wake) = try LoopbackSocket.listenWithPipe(host: host, port: 0, backlog: 8)
    let client = try LoopbackSocket.connect(host: host, port: UInt16(listener.port))
    defer { [listener.descriptor, wake.read, wake.write, client].forEach(LoopbackSocket.close) }
    #expect(
      LoopbackSocket.wait([(listener.descriptor, false)], milliseconds: 120_000) == [listener.descriptor])
    let server = try #require(LoopbackSocket.accept(listener.descriptor))
    defer { LoopbackSocket.close(server) }
    #expect(LoopbackSocket.accept(listener.descriptor) == nil)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(LoopbackSocket.receive(server, into: &buffer) == .wouldBlock)
    #expect(LoopbackSocket.send(client, Data("hello".utf8)) == .bytes(5))
    #expect(LoopbackSocket.wait([(server, false), (wake.read, false)], milliseconds: 120_000) == [server])
    #expect(LoopbackSocket.receive(server, into: &buffer) == .bytes(5))
    #expect(buffer.prefix(5).elementsEqual("hello".utf8))
    LoopbackSocket.finish(server)
    #expect(LoopbackSocket.receive(client, into: &buffer) == .ended)
    LoopbackSocket.signal(wake.write)
    #expect(LoopbackSocket.wait([(wake.read, false)], milliseconds: 120_000) == [wake.read])
    LoopbackSocket.drain(wake.read)
    #expect(LoopbackSocket.wait([(wake.read, false)], milliseconds: 0).isEmpty)
  }

  @Test(
    "An address that is none, a port that is taken, and one where nobody listens are errors with the system's reason")
  func failures() throws {
    for host in ["", "localhost", "127.0.0.1.evil.test", "[::1]", "256.0.0.1"] {
      #expect(throws: LoopbackSocket.Failure.self) { try LoopbackSocket.listen(host: host, port: 0, backlog: 1) }
    }
    let listener = try LoopbackSocket.listen(host: "127.0.0.1", port: 0, backlog: 1)
    let port = UInt16(listener.port)
    let taken = #expect(throws: LoopbackSocket.Failure.self) {
      try LoopbackSocket.listen(host: "127.0.0.1", port: port, backlog: 1)
    }
    #expect(taken?.code == EADDRINUSE)
    #expect(taken?.reason.isEmpty == false)
    LoopbackSocket.close(listener.descriptor)
    let nobody = #expect(throws: LoopbackSocket.Failure.self) { try LoopbackSocket.connect(port: port) }
    #expect(nobody?.code == ECONNREFUSED)
  }
}
