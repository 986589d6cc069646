import Foundation
import HTTPTypes
import Ostiary
import OstiaryTesting
import Testing

@Suite("The example that is a relying party", .timeLimit(.minutes(20)))
struct RelyingPartyTests {
  /// An OpenID provider on a socket, and two processes of one site, which browsers know by another address.
  private final class Site: Sendable {
    static let address = "http://site.test"

    let provider: ScriptedProvider
    private let server: LoopbackServer
    private let processes: [ChildProcess]
    private let ports: [Int]
    private let folder: URL

    init() async throws {
      let port = try LoopbackPort.free()
      var settings = ProviderSettings()
      settings.issuer = "http://127.0.0.1:\(port)"
      settings.clients = [ProviderClient(redirectURIs: [Self.address + "/callback", Self.address + "/"])]
      let provider = try ScriptedProvider(settings)
      self.provider = provider
      server = try LoopbackServer(port: UInt16(port)) { Self.answer($0, "127.0.0.1:\(port)", provider) }
      let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-site-\(UUID().uuidString)")
      self.folder = folder
      let ports = [try LoopbackPort.free(), try LoopbackPort.free()]
      self.ports = ports
      processes = try ports.map { port in
        try ChildProcess(
          Example.folder.appending(path: "RelyingParty"),
          [settings.issuer, "app", Self.address, "\(port)", folder.path(percentEncoded: false)])
      }
      try await waitUntil("the two processes of the site") {
        try #require(processes.allSatisfy { $0.isRunning })
        return ports.allSatisfy(LoopbackPort.isListening)
      }
    }

    deinit {
      for process in processes { process.kill() }
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }

    /// Where the processes keep the sessions.
    var sessions: URL { folder.appending(path: "sessions") }

    /// An address of a process of the site.
    func url(_ path: String, at process: Int) throws -> URL {
      try #require(URL(string: "http://127.0.0.1:\(ports[process])" + path))
    }

    /// Called on a thread of the server's own, which may be blocked.
    private static func answer(
      _ request: LoopbackServer.Request, _ authority: String, _ provider: ScriptedProvider
    ) -> [LoopbackServer.Action] {
      var head = HTTPRequest(
        method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: authority, path: request.target)
      head.headerFields = request.fields
      let outcome = Locked<TransportResponse?>(nil)
      let done = DispatchSemaphore(value: 0)
      Task.detached { [head] in
        let response = try? await provider.respond(to: TransportRequest(head, body: request.body))
        outcome.withLock { $0 = response }
        done.signal()
      }
      done.wait()
      guard let answer = outcome.withLock({ $0 }) else { return [.reset] }
      let fields = answer.head.headerFields.map { ($0.name.rawName, $0.value) }
      return [.response(answer.status.code, fields, body: answer.text)]
    }
  }

  /// A browser, as far as cookies go. Both processes are one site to it.
  private struct Browser {
    var cookies: [String: String] = [:]
    private let transport = PlatformTransport()

    mutating func send(_ request: TransportRequest) async throws -> TransportResponse {
      var request = request
      let pairs = cookies.map { "\($0.key)=\($0.value)" }.sorted()
      if !pairs.isEmpty { request.head.headerFields[.cookie] = pairs.joined(separator: "; ") }
      let response = try await transport.send(request)
      for field in response.head.headerFields[values: .setCookie] {
        let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { continue }
        cookies[String(pair[0])] = field.contains("Max-Age=0") ? nil : String(pair[1])
      }
      return response
    }

    mutating func get(_ url: URL) async throws -> TransportResponse { try await send(.get(url)) }

    mutating func home(_ site: Site, at process: Int) async throws -> String {
      try await get(site.url("/", at: process)).text
    }

    /// Goes to the provider, where the user signs in at once.
    /// - Returns: the path and query of the callback.
    mutating func visitProvider(_ site: Site, from process: Int) async throws -> String {
      let away = try await get(site.url("/sign-in", at: process))
      #expect(away.status == .seeOther)
      let page = try #require(away.head.headerFields[.location].flatMap { URL(string: $0) })
      let callback = try site.provider.visit(page).absoluteString
      #expect(callback.hasPrefix(Site.address + "/callback?"))
      return String(callback.dropFirst(Site.address.count))
    }

    /// Signs in: one process sends the browser away, another finishes.
    mutating func signIn(_ site: Site) async throws {
      let callback = try await visitProvider(site, from: 0)
      let back = try await get(site.url(callback, at: 1))
      #expect(back.status == .seeOther, "\(back.text)")
      #expect(back.head.headerFields[.location] == Site.address + "/")
    }
  }

  private func post(_ url: URL, _ form: String, origin: String? = nil) throws -> TransportRequest {
    var request = try TransportRequest.post(url, body: Data(form.utf8), contentType: FormEncoding.mediaType)
    request.head.headerFields[.origin] = origin
    return request
  }

  @Test("OpenID-5: one process begins a sign-in, another finishes it, once and in the same browser")
  func signingIn() async throws {
    let site = try await Site()
    var browser = Browser()
    #expect(try await browser.home(site, at: 0).hasPrefix("Not signed in"))
    let callback = try await browser.visitProvider(site, from: 0)

    // The address reaches another browser, one that has begun a sign-in of its own.
    var other = Browser()
    _ = try await other.visitProvider(site, from: 1)
    #expect(try await other.get(site.url(callback, at: 1)).status == .badRequest)
    #expect(try await other.home(site, at: 1).hasPrefix("Not signed in"))
    var thief = Browser(cookies: browser.cookies)

    #expect(try await browser.get(site.url(callback, at: 1)).status == .seeOther)
    for process in [0, 1] { #expect(try await browser.home(site, at: process) == "Signed in: ann") }
    #expect(browser.cookies.keys.sorted() == ["session"])
    #expect(try await browser.get(site.url(callback, at: 0)).status == .badRequest)
    // With the sealed cookie as well, the code is used up.
    #expect(try await thief.get(site.url(callback, at: 0)).status == .badRequest)
    #expect(try await thief.home(site, at: 0).hasPrefix("Not signed in"))
  }

  @Test("OpenID-5: a logout of the provider's ends the session in all processes, and nothing else does")
  func backChannel() async throws {
    let site = try await Site()
    var browser = Browser()
    try await browser.signIn(site)
    let address = try site.url("/backchannel-logout", at: 0)
    for form in ["", "logout_token=", "logout_token=a.b.c"] {
      #expect(try await browser.send(post(address, form)).status == .badRequest, "\(form)")
    }
    #expect(try await browser.home(site, at: 1) == "Signed in: ann")
    let tokens = try site.provider.logOut("ann")
    let form = "logout_token=" + (try #require(tokens.first)).reveal()
    #expect(tokens.count == 1)
    var server = Browser()
    #expect(try await server.send(post(address, form)).status == .ok)
    for process in [0, 1] { #expect(try await browser.home(site, at: process).hasPrefix("Not signed in")) }
    #expect(try await server.send(post(address, form)).status == .badRequest, "it is good once")
  }

  @Test("SITE-1: a session that can't be read keeps no other from being ended, and the provider is told to ask again")
  func unreadable() async throws {
    let site = try await Site()
    var browser = Browser()
    try await browser.signIn(site)
    // Sealed with a key that the site does not have, as after a key file was replaced; the first of all sessions.
    let place = FileManager.default.temporaryDirectory.appending(path: "ostiary-key-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let key: BuiltInKeys = .keyFile(place.appending(path: "keys"))
    _ = try await key.makeKey(after: nil)
    let first = SessionKey("00000000-0000-0000-0000-000000000000")
    let store = EncryptedFileStore(in: site.sessions, key: key)
    try await store.save(Data("sealed elsewhere".utf8), for: first, replacing: .nothing)
    #expect(try await store.accounts().first == first)

    let token = try #require(try site.provider.logOut("ann").first)
    let address = try site.url("/backchannel-logout", at: 0)
    var server = Browser()
    var asking = try post(address, "logout_token=" + token.reveal())
    asking.timeout = .seconds(300)
    let refused = try await server.send(asking)
    #expect(refused.status == .serviceUnavailable && refused.text.hasPrefix("1 of the site's sessions"))
    for process in [0, 1] { #expect(try await browser.home(site, at: process).hasPrefix("Not signed in")) }
    try await store.remove(first, ifHolding: .anything)
    #expect(try await server.send(post(address, "logout_token=" + token.reveal())).status == .ok)
  }

  @Test("OpenID-5: a frame of the provider's page ends the session that it names, in the browser that has it")
  func frontChannel() async throws {
    let site = try await Site()
    var browser = Browser()
    try await browser.signIn(site)
    let issuer = FormEncoding.serialize([(name: "iss", value: site.provider.settings.issuer)])
    let tries: [(String, HTTPResponse.Status)] = [
      ("", .badRequest), ("?sid=session-1", .badRequest), ("?\(issuer)&sid=session-9", .ok),
    ]
    for (query, status) in tries {
      #expect(try await browser.get(site.url("/frontchannel-logout" + query, at: 0)).status == status, "\(query)")
      #expect(try await browser.home(site, at: 0) == "Signed in: ann")
    }
    var other = Browser()
    let right = "/frontchannel-logout?\(issuer)&sid=session-1"
    #expect(try await other.get(site.url(right, at: 0)).status == .ok)
    #expect(try await browser.home(site, at: 0) == "Signed in: ann")
    #expect(try await browser.get(site.url(right, at: 0)).status == .ok)
    #expect(try await browser.home(site, at: 1).hasPrefix("Not signed in"))
  }

  @Test("OpenID-5: a user signs out here and then at the provider; a form of another site ends no session")
  func signingOut() async throws {
    let site = try await Site()
    var browser = Browser()
    try await browser.signIn(site)
    let address = try site.url("/sign-out", at: 0)
    for origin in [nil, "https://evil.test"] {
      #expect(try await browser.send(post(address, "", origin: origin)).status == .forbidden)
    }
    #expect(try await browser.home(site, at: 1) == "Signed in: ann")
    let away = try await browser.send(post(address, "", origin: Site.address))
    let page = try #require(away.head.headerFields[.location].flatMap { URL(string: $0) })
    #expect(try await browser.home(site, at: 1).hasPrefix("Not signed in"))
    #expect(browser.cookies.isEmpty)
    #expect(try site.provider.visit(page).absoluteString.hasPrefix(Site.address + "/"))
    #expect(site.provider.signedInUsers.isEmpty)
  }
}
