import Foundation
import NIOCore
import NIOPosix
import NetworkTestSupport
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Whether a server is alive", .serialized, .timeLimit(.minutes(20)))
struct HealthTests {
  @Test("systemd: a server that runs is alive, and one that has stopped or not begun is not")
  func life() async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(configuration)
    #expect(await !application.isAlive)
    try await application.start()
    #expect(await application.isAlive)
    await application.stop()
    #expect(await !application.isAlive)
  }

  @Test("systemd: an error of the storage is an answer")
  func storage() async throws {
    try await TestServer.run { server in
      try await server.application.storage.close()
      #expect(await server.application.isAlive)
    }
  }

  #if os(Linux)
    @Test("systemd: a server that has lost its socket is not alive")
    func listener() async throws {
      try await TestServer.run { server in
        #expect(ListeningSocket.shutDown(port: server.running.port))
        try? await server.application.waitUntilStopped()
        #expect(await !server.application.isAlive)
      }
    }
  #endif

  @Test("systemd: while a thread of the connections is held up, there is no answer")
  func heldUp() async throws {
    try await TestServer.run { server in
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      let held = DispatchSemaphore(value: 0)
      let answered = Locked(false)
      loop.execute { _ = held.wait(timeout: .now() + 60) }
      // The loop takes this when it goes on, after what waits before it.
      let answer = Task {
        let isAlive = await server.application.isAlive
        answered.withLock { $0 = true }
        return isAlive
      }
      let others = Array(MultiThreadedEventLoopGroup.singleton.makeIterator()).filter { $0 !== loop }
      for other in others { try await other.submit {}.get() }
      #expect(!answered.withLock { $0 })
      held.signal()
      #expect(await answer.value)
    }
  }
}
