import Foundation
import HTTPTypes
import NetworkTestSupport
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// What becomes of a body where the request has to be sent again.
@Suite("Bodies that have to be sent again", .timeLimit(.minutes(20)))
struct RepeatedBodyTests {
  /// A server with HTTP authentication that takes the password `apple`.
  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let right = "Basic \(Data("ann:apple".utf8).base64EncodedString())"
      guard request.fields[.authorization] == right else {
        return [.response(401, [("WWW-Authenticate", "Basic realm=\"a\"")], body: "sign in")]
      }
      return [.response(body: "taken")]
    }
  }

  private func sandbox(for server: LoopbackServer) throws -> Sandbox {
    let sandbox = try Sandbox()
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("http"), server: server.url(), user: "ann", method: nil, certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    return sandbox
  }

  private static let large = String(repeating: "0123456789abcdef", count: 1 << 18)

  @Test("A file of any size, and a small standard input, are sent again after a sign-in")
  func repeated() async throws {
    let server = try server()
    defer { server.stop() }
    for (content, option) in [(Self.large, "@body"), ("small", "@body"), ("small", "@-")] {
      let sandbox = try sandbox(for: server)
      try Data(content.utf8).write(to: sandbox.folder.appending(path: "body"))
      let outcome = await sandbox.run(["request", "/take", "--data", option], answers: ["apple"], input: content)
      #expect(outcome.status == 0 && outcome.output == "taken", "\(outcome.error)")
      #expect(outcome.prompts.count == 1)
      let last = try #require(server.requests.last { $0.method == "POST" })
      #expect(last.text == content && last.fields[.authorization] != nil)
    }
  }

  @Test("A large standard input can't be sent again: the command says so, and is signed in for the next time")
  func spent() async throws {
    let server = try server()
    defer { server.stop() }
    let sandbox = try sandbox(for: server)
    let first = await sandbox.run(["request", "/take", "--data", "@-"], answers: ["apple"], input: Self.large)
    #expect(first.status == 6, "\(first.error)")
    #expect(first.error.contains("standard input, which can be read once only"), "\(first.error)")
    #expect(first.error.contains("--data @FILE") && first.output.isEmpty)
    // No half of it was taken for the whole.
    #expect(!server.requests.contains { $0.method == "POST" && $0.fields[.authorization] != nil })
    let second = await sandbox.run(["request", "/take", "--data", "@-"], answers: [], input: Self.large)
    #expect(second.status == 0 && second.output == "taken", "\(second.error)")
    #expect(server.requests.last?.text == Self.large)
  }

  @Test("A redirect that keeps the method takes a file along, and not what was read already")
  func redirected() async throws {
    let server = try LoopbackServer { request in
      request.path == "/old" ? [.redirect(307, to: "/new")] : [.response(body: "taken")]
    }
    defer { server.stop() }
    let sandbox = try sandbox(for: server)
    try Data(Self.large.utf8).write(to: sandbox.folder.appending(path: "body"))
    let file = await sandbox.run(["request", "/old", "--data", "@body"])
    #expect(file.status == 0 && server.requests.last?.text == Self.large, "\(file.error)")
    let input = await sandbox.run(["request", "/old", "--data", "@-"], input: Self.large)
    #expect(input.status == 6 && input.error.contains("read once only"), "\(input.error)")
  }

  @Test("A server that refuses at once, without reading, is told with its answer")
  func refusedEarly() async throws {
    let server = try await ByteServer(refusing: "413 Content Too Large")
    let sandbox = try Sandbox()
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    try ProfileStore(sandbox.folders).change {
      $0.put(
        Profile(name: "p", kind: AuthenticatorKind("http"), server: url, user: "ann", method: nil, certificateFile: nil)
      )
    }
    try Data(Self.large.utf8).write(to: sandbox.folder.appending(path: "body"))
    let outcome = await sandbox.run(["request", "/x", "--data", "@body", "--fail"])
    #expect(outcome.status == 6 && outcome.error.contains("413"), "\(outcome.error)")
    try await server.stop()
  }

  @Test("A server that takes no more of a body is a time-out; a source that is slow is none")
  func stalled() async throws {
    let server = try LoopbackServer(answering: [.hold])
    defer { server.stop() }
    let sandbox = try sandbox(for: server)
    try Data(Self.large.utf8).write(to: sandbox.folder.appending(path: "body"))
    let outcome = await sandbox.run(["request", "/x", "--data", "@body", "--timeout", "3"])
    #expect(outcome.status == 5 && outcome.error.contains("--timeout"), "\(outcome.error)")
  }
}
