import ArgumentParser
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryHTML
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve with account pages that are drawn from a document", .timeLimit(.minutes(20)))
struct ExperienceServeTests {
  private static let document = """
    {"format": 1, "id": "own", "version": 1, "type": "login", "texts": {"en": {"t": "Come in"}},
     "flows": [{"id": "f", "kind": "login", "screens": [{"id": "s", "title": {"key": "t"}, "fields": [
       {"key": "username", "kind": "text", "label": "User", "required": true, "autofill": "username"},
       {"key": "password", "kind": "password", "label": "Password", "required": true}],
       "actions": [{"id": "x", "kind": "submit"}]}]}]}
    """

  private static func write(_ text: String, _ name: String, _ sandbox: Sandbox) throws {
    try text.write(to: sandbox.folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  @Test("Without the option pages are the server's own; with it they are the file's, or the starter's")
  func options() throws {
    let sandbox = try Sandbox()
    try Self.write(Self.document, "own.json", sandbox)
    func experience(_ arguments: [String]) throws -> Data? {
      var server = ServerConfiguration()
      try AccountsCommandDoor.parse(arguments).configure(&server, sandbox.environment())
      return server.accounts?.experience
    }
    #expect(try experience([]) == nil)
    #expect(try experience(["--experience", "own.json"]) == Data(Self.document.utf8))
    #expect(try experience(["--experience", "starter"]) == StarterExperience.document)
  }

  @Test(
    "What can't be drawn is refused before anything starts, with the problem and its place",
    arguments: [
      ("none.json", "can't be read"), ("bad.json", "$.flows[0].kind: "), ("trap.json", "$.flows[0].screens[0]: "),
      ("nobody.json", "$.flows[0]: The server needs a field “password” in this flow"),
    ])
  func refused(file: String, words: String) async throws {
    let sandbox = try Sandbox()
    try Self.write(Self.document.replacing("\"kind\": \"login\"", with: "\"kind\": \"x\""), "bad.json", sandbox)
    try Self.write(Self.document.replacing("{\"id\": \"x\", \"kind\": \"submit\"}", with: ""), "trap.json", sandbox)
    try Self.write(Self.document.replacing("\"key\": \"password\"", with: "\"key\": \"pin\""), "nobody.json", sandbox)
    let outcome = await sandbox.run(["serve", "--in-memory", "--port", "0", "--experience", file])
    #expect(outcome.status != 0 && outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }

  // MARK: A server that is killed

  /// A person at the pages of a server, wherever it is by now.
  private final class Person: Sendable {
    private let cookies = Locked(CookieJar())
    private let transport: CommandTransport

    init() throws { transport = try CommandTransport(trusting: nil) }

    struct Lost: Error {}

    func close() async { await transport.close() }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
      var request = request
      let now = Date()
      request.head.headerFields[.cookie] = cookies.withLock { [head = request.head] in $0.header(for: head, now: now) }
      let response = try await transport.send(request)
      cookies.withLock { [head = request.head] in _ = $0.storeAll(from: response.head, to: head, now: now) }
      return response
    }

    func get(_ url: URL) async throws -> TransportResponse { try await send(.get(url)) }

    /// Sends a form, and goes where that leads.
    func post(_ pairs: [(name: String, value: String)], to url: URL) async throws -> TransportResponse {
      let response = try await send(
        .post(url, body: Data(FormEncoding.serialize(pairs).utf8), contentType: FormEncoding.mediaType))
      guard let location = response.head.headerFields[.location], let next = URL(string: location, relativeTo: url)
      else { return response }
      return try await send(.get(next.absoluteURL))
    }

    /// What a page's form sends, with these entries.
    static func pairs(
      _ page: TransportResponse, _ entries: [String: String], _ action: String
    ) throws -> [(name: String, value: String)] {
      guard let form = HTMLPage(page).forms.first else { throw Lost() }
      let pairs = form.fields.compactMap { field -> (name: String, value: String)? in
        guard let name = field.name, name != ":action" else { return nil }
        return (name, entries[name] ?? field.value?.reveal() ?? "")
      }
      return pairs + [(name: ":action", value: action)]
    }
  }

  private func start(_ sandbox: Sandbox) async throws -> (RunningTool, URL) {
    let server = try RunningTool(
      Tool.url,
      [
        "serve", "--data", sandbox.folder.appending(path: "data").path(percentEncoded: false), "--port", "0", "--dev",
        "--allow-sign-up", "--experience", "starter", "--json",
      ], in: sandbox)
    server.closeInput()
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(try await server.waitForOutput("\n}\n").utf8))
    return (server, try #require(document["origin"]?.string.flatMap { URL(string: $0 + "/account/signup") }))
  }

  @Test("Done-3: kill -9 between a submission and its answer: a person goes on after a reload", arguments: 0..<4)
  func killed(round: Int) async throws {
    let sandbox = try Sandbox()
    let person = try Person()
    var (server, page) = try await start(sandbox)
    let first = try Person.pairs(
      try await person.get(page), ["email": "new@example.com", "password": "a fine long password"], "continue")
    let about = try await person.post(first, to: page)
    #expect(about.text.contains("What shall we call you?"))
    let form = try Person.pairs(about, ["name": "Nele"], "create")
    if round == 0 {
      // Killed before, so that nothing has arrived.
      server.signal(SIGKILL)
    } else if round == 1 {
      // The answer has been made, and is lost.
      _ = try await person.post(form, to: page)
      server.signal(SIGKILL)
    } else {
      async let answer = try? person.post(form, to: page)
      server.signal(SIGKILL)
      _ = await answer
    }
    _ = try await server.outcome()
    (server, page) = try await start(sandbox)
    let again = try await person.post(form, to: page)
    #expect(again.text.contains("Check your mail"), "\(again.text)")
    server.signal(SIGTERM)
    _ = try await server.outcome()
    await person.close()
  }
}
