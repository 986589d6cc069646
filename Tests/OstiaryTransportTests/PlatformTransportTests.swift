import Ostiary
import OstiaryTesting
import Testing

@Suite("Platform transport", .timeLimit(.minutes(20)))
struct PlatformTransportTests {
  @Test("It needs no configuration and sends a request")
  func works() async throws {
    let server = try LoopbackServer(answering: [.response(200, body: "hello")])
    defer { server.stop() }
    #expect(try await PlatformTransport().get(server.url()).text == "hello")
  }
}
