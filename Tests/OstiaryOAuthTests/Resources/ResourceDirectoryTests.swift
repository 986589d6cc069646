import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("From the API alone", .timeLimit(.minutes(20)))
struct ResourceDirectoryTests {
  private let server = DocumentServer()
  private let api = "https://api.test/v1"
  private static let document = "https://api.test/.well-known/oauth-protected-resource/v1"

  private func publish(
    _ changes: [String: JSONValue?] = [:], at address: String = document, headerFields: HTTPFields = [:]
  ) {
    var members: [String: JSONValue] = [
      "resource": .string(api), "authorization_servers": .array([.string(DocumentServer.issuer)]),
    ]
    for (name, value) in changes { members[name] = value }
    server.publish(.json(members, headerFields: headerFields), at: address)
  }

  private func resources(
    _ issuers: IssuerChoice = .named([DocumentServer.issuer]), api: String? = nil
  ) throws -> ResourceDirectory {
    try ResourceDirectory(api: #require(URL(string: api ?? self.api)), issuers: issuers, in: server.directory)
  }

  private func challenge(_ address: String, scheme: String = "Bearer") -> HTTPResponse {
    HTTPResponse(
      status: .unauthorized,
      headerFields: [.wwwAuthenticate: "\(scheme) realm=\"x\", resource_metadata=\"\(address)\""])
  }

  @Test(
    "FIND-23: a 401 leads to the API's document, and that to its authorization server", arguments: ["Bearer", "DPoP"])
  func challenged(_ scheme: String) async throws {
    publish(["resource_name": "Orders", "scopes_supported": .array(["a"])], at: "https://docs.test/api")
    let found = try await resources().find(for: challenge("https://docs.test/api", scheme: scheme))
    #expect(found.issuer == DocumentServer.issuer && found.metadata.resource == api)
    #expect(found.metadata.name == "Orders" && found.metadata.scopes == ["a"] && !found.metadata.demandsBoundTokens)
    #expect(server.transport.requests.map(\.address) == ["https://docs.test/api"])
    #expect(server.transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
  }

  @Test(
    "FIND-23: without a challenge the document is where RFC 9728 has it: before the API's path",
    arguments: [
      ("https://api.test", "https://api.test/.well-known/oauth-protected-resource"),
      ("https://api.test/", "https://api.test/.well-known/oauth-protected-resource"),
      ("https://api.test:8443/a/b", "https://api.test:8443/.well-known/oauth-protected-resource/a/b"),
      ("https://api.test/a?x=1", "https://api.test/.well-known/oauth-protected-resource/a?x=1"),
    ])
  func wellKnown(_ api: String, _ address: String) async throws {
    publish(["resource": .string(api)], at: address)
    #expect(try await resources(api: api).find().issuer == DocumentServer.issuer)
    #expect(server.transport.requests.map(\.address) == [address])
  }

  @Test("FIND-23: the API is asked without a token, and its answer leads on")
  func asking() async throws {
    let response = challenge("https://docs.test/api")
    server.transport.on(.get, "/v1") { _ in TransportResponse(response) }
    publish(at: "https://docs.test/api")
    #expect(try await resources().findByAsking().issuer == DocumentServer.issuer)
    #expect(server.transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
    server.transport.on(.get, "/v1") { _ in .status(.serviceUnavailable) }
    #expect(await failure { try await resources().findByAsking() }?.code == .serverUnavailable)
    // An API that answers without a sign-in has its document where the rule says.
    server.transport.on(.get, "/v1") { _ in .json([:]) }
    publish()
    #expect(try await resources().findByAsking().issuer == DocumentServer.issuer)
  }

  @Test(
    "FIND-24: a document is about the request's address, or about the app's API, into which the request went",
    arguments: [
      ("https://api.test/v1", "https://api.test/v1", true),
      ("https://api.test/v1", "https://api.test/v1/orders?x=1", true),
      ("https://api.test/v1/orders", "https://api.test/v1/orders", true),
      ("https://api.test/v1/orders?x=1", "https://api.test/v1/orders?x=1", true),
      ("https://api.test/v1/", "https://api.test/v1/orders", false),
      ("https://api.test/v1/orders", "https://api.test/v1/orders/5", false),
      ("https://api.test/", "https://api.test/v1/orders", false),
      ("https://api.test/v1", "https://api.test/v10/orders", false),
      ("https://api.test/v1", "https://api.test/v1/../admin", false),
      ("https://api.test/v1", "https://api.test/v1/%2e%2E/admin", false),
      ("https://api.test/v1", "https://api.test/v1/x%2F..%2Fy", false),
      ("https://api.test/v1", "https://other.test/v1/orders", false),
      ("https://api.test/v1", "https://api.test:8443/v1/orders", false),
      ("https://API.test/v1", "https://api.test/v1/orders", false),
      ("https://evil.test/v1", "https://api.test/v1/orders", false), ("", "https://api.test/v1", false),
      // The request was led there: by a redirect, for example.
      ("https://evil.test/v1", "https://evil.test/v1", false),
      ("https://api.test:8443/v1", "https://api.test:8443/v1", false),
    ])
  func belongs(_ resource: String, _ request: String, _ isAccepted: Bool) async throws {
    publish(["resource": .string(resource)], at: "https://api.test/document")
    let address = try #require(URL(string: request))
    let resources = try resources()
    let error = await failure {
      try await resources.find(for: challenge("https://api.test/document"), from: address)
    }
    let expected: OstiaryError.Code? = isAccepted ? nil : .metadataUnusable
    #expect(error?.code == expected)
    #expect(error?.disposition != .terminal)
  }

  @Test("FIND-24: an API that is a whole host is the same with a slash at its end and without")
  func wholeHost() async throws {
    publish(["resource": "https://api.test/"], at: "https://api.test/.well-known/oauth-protected-resource")
    #expect(try await resources(api: "https://api.test").find().issuer == DocumentServer.issuer)
  }

  @Test(
    "FIND-25: the document comes over https, and one address of it counts",
    arguments: ["http://api.test/x", "http://127.0.0.1/x", "/x", "https://ann@api.test/x", "ftp://api.test/x"])
  func documents(_ address: String) async {
    #expect(await failure { try await resources().find(for: challenge(address)) }?.code == .metadataUnusable)
    #expect(server.transport.count == 0)
  }

  @Test("FIND-25: an answer that names two documents leads to none; twice the same is once")
  func twoDocuments() async throws {
    publish(at: "https://api.test/a")
    func response(_ second: String) -> HTTPResponse {
      HTTPResponse(
        status: .unauthorized,
        headerFields: [
          .wwwAuthenticate:
            "Bearer resource_metadata=\"https://api.test/a\", DPoP resource_metadata=\"\(second)\""
        ])
    }
    #expect(try await resources().find(for: response("https://api.test/a")).issuer == DocumentServer.issuer)
    #expect(
      await failure { try await resources().find(for: response("https://api.test/b")) }?.code == .metadataUnusable)
  }

  @Test("FIND-25: no document, a page, a broken one and ten megabytes are typed errors that end nothing")
  func broken() async throws {
    let resources = try resources()
    #expect(await failure { try await resources.find() }?.code == .metadataMissing)
    server.publish(.html("Welcome to the hotel"), at: Self.document)
    let page = await failure { try await resources.find() }
    #expect(page?.code == .metadataMissing && page?.isTransient == true)
    for changes in [
      ["resource": nil], ["resource": 1], ["authorization_servers": nil], ["authorization_servers": .array([])],
      ["authorization_servers": .array(["as.test", "http://as.test", 1])],
    ] as [[String: JSONValue?]] {
      publish(changes)
      let error = await failure { try await self.resources().find() }
      #expect(error?.code == .metadataUnusable && error?.disposition != .terminal)
    }
    server.transport.inject(.endless)
    #expect(await failure { try await resources.find() }?.code == .responseTooLarge)
  }

  @Test("FIND-26: the program's servers alone are gone to, in its order")
  func named() async throws {
    publish(["authorization_servers": .array(["https://evil.test", "https://b.test", "https://a.test"])])
    let choice = IssuerChoice.named(["https://a.test", "https://b.test"])
    #expect(try await resources(choice).find().issuer == "https://a.test")
    let error = await failure { try await resources(.named(["https://a.test/", "https://A.test"])).find() }
    #expect(error?.code == .issuerNotAllowed && error?.disposition == .misuse)
    #expect(await failure { try await resources(.named([])).find() }?.code == .issuerNotAllowed)
    #expect(server.transport.requests.allSatisfy { $0.head.authority == "api.test" }, "no server was asked")
  }

  @Test("FIND-26: otherwise the program is asked, once for all who wait, also where it declines")
  func asked() async throws {
    publish(["authorization_servers": .array(["https://b.test", "https://a.test"])])
    for answer in ["https://a.test", nil] {
      let questions = Locked<[IssuerQuestion]>([])
      let gate = Gate()
      let resources = try resources(
        .asking { question in
          questions.withLock { $0.append(question) }
          try await gate.pass()
          return answer
        })
      let calls = (0..<20).map { _ in startAtOnce { try await resources.find().issuer } }
      try await gate.waitForArrivals(1)
      gate.open()
      for call in calls {
        switch await call.result {
        case .success(let issuer): #expect(issuer == answer)
        case .failure(let error):
          #expect(answer == nil && (error as? OstiaryError)?.code == .interactionCancelled)
        }
      }
      _ = await failure { try await resources.find() }
      #expect(questions.withLock { $0.map(\.issuers) } == [["https://b.test", "https://a.test"]])
      resources.forgetAnswer()
      _ = await failure { try await resources.find() }
      #expect(questions.withLock { $0.count } == 2)
    }
  }

  @Test("FIND-26: an API elsewhere names no server on this machine; one on this machine does")
  func thisMachine() async throws {
    let asked = Locked(0)
    let choice = IssuerChoice.asking { question in
      asked.withLock { $0 += 1 }
      return question.issuers.first
    }
    let local: JSONValue = .array(["http://127.0.0.1:8080", "http://localhost"])
    publish(["authorization_servers": local])
    #expect(await failure { try await resources(choice).find() }?.code == .metadataUnusable)
    #expect(asked.withLock { $0 } == 0)
    let own = "http://127.0.0.1:9000/v1"
    publish(
      ["resource": .string(own), "authorization_servers": local],
      at: "http://127.0.0.1:9000/.well-known/oauth-protected-resource/v1")
    #expect(try await resources(choice, api: own).find().issuer == "http://127.0.0.1:8080")
  }

  @Test("FIND-26: the answer is one of the servers that the API names; a question that fails is asked again")
  func answers() async throws {
    publish()
    let other = try resources(.asking { _ in "https://evil.test" })
    #expect(await failure { try await other.find() }?.code == .issuerNotAllowed)
    let count = Locked(0)
    let failing = try resources(
      .asking { _ in
        let number = count.withLock {
          $0 += 1
          return $0
        }
        guard number > 1 else { throw OstiaryError(.internalError, "No window.") }
        return DocumentServer.issuer
      })
    #expect(await failure { try await failing.find() }?.code == .internalError)
    #expect(try await failing.find().issuer == DocumentServer.issuer)
  }

  @Test("FIND-26: an API that changes its servers brings a new question")
  func changed() async throws {
    publish(headerFields: [.cacheControl: "max-age=300"])
    let count = Locked(0)
    let resources = try resources(
      .asking { question in
        count.withLock { $0 += 1 }
        return question.issuers.first
      })
    _ = try await resources.find()
    server.clock.advance(by: .seconds(300))
    publish(["authorization_servers": .array(["https://other.test"])])
    #expect(try await resources.find().issuer == "https://other.test")
    #expect(count.withLock { $0 } == 2)
  }
}
