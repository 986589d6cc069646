#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @Suite("Invariant 1: one flight, over real HTTP", .serialized, .timeLimit(.minutes(10)))
  struct SingleFlightOverHTTPTests {
    static let callers = 500
    static let repetitions = Storm.size(2, full: 20)

    /// A scripted server behind a real socket, with a way to break and hold what it answers.
    final class World: Sendable {
      let server: ScriptedServer
      let socket: LoopbackServer
      let transport: AsyncHTTPClientTransport
      let manager: SessionManager
      /// How many of the next sign-ins are answered with 503.
      let failingSignIns = Locked(0)
      /// Requests for `/late/…` hear of their refusal only when this opens.
      let late = Gate()

      init(renews: Bool = false) throws {
        let server = ScriptedServer(renews: renews)
        self.server = server
        let failing = failingSignIns
        let late = late
        socket = try LoopbackServer { request in
          if request.path == "/sign-in", failing.withLock({ if $0 > 0 { $0 -= 1; return true } else { return false } })
          {
            return [.response(503)]
          }
          var head = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "x", path: request.target)
          head.headerFields = request.fields
          let answer = server.respond(to: TransportRequest(head, body: request.body))
          let response = LoopbackServer.Action.response(
            answer.status.code, answer.head.headerFields.map { ($0.name.rawName, $0.value) }, body: answer.text)
          let isLate = request.path.hasPrefix("/late/") && answer.status == .unauthorized
          return isLate ? [.wait(late), response] : [response]
        }
        // More connections than requests that are held back, or nothing else would move.
        var options = AsyncHTTPClientTransport.Options()
        options.connectionsPerHost = 100
        transport = AsyncHTTPClientTransport(options: options)
        var configuration = SessionConfiguration()
        configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(1))
        manager = SessionManager(
          authenticator: ScriptedAuthenticator(server: socket.url("")), transport: transport,
          credentials: .upFront(.password(username: "ann", password: "apple")), configuration: configuration)
      }

      func end() async {
        await transport.close()
        socket.stop()
      }

      func send(_ path: String) -> Task<HTTPResponse.Status, any Error> {
        let request = Result { try TransportRequest.get(socket.url(path)) }
        let http = AuthenticatedTransport(manager)
        return Task { try await http.send(request.get()).status }
      }

      /// Sends requests at once and counts the ones that were answered well.
      func storm(_ callers: Int, cancellingEvery step: Int? = nil) async -> (ok: Int, cancelled: Int, failed: [String])
      {
        let tasks = (0..<callers).map { number in
          let task = send("/things/\(number)")
          if let step, number.isMultiple(of: step) { task.cancel() }
          return task
        }
        var outcome = (ok: 0, cancelled: 0, failed: [String]())
        for task in tasks {
          switch await task.result {
          case .success(.ok): outcome.ok += 1
          case .success(let status): outcome.failed.append("\(status)")
          case .failure(is CancellationError): outcome.cancelled += 1
          case .failure(let error): outcome.failed.append("\(error)")
          }
        }
        return outcome
      }
    }

    @Test("500 requests on a dropped session cause one sign-in", arguments: 0..<repetitions)
    func rejected(_: Int) async throws {
      let world = try World()
      _ = try await world.manager.session()
      world.server.dropSessions()
      let outcome = await world.storm(Self.callers)
      #expect(outcome.ok == Self.callers, "\(outcome.failed.first ?? "")")
      #expect(world.server.counts.signIns == 2)
      await world.end()
    }

    @Test("With half of 500 callers cancelled the others still cause one sign-in", arguments: 0..<repetitions)
    func halfCancelled(_: Int) async throws {
      let world = try World()
      _ = try await world.manager.session()
      world.server.dropSessions()
      let outcome = await world.storm(Self.callers, cancellingEvery: 2)
      #expect(outcome.failed == [])
      #expect(outcome.ok >= Self.callers / 2)
      #expect(world.server.counts.signIns == 2)
      await world.end()
    }

    @Test("401s that arrive after the renewal renew nothing", arguments: 0..<repetitions)
    func late(_: Int) async throws {
      let world = try World(renews: true)
      _ = try await world.manager.session()
      world.server.expireAccessTokens()
      let late = (0..<50).map { world.send("/late/\($0)") }
      _ = try await world.socket.waitForRequests(51)
      let outcome = await world.storm(Self.callers - 50)
      #expect(outcome.ok == Self.callers - 50, "\(outcome.failed.first ?? "")")
      world.late.open()
      for task in late { #expect(try await task.value == .ok) }
      #expect(world.server.counts.renewals == 1)
      #expect(world.server.counts.reusedRenewalTokens == 0)
      await world.end()
    }

    @Test("A sign-in that fails for a passing reason is tried again once", arguments: 0..<repetitions)
    func transient(_: Int) async throws {
      let world = try World()
      _ = try await world.manager.session()
      world.server.dropSessions()
      world.failingSignIns.withLock { $0 = 1 }
      let outcome = await world.storm(Self.callers)
      #expect(outcome.ok == Self.callers, "\(outcome.failed.first ?? "")")
      #expect(world.server.counts.signIns == 2)
      await world.end()
    }
  }
#endif
