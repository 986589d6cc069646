import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("request", .timeLimit(.minutes(20)))
struct RequestCommandTests {
  /// A sandbox with a profile whose server is `server`; no user is signed in, and requests elsewhere need no session.
  private func sandbox(server: String = "http://127.0.0.1:1/prweb") throws -> Sandbox {
    let sandbox = try Sandbox()
    let url = try #require(URL(string: server))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("pega"), server: url, user: "alice", method: "basic", certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    return sandbox
  }

  @Test("Method, fields and body travel as given; a body makes it a POST")
  func travels() async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let file = sandbox.folder.appending(path: "body.txt")
    try Data("from a file".utf8).write(to: file)
    let url = server.url("/x?q=1").absoluteString
    await sandbox.run(["request", url, "-H", "X-One: 1", "-H", "X-One: two : 2", "-X", "put", "-d", "a=b"])
    await sandbox.run(["request", url, "-d", "@\(file.path)", "-H", "Content-Type: text/plain"])
    await sandbox.run(["request", url, "-d", "@-"], input: "from input")
    let requests = try await server.waitForRequests(3)
    #expect(requests.map(\.method) == ["PUT", "POST", "POST"])
    #expect(requests.map(\.text) == ["a=b", "from a file", "from input"])
    #expect(requests[0].target == "/x?q=1")
    #expect(requests[0].fields[values: try #require(.init("X-One"))] == ["1", "two : 2"])
    #expect(requests[0].fields[.contentType] == "application/x-www-form-urlencoded")
    #expect(requests[1].fields[.contentType] == "text/plain")
  }

  @Test(
    "A body that is a JSON object or list is sent as JSON, any other as a form, unless a field says otherwise",
    arguments: [
      (#"{"a":1}"#, nil, "application/json"), (" [1, 2]\n", nil, "application/json"), ("{a}", nil, "form"),
      ("7", nil, "form"), ("\"a\"", nil, "form"), ("", nil, "form"), ("a=1", nil, "form"),
      (#"{"a":1}"#, "text/plain", "text/plain"),
    ] as [(String, String?, String)])
  func bodyTypes(body: String, field: String?, type: String) async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let more = field.map { ["-H", "Content-Type: \($0)"] } ?? []
    await sandbox.run(["request", server.url("/").absoluteString, "-d", body] + more)
    let requests = try await server.waitForRequests(1)
    let request = try #require(requests.first)
    #expect(request.fields[.contentType]?.hasSuffix(type == "form" ? "x-www-form-urlencoded" : type) == true)
    #expect(request.text == body)
  }

  @Test("A request to another server goes without the session, and says so")
  func elsewhere() async throws {
    let other = try LoopbackServer(answering: [.response(body: "other")])
    defer { other.stop() }
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      let outcome = await sandbox.run(["request", other.url().absoluteString])
      #expect(outcome.output == "other")
      #expect(outcome.error.contains("without the session"))
      let request = try #require(try await other.waitForRequests(1).first)
      #expect(request.fields[.cookie] == nil)
      #expect(request.fields[.authorization] == nil)
    }
  }

  @Test("-i prints the head, without the values of cookies; --json likewise")
  func head() async throws {
    let server = try LoopbackServer(
      answering: [
        .response(
          404, [("Set-Cookie", "sid=planted-cookie-value; Path=/"), ("Set-Cookie", "planted-bare"), ("X-A", "b")],
          body: "gone")
      ])
    defer { server.stop() }
    let sandbox = try sandbox()
    let text = await sandbox.run(["request", server.url().absoluteString, "-i"])
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("HTTP 404"))
    #expect(text.output.contains("Set-Cookie: sid=‹secret›; Path=/"))
    #expect(text.output.hasSuffix("\n\ngone"))
    let json = await sandbox.run(["request", server.url().absoluteString, "--json"])
    for output in [text.output, json.output] { #expect(!output.contains("planted")) }
    let failing = await sandbox.run(["request", server.url().absoluteString, "--fail"])
    #expect(failing.status == 6)
    #expect(failing.output.isEmpty)
  }

  @Test("Bytes that are not text come through whole, in a file and in JSON, and never disturb a terminal")
  func binary() async throws {
    let bytes = Data((0...255).map { UInt8($0) })
    let server = try LoopbackServer(
      answering: [.head(200, [("Content-Length", "\(bytes.count)")]), .send(bytes)])
    defer { server.stop() }
    let sandbox = try sandbox()
    let url = server.url().absoluteString
    let file = sandbox.folder.appending(path: "out.bin")
    #expect(await sandbox.run(["request", url, "--output", file.path]).status == 0)
    #expect(try Data(contentsOf: file) == bytes)
    let json = try await sandbox.run(["request", url, "--json"]).json()
    #expect(json["bodyBase64"]?.string == bytes.base64EncodedString())
    let terminal = await sandbox.run(["request", url], isTerminal: true)
    #expect(terminal.status == 2)
    #expect(!terminal.output.contains("\u{1B}"))
  }

  @Test("A body that breaks off is exit status 5, and leaves the file that was there")
  func brokenOff() async throws {
    let server = try LoopbackServer(answering: [.head(200, [("Content-Length", "100")]), .send("ten bytes."), .close])
    defer { server.stop() }
    let sandbox = try sandbox()
    let file = sandbox.folder.appending(path: "out.txt")
    try Data("before".utf8).write(to: file)
    let outcome = await sandbox.run(["request", server.url().absoluteString, "--output", "out.txt"])
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(try Data(contentsOf: file) == Data("before".utf8))
    #expect(try sandbox.contents().keys.allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test("A server that never answers is a time-out, exit status 5")
  func timeOut() async throws {
    let server = try LoopbackServer(answering: [.hold])
    defer { server.stop() }
    let outcome = try await sandbox().run(["request", server.url().absoluteString, "--timeout", "0.2"])
    #expect(outcome.status == 5)
  }

  @Test(
    "What can't be a request is refused before anything is sent",
    arguments: [
      ["nonsense"], ["ftp://host/"], ["http://h/", "-H", "no colon"], ["http://h/", "-H", "bad name: x"],
      ["http://h/", "-H", "X: a\u{0}b"], ["http://h/", "-X", "BAD METHOD"], ["http://h/", "-d", "@missing"],
      ["http://h/", "--output", "."], ["http://h/", "--output", "missing/x"], ["http://u:planted-pw@h/"],
      ["ftp://u:planted-pw@h/"], ["u:planted-pw@h"], ["http://u:planted-pw@bad host/"],
    ])
  func refused(arguments: [String]) async throws {
    let outcome = try await sandbox().run(["request"] + arguments)
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(!outcome.error.contains("\u{0}"))
    #expect(!outcome.error.contains("planted-pw"))
  }

  @Test("A file that is replaced keeps its permissions, and a symbolic link to it stays one")
  func replaced() async throws {
    let server = try LoopbackServer(answering: [.response(body: "new")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let files = FileManager.default
    let file = sandbox.folder.appending(path: "secret.txt")
    let link = sandbox.folder.appending(path: "link")
    try Data("what was there before".utf8).write(to: file)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try files.createSymbolicLink(at: link, withDestinationURL: file)
    #expect(await sandbox.run(["request", server.url().absoluteString, "--output", "link"]).status == 0)
    #expect(try Data(contentsOf: file) == Data("new".utf8))
    #expect(try sandbox.permissions("secret.txt") == 0o600)
    #expect(try files.destinationOfSymbolicLink(atPath: link.path) == file.path)
  }

  #if os(Linux)
    @Test("A full disk is told as one")
    func fullDisk() async throws {
      let server = try LoopbackServer(answering: [.response(body: "text")])
      defer { server.stop() }
      let outcome = try await sandbox().run(["request", server.url().absoluteString, "--output", "/dev/full"])
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("No space left"))
    }
  #endif

  @Test(
    "No control character reaches a terminal, C1 neither, wherever the pieces are cut",
    arguments: [["a\u{9B}31mred"], ["a\u{9D}0;title\u{9C}"], ["\u{1B}[2J"], ["\u{7F}"]])
  func controls(body: [String]) async throws {
    let bytes = Data(body.joined().utf8)
    let server = try LoopbackServer(
      answering: [.head(200, [("Content-Length", "\(bytes.count)")])] + bytes.map { .send(Data([$0])) })
    defer { server.stop() }
    let outcome = try await sandbox().run(["request", server.url().absoluteString], isTerminal: true)
    #expect(outcome.status == 2)
    let controls: (Unicode.Scalar) -> Bool = { (0x7F..<0xA0).contains($0.value) || $0.value == 0x1B }
    #expect(!outcome.output.unicodeScalars.contains(where: controls))
  }

  @Test("Text in any language reaches a terminal")
  func languages() async throws {
    let text = "é日本 \u{C0}\u{DF} 🙂\tand\r\nmore\n"
    let server = try LoopbackServer(answering: [.response(body: text)])
    defer { server.stop() }
    let outcome = try await sandbox().run(["request", server.url().absoluteString], isTerminal: true)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output == text)
  }

  @Test("A server that asks to wait is told with the time")
  func retryAfter() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      for _ in 0..<5 { await sandbox.run(server.login, answers: ["wrong"]) }
      let outcome = await sandbox.run(server.login, answers: [PegaServer.password])
      #expect(outcome.status == 4)
      #expect(outcome.error.contains(/Try again in [1-9][0-9]? seconds?\./), "\(outcome.error)")
    }
  }

  @Test(
    "Bug-B12: a field that follows from the URL, the body or the connection is refused, not dropped",
    arguments: ["Host: a", "Content-Length: 3", "transfer-encoding: chunked", "Connection: close"])
  func ownFields(field: String) async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let outcome = try await sandbox().run(["request", server.url().absoluteString, "-H", field])
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.error.contains(field.prefix { $0 != ":" }) && outcome.error.contains("can't be set"))
    #expect(server.requests.isEmpty)
  }

  @Test("Bug-B12: a body that stalls is a time-out, exit status 5", arguments: [[], ["--output", "out"], ["--json"]])
  func stalled(options: [String]) async throws {
    let server = try LoopbackServer(answering: [.head(200, [("Content-Length", "100")]), .send("ten bytes."), .hold])
    defer { server.stop() }
    let sandbox = try sandbox()
    let outcome = await sandbox.run(["request", server.url().absoluteString, "--timeout", "5"] + options)
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(outcome.error.contains("nothing more for 5 seconds") && outcome.error.contains("--timeout"))
    #expect(try sandbox.contents().keys.allSatisfy { !$0.hasPrefix("out") })
  }

  @Test(
    "Bug-B12: characters that turn the direction of text reach no terminal, wherever the pieces are cut",
    arguments: ["a\u{202E}b", "\u{2066}", "ab\u{202A}"])
  func directions(body: String) async throws {
    let bytes = Data(body.utf8)
    let server = try LoopbackServer(
      answering: [.head(200, [("Content-Length", "\(bytes.count)")])] + bytes.map { .send(Data([$0])) })
    defer { server.stop() }
    let url = server.url().absoluteString
    let outcome = try await sandbox().run(["request", url], isTerminal: true)
    #expect(outcome.status == 2)
    #expect(!outcome.output.unicodeScalars.contains { $0.isUnprintable })
    #expect(try await sandbox().run(["request", url]).output == body)
  }
}
