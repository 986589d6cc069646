import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("Forms and bodies of request", .timeLimit(.minutes(20)))
struct MultipartFormTests {
  /// A sandbox with a profile of another server, so that requests need no session.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let url = try #require(URL(string: "http://127.0.0.1:1/prweb"))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("pega"), server: url, user: "alice", method: "basic", certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    return sandbox
  }

  /// The fields of a form as a server reads them: the head and the content of each.
  private func fields(of request: LoopbackServer.Request) throws -> [(head: String, content: String)] {
    let type = try #require(request.fields[.contentType])
    let boundary = try #require(type.split(separator: "boundary=").last.map(String.init))
    #expect(type.hasPrefix("multipart/form-data; boundary="))
    let parts = request.text.components(separatedBy: "--\(boundary)")
    #expect(parts.first == "" && parts.last == "--\r\n")
    return try parts.dropFirst().dropLast().map { part in
      let pieces = part.components(separatedBy: "\r\n\r\n")
      let content = pieces.dropFirst().joined(separator: "\r\n\r\n")
      try #require(content.hasSuffix("\r\n") && part.hasPrefix("\r\n"))
      // A line's end is one character of a text.
      return (String(try #require(pieces.first).dropFirst()), String(content.dropLast()))
    }
  }

  @Test("--form sends texts and files, with their names and types, and makes it a POST")
  func form() async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    try Data("GIF89a\r\n\r\nx".utf8).write(to: sandbox.folder.appending(path: "a;b \"c\".gif"))
    try Data("plain".utf8).write(to: sandbox.folder.appending(path: "note.txt"))
    let outcome = await sandbox.run(
      [
        "request", server.url().absoluteString, "-F", "title=Dog; and=cat @ home", "--form",
        #"photo=@"a;b \"c\".gif";type=image/gif"#, "--form", "note=@note.txt;filename=n.txt;type=text/plain",
        "--form", "rest=@-", "--form", "empty=",
      ], input: "from input")
    #expect(outcome.status == 0, "\(outcome.error)")
    let request = try #require(try await server.waitForRequests(1).first)
    #expect(request.method == "POST")
    #expect(request.fields[.contentLength] == "\(request.body.count)")
    let fields = try fields(of: request)
    let name = { (text: String) in "Content-Disposition: form-data; name=\"\(text)\"" }
    #expect(
      fields.map(\.head) == [
        name("title"), name("photo") + "; filename=\"a;b %22c%22.gif\"\r\nContent-Type: image/gif",
        name("note") + "; filename=\"n.txt\"\r\nContent-Type: text/plain",
        name("rest") + "; filename=\"-\"\r\nContent-Type: application/octet-stream", name("empty"),
      ])
    #expect(fields.map(\.content) == ["Dog; and=cat @ home", "GIF89a\r\n\r\nx", "plain", "from input", ""])
  }

  @Test("A form with a file of more than 1 MiB is whole, and its length is announced")
  func largeForm() async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let content = String(repeating: "0123456789abcdef", count: 1 << 17) + "end"
    try Data(content.utf8).write(to: sandbox.folder.appending(path: "large.txt"))
    let outcome = await sandbox.run(
      ["request", server.url().absoluteString, "--form", "a=1", "--form", "file=@large.txt", "--form", "b=2"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let request = try #require(try await server.waitForRequests(1).first)
    #expect(request.fields[.contentLength] == "\(request.body.count)")
    #expect(try fields(of: request).map(\.content) == ["1", content, "2"])
  }

  @Test("Bodies of more than 1 MiB arrive whole: a file with its length, standard input and a pipe in chunks")
  func largeData() async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let content = String(repeating: "{\"a\": 1}", count: 1 << 18)
    try Data(content.utf8).write(to: sandbox.folder.appending(path: "large.json"))
    let address = server.url().absoluteString
    #expect(await sandbox.run(["request", address, "--data", "@large.json"]).status == 0)
    #expect(await sandbox.run(["request", address, "--data", "@-"], input: content).status == 0)
    let shell = try RunningTool(
      URL(filePath: "/bin/bash"), ["-c", "\"$OSTIARY\" request \(address) --data @<(cat large.json)"], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    let outcome = try await shell.outcome()
    #expect(outcome.status == 0, "\(outcome.error)")
    let requests = try await server.waitForRequests(3)
    for request in requests { #expect(request.text == content) }
    #expect(requests.map { $0.fields[.contentLength] } == ["\(content.utf8.count)", nil, nil])
    #expect(requests.map { $0.fields[.transferEncoding] } == [nil, "chunked", "chunked"])
  }

  @Test(
    "What can't be a body is refused before anything is sent, with what to write",
    arguments: [
      (["--form", "picture"], "--form NAME=@FILE"), (["--form", "=x"], "--form NAME=VALUE"),
      (["--form", "a=@"], "--form NAME=@FILE"), (["--form", "a=@f;colour=red"], ";type=image/png"),
      (["--form", "a=@f;type=png"], "type=image/png"), (["--form", "a=@f;type=a/b\u{0}"], "type=image/png"),
      (["--form", "a=@missing"], "missing can't be read: No such file"), (["--form", "a=@."], "folder"),
      (["--data", "@."], "folder"), (["--form", "a=1", "--data", "b"], "--data or by --form"),
      (["--form", "a=@-", "--form", "b=@-"], "read once"),
      (["--data", "@-", "--password-stdin"], "--password-file FILE"),
      (["--form", "a=@-", "--password-stdin"], "read once"),
      (["--form", "a=1", "-H", "Content-Type: multipart/form-data"], "Leave -H 'Content-Type: …' out"),
    ])
  func refused(options: [String], words: String) async throws {
    let server = try LoopbackServer(answering: [.response(body: "ok")])
    defer { server.stop() }
    let sandbox = try sandbox()
    try Data("x".utf8).write(to: sandbox.folder.appending(path: "f"))
    let outcome = await sandbox.run(["request", server.url().absoluteString] + options)
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.output.isEmpty && outcome.error.contains(words), "\(outcome.error)")
    #expect(server.requests.isEmpty)
  }

  @Test("--fail prints no body and writes no file; --include still shows the head")
  func fails() async throws {
    let server = try LoopbackServer(answering: [.response(500, [("X-Why", "broken")], body: "a page about it")])
    defer { server.stop() }
    let sandbox = try sandbox()
    let address = server.url().absoluteString
    let plain = await sandbox.run(["request", address, "--fail"])
    #expect(plain.status == 6 && plain.output.isEmpty && plain.error.contains("500"), "\(plain)")
    let head = await sandbox.run(["request", address, "--fail", "--include"])
    #expect(head.status == 6 && head.output.contains("X-Why: broken") && !head.output.contains("page"))
    let file = await sandbox.run(["request", address, "--fail", "-o", "out.txt"])
    #expect(file.status == 6)
    #expect(try !sandbox.contents().keys.contains { $0.hasPrefix("out.txt") })
    let json = await sandbox.run(["request", address, "--fail", "--json"])
    #expect(try json.status == 6 && json.json()["status"] == 500 && json.json()["body"] == nil)
  }
}
