#if AsyncHTTPClient
  import Foundation
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import TestSupport
  import Testing

  @Suite("AsyncHTTPClient transport: TLS", .timeLimit(.minutes(20)))
  struct TransportTLSTests {
    private func trusting() throws -> AsyncHTTPClientTransport {
      var options = AsyncHTTPClientTransport.Options()
      options.additionalTrustRoots = try .init(pem: Data(TLSTestServer.authority.utf8))
      return AsyncHTTPClientTransport(options: options)
    }

    @Test("An authority of one's own is trusted when it is named, by bytes or by file")
    func trusted() async throws {
      let server = try await TLSTestServer()
      let url = try #require(URL(string: "https://localhost:\(server.port)/"))
      #expect(try await trusting().get(url).text == "ok")

      let folder = try TemporaryFolder()
      let file = folder.file("authority.pem")
      try Data(TLSTestServer.authority.utf8).write(to: file)
      var options = AsyncHTTPClientTransport.Options()
      options.additionalTrustRoots = try .init(pemFile: file)
      #expect(try await AsyncHTTPClientTransport(options: options).get(url).text == "ok")
      try await server.stop()
    }

    @Test("A certificate of an unknown authority is refused, and the request was not executed")
    func untrusted() async throws {
      let server = try await TLSTestServer()
      let url = try #require(URL(string: "https://localhost:\(server.port)/"))
      let error = await #expect(throws: OstiaryError(.tlsFailed, "")) { try await AsyncHTTPClientTransport().get(url) }
      #expect(error?.requestMayHaveExecuted == false)
      #expect(error?.isTransient == true)
      try await server.stop()
    }

    @Test("A certificate for another name is refused, and the request was not executed")
    func otherName() async throws {
      let server = try await TLSTestServer()
      let transport = try trusting()
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = await #expect(throws: OstiaryError(.tlsFailed, "")) { try await transport.get(url) }
      #expect(error?.requestMayHaveExecuted == false)
      try await server.stop()
    }

    @Test("A server that speaks no TLS is refused")
    func noTLS() async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = await #expect(throws: OstiaryError.self) { try await trusting().get(url) }
      #expect(error.map { [.tlsFailed, .connectionLost].contains($0.code) } == true, "\(String(describing: error))")
      #expect(server.requests.isEmpty)
    }

    @Test(
      "What is no certificate is refused",
      arguments: ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func unreadable(pem: String) {
      #expect(throws: OstiaryError(.invalidInput, "")) {
        try AsyncHTTPClientTransport.TrustRoots(pem: Data(pem.utf8))
      }
      #expect(throws: OstiaryError(.invalidInput, "")) {
        try AsyncHTTPClientTransport.TrustRoots(pemFile: URL(fileURLWithPath: "/no/such/file.pem"))
      }
    }
  }
#endif
