import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

@Suite("Challenge handlers: asked in order, in rounds, within bounds")
struct HandlerTests {
  /// A handler that recognises a text and does what a closure says.
  struct Handler: ChallengeHandler {
    let name: String
    let recogniser: ChallengeRecogniser
    let work: @Sendable (Challenge, inout ChallengeConversation) async throws -> ChallengeAnswer

    init(
      _ name: String, for text: String, asked: Locked<Int> = Locked(0),
      _ work: @escaping @Sendable (Challenge, inout ChallengeConversation) async throws -> ChallengeAnswer
    ) {
      self.name = name
      recogniser = .closure { response, _ in
        asked.withLock { $0 += 1 }
        return response.text.contains(text) ? Recognition("it says \(text)", mayHaveExecuted: false) : nil
      }
      self.work = work
    }

    func answer(
      _ challenge: Challenge, in conversation: inout ChallengeConversation
    ) async throws -> ChallengeAnswer { try await work(challenge, &conversation) }
  }

  static func post(_ conversation: inout ChallengeConversation) async throws -> TransportResponse {
    try await conversation.send(
      .post(FormGateway.server.appending(path: "answer"), body: Data(), contentType: "text/plain"))
  }

  private func manager(
    _ transport: ScriptedTransport, _ handlers: [any ChallengeHandler], replays: Int = 1
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.maximumReplays = replays
    return SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: handlers), transport: transport,
      credentials: .byHandler, configuration: configuration)
  }

  private func text(_ text: String, cookie: String? = nil) -> TransportResponse {
    var head = HTTPResponse(status: .ok)
    head.headerFields[.setCookie] = cookie
    return TransportResponse(head, body: Data(text.utf8))
  }

  @Test(
    "Gateway-G1: a handler of the app's own is asked whatever the status, and nothing is delivered before it is done",
    arguments: [200, 302, 400, 401, 403, 404, 500])
  func anyStatus(_ status: Int) async throws {
    let transport = ScriptedTransport { request in
      if request.head.headerFields[.cookie] != nil || request.head.method == .post {
        return text("fine", cookie: "a=1")
      }
      var demand = text("demand")
      demand.head.status = .init(code: status)
      return demand
    }
    let gate = Gate()
    let answered = Locked(0)
    let delivered = Locked(false)
    let handler = Handler("h", for: "demand") { challenge, conversation in
      #expect(challenge.response.status.code == status)
      answered.withLock { $0 += 1 }
      try await gate.pass()
      _ = try await Self.post(&conversation)
      return .answered
    }
    let http = AuthenticatedTransport(try manager(transport, [handler]))
    let response = Task {
      let response = try await http.send(FormGateway.request())
      delivered.withLock { $0 = true }
      return response.text
    }
    try await gate.waitForArrivals()
    #expect(delivered.withLock { $0 } == false)
    gate.open()
    #expect(try await response.value == "fine")
    #expect(answered.withLock { $0 } == 1)
  }

  @Test("Gateway-G4: the first that recognises answers, and those after it are not asked")
  func order() async throws {
    let transport = ScriptedTransport { request in
      text(request.head.headerFields[.cookie] == nil ? "both demand" : "fine", cookie: "a=1")
    }
    let late = Locked(0)
    let answered = Locked<[String]>([])
    func handler(_ name: String, asked: Locked<Int> = Locked(0)) -> Handler {
      Handler(name, for: "demand", asked: asked) { _, conversation in
        answered.withLock { $0.append(name) }
        _ = try await Self.post(&conversation)
        return .answered
      }
    }
    let manager = try manager(transport, [handler("first"), handler("second", asked: late)])
    #expect(try await AuthenticatedTransport(manager).send(FormGateway.request()).text == "fine")
    #expect(answered.withLock { $0 } == ["first"])
    // The second one is asked about the response that no recogniser knew, and about no other.
    #expect(late.withLock { $0 } == 1)
  }

  @Test("Bug-A29: where neither the credential nor the handler names the user, the handler's name is not taken for one")
  func unnamedUser() async throws {
    let transport = ScriptedTransport { request in
      text(request.head.headerFields[.cookie] == nil ? "first demand" : "fine", cookie: "a=1")
    }
    func user(_ named: String?) async throws -> String? {
      let handler = Handler("first", for: "first demand") { _, conversation in
        conversation.user = named.map { Session.User(id: $0) }
        _ = try await Self.post(&conversation)
        return .answered
      }
      let manager = try manager(transport, [handler])
      _ = try await AuthenticatedTransport(manager).send(FormGateway.request())
      return manager.current?.user.id
    }
    #expect(try await user(nil) == "unknown")
    #expect(try await user("ann") == "ann")
  }

  @Test("Gateway-G4: two gateways in a row are two rounds of one sign-in")
  func twoGateways() async throws {
    let transport = ScriptedTransport { request in
      let cookies = request.head.headerFields[.cookie] ?? ""
      if !cookies.contains("a=") { return text("first demand", cookie: request.head.method == .post ? "a=1" : nil) }
      if !cookies.contains("b=") { return text("second demand", cookie: request.head.method == .post ? "b=1" : nil) }
      return text("fine")
    }
    let rounds = Locked<[Int]>([])
    func handler(_ name: String) -> Handler {
      Handler(name, for: "\(name) demand") { _, conversation in
        rounds.withLock { $0.append(conversation.round) }
        _ = try await Self.post(&conversation)
        return .submitted(try await conversation.send(FormGateway.request()))
      }
    }
    let http = AuthenticatedTransport(try manager(transport, [handler("first"), handler("second")]))
    #expect(try await http.send(FormGateway.request()).text == "fine")
    #expect(rounds.withLock { $0 } == [1, 2])
  }

  @Test(
    "Gateway-G5: what is no text, empty or not UTF-8 is delivered as it is",
    arguments: [
      Data(), Data([0, 0, 0]), Data([0xFF, 0xFE, 0xFD]), Data(repeating: 0xC3, count: 10_000),
    ])
  func anyBody(_ body: Data) async throws {
    let transport = ScriptedTransport { _ in TransportResponse(HTTPResponse(status: .ok), body: body) }
    let handler = Handler("h", for: "demand") { _, _ in .answered }
    let http = AuthenticatedTransport(try manager(transport, [handler, try FormLogin(at: FormGateway.server)]))
    #expect(try await http.send(FormGateway.request()).body == body)
  }

  @Test("Gateway-G8: a handler is asked again for a challenge that its answer met, with the rounds counted")
  func rounds() async throws {
    let transport = ScriptedTransport { request in
      text(request.head.headerFields[.cookie]?.contains("a=3") == true ? "fine" : "demand")
    }
    let posts = Locked(0)
    transport.on(.post, "/api/answer") { _ in
      let count = posts.withLock { posts in
        posts += 1
        return posts
      }
      return text(count < 3 ? "demand: wrong" : "good", cookie: "a=\(count)")
    }
    let seen = Locked<[String]>([])
    let handler = Handler("h", for: "demand") { challenge, conversation in
      seen.withLock { $0.append("\(conversation.round) \(challenge.response.text)") }
      return .submitted(try await Self.post(&conversation))
    }
    let http = AuthenticatedTransport(try manager(transport, [handler]))
    #expect(try await http.send(FormGateway.request()).text == "fine")
    #expect(seen.withLock { $0 } == ["1 demand", "2 demand: wrong", "3 demand: wrong"])
  }

  @Test("Gateway-G10: rounds without end are ended")
  func endless() async throws {
    let transport = ScriptedTransport { _ in text("demand") }
    let asked = Locked(0)
    let handler = Handler("h", for: "demand") { _, conversation in
      asked.withLock { $0 += 1 }
      return .submitted(try await Self.post(&conversation))
    }
    let http = AuthenticatedTransport(try manager(transport, [handler]))
    let error = await failure { try await http.send(FormGateway.request()) }
    #expect(error?.code == .challengedAgain)
    #expect(asked.withLock { $0 } == 7)
  }

  @Test("Gateway-G9: a handler that is satisfied at once has the request sent again; the server has the last word")
  func satisfiedAtOnce() async throws {
    let count = Locked(0)
    let transport = ScriptedTransport { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return text(number < 4 ? "demand" : "fine")
    }
    let handler = Handler("h", for: "demand") { _, _ in .answered }
    let manager = try manager(transport, [handler], replays: 5)
    var configuration = SessionConfiguration()
    configuration.maximumReplays = 5
    configuration.maximumFreshRejections = 10
    let patient = SessionManager(
      authenticator: manager.authenticator, transport: transport, credentials: .byHandler, configuration: configuration)
    #expect(try await AuthenticatedTransport(patient).send(FormGateway.request()).text == "fine")
    #expect(count.withLock { $0 } == 4)
  }

  @Test("Gateway-G16: handlers and app's code run with no lock held", .timeLimit(.minutes(5)))
  func noLocks() async throws {
    let gateway = FormGateway()
    let manager = Locked<SessionManager?>(nil)
    let made = try gateway.manager(
      .onRequest { _ in
        // Asking the manager from within would hang if it held its lock.
        let known = manager.withLock { $0 }
        _ = known?.status
        _ = known?.history
        var head = FormGateway.request().head
        known?.attach(to: &head)
        return FormGateway.password
      })
    manager.withLock { $0 = made }
    #expect(try await AuthenticatedTransport(made).send(FormGateway.request()).status == .ok)
  }
}
