import Foundation
import Ostiary
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import TestSupport
import Testing

@Suite("Events over HTTP", .timeLimit(.minutes(20)))
struct EventDeliveryTests {
  @Test(
    "Primer-P24: a server that breaks off, fails and answers gets every event, each under one identifier, from files")
  func http() async throws {
    let count = Locked(0)
    let server = try LoopbackServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      switch number {
      case 1: return [.reset]
      case 2: return [.response(503)]
      default: return [.response(202)]
      }
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    var configuration = EventConfiguration(address: server.url("/v1/events"))
    configuration.retry = RetryPolicy(base: .milliseconds(10))
    configuration.interval = .milliseconds(10)
    var tracker: EventTracker? = EventTracker(
      configuration, transport: PlatformTransport(), store: FileStore(folder: folder.store))
    let subject = UserEvent.Subject(UserProfile())
    for number in 0..<5 { tracker?.track(UserEvent("event-\(number)", date: Date(), subject: subject)) }
    try await tracker?.persist()
    // Another process goes on where this one was.
    tracker = nil
    let next = EventTracker(configuration, transport: PlatformTransport(), store: FileStore(folder: folder.store))
    next.track(UserEvent("event-5", date: Date(), subject: subject))
    // A flush ends with the first attempt that fails, of which there are two at most.
    for _ in 0..<3 { try? await next.flush() }
    #expect(next.pending == 0)
    let ids = server.requests.suffix(from: 2).flatMap { request in
      JSONValue(json: request.body)?["batch"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
    #expect(Set(ids).count == 6)
    #expect(server.requests.allSatisfy { $0.method == "POST" && $0.path == "/v1/events" })
  }
}
