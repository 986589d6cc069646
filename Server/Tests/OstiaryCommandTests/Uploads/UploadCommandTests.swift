import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("upload and media", .timeLimit(.minutes(20)))
struct UploadCommandTests {
  private func signedIn(_ server: MediaServer, _ users: String...) async throws -> Sandbox {
    let sandbox = try Sandbox()
    for user in users {
      let outcome = await sandbox.run(server.login(user), answers: [MediaServer.password])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    for (name, content) in [
      ("harbour.jpg", "a photo"), ("film one.mp4", "a film of some length"), ("note.txt", "words"),
    ] {
      try Data(content.utf8).write(to: sandbox.folder.appending(path: name))
    }
    return sandbox
  }

  @Test("Bug-D11: files are uploaded, and the list of media shows the user's own")
  func uploads() async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server, "bob", "ann")
      let other = await sandbox.run(["upload", "note.txt", "--profile", "bob"])
      #expect(other.status == 0, "\(other.error)")
      let outcome = await sandbox.run(["upload", "harbour.jpg", "film one.mp4", "--parallel", "1"])
      #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
      #expect(outcome.prompts.isEmpty)
      #expect(outcome.output.contains("✓ harbour.jpg is uploaded as ") && outcome.output.contains("✓ film one.mp4 is"))

      let media = try await sandbox.run(["media", "--json"]).json()
      #expect(media["totalCount"] == 2)
      let items = try #require(media["media"]?.array)
      #expect(items.map { $0["title"] } == ["film one.mp4", "harbour.jpg"])
      #expect(items.map { $0["type"] } == ["video/mp4", "image/jpeg"])
      #expect(items.map { $0["bytes"] } == [21, 7])
      let table = await sandbox.run(["media"])
      #expect(table.status == 0 && !table.output.contains("note.txt"), "\(table.error)")
      let lines = table.output.split(separator: "\n")
      #expect(lines.count == 3 && lines[0].hasPrefix("ID") && lines[1].hasSuffix("film one.mp4"))
      #expect(lines[1].contains("21 bytes") && lines[1].contains("video/mp4"))

      let first = await sandbox.run(["media", "--limit", "1"])
      #expect(first.output.split(separator: "\n").count == 2)
      #expect(first.error.contains("These are 1 of 2.") && first.error.contains("--start 1"), "\(first.error)")
      let rest = await sandbox.run(["media", "--limit", "1", "--start", "1"])
      #expect(rest.output.contains("harbour.jpg") && rest.error.isEmpty)
      let none = await sandbox.run(["media", "--start", "2"])
      #expect(none.status == 0 && none.output.isEmpty && none.error.contains("no media to list"))
    }
  }

  @Test("Bug-D11: title, description and type are the person's, and --json says what the server calls it")
  func described() async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server, "ann")
      let outcome = await sandbox.run([
        "upload", "note.txt", "--title", "A night", "--message", "at sea", "--type", "image/png", "--json",
      ])
      let upload = try #require(try outcome.json()["uploads"]?.array?.first)
      let id = try #require(upload["id"]?.string)
      #expect(upload["file"] == "note.txt" && upload["bytes"] == 5 && upload["uploadedBytes"] == 5)
      #expect(upload["resumedBytes"] == 0 && upload["error"] == nil)
      let item = try #require(try await sandbox.run(["media", "--json"]).json()["media"]?.array?.first)
      #expect(item["id"] == .string(id) && item["title"] == "A night" && item["type"] == "image/png")
    }
  }

  @Test("Bug-D11: a session that is over is renewed with a question, once for all files")
  func sessionOver() async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server, "ann")
      try await server.application.dropSessions(ofUserNamed: "ann", tenant: "206")
      let silent = await sandbox.run(["upload", "harbour.jpg"])
      #expect(silent.status == 3, "\(silent.error)")
      let asked = await sandbox.run(
        ["upload", "harbour.jpg", "note.txt"], answers: [MediaServer.password], isTerminal: true,
        variables: ["TERM": "xterm"])
      #expect(asked.status == 0 && asked.prompts.count == 1, "\(asked.error)")
      #expect(await sandbox.run(["logout"]).status == 0)
      let out = await sandbox.run(["media"])
      #expect(out.status == 3, "\(out.error)")
    }
  }

  @Test("Bug-D11: what can't be uploaded is told before anything is sent")
  func refused() async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server, "ann")
      try Data().write(to: sandbox.folder.appending(path: "empty.jpg"))
      let before = server.application.journal?.total
      for (arguments, words) in [
        (["missing.jpg"], "missing.jpg is not a file"), (["."], "not folders"), (["/dev/null"], "not a file"),
        (["empty.jpg"], "empty.jpg is empty"), (["note.txt", "./note.txt"], "named twice"),
        (["note.txt", "harbour.jpg", "--title", "A"], "--title is for one file"),
        (["note.txt", "--parallel", "0"], "1 to 16"), ([], "Missing expected argument"),
      ] {
        let outcome = await sandbox.run(["upload"] + arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome.error)")
        #expect(outcome.error.contains(words), "\(outcome.error)")
      }
      for arguments in [["--limit", "0"], ["--start", "-1"]] {
        #expect(await sandbox.run(["media"] + arguments).status == 2)
      }
      #expect(server.application.journal?.total == before)
    }
  }

  @Test(
    "Bug-D11: a profile of another kind is told with the profile to type",
    arguments: [["upload", "note.txt"], ["media"]])
  func otherKind(arguments: [String]) async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server)
      let url = try #require(URL(string: "http://127.0.0.1:1/prweb"))
      let pega = Profile(
        name: "work", kind: AuthenticatorKind("pega"), server: url, user: "alice", method: nil, certificateFile: nil)
      try ProfileStore(sandbox.folders).change { $0.put(pega) }
      let none = await sandbox.run(arguments)
      #expect(none.status == 2 && none.error.contains("The profile work is for pega"), "\(none.error)")
      #expect(none.error.contains("ostiary login newzulu"))
      #expect(await sandbox.run(server.login(), answers: [MediaServer.password]).status == 0)
      let one = await sandbox.run(arguments + ["--profile", "work"])
      #expect(one.status == 2 && one.error.contains("Write --profile ann."), "\(one.error)")
    }
  }

  @Test("Bug-D11: one file of several that fails keeps no other back, and gives the exit status")
  func oneFails() async throws {
    try await MediaServer.run { server in
      let sandbox = try await signedIn(server, "ann")
      // Another upload has it under way.
      let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
      let file = sandbox.folder.appending(path: "note.txt").standardizedFileURL.path(percentEncoded: false)
      let words = try [server.address + "/services/json", "206", "ann@example.com", file].map {
        try #require($0.addingPercentEncoding(withAllowedCharacters: plain))
      }
      let key = SessionKey("newzulu-upload \(words.joined(separator: " "))")
      try await sandbox.folders.sessions.withExclusiveAccess(to: key, patience: .zero) {
        let outcome = await sandbox.run(["upload", "harbour.jpg", "note.txt"])
        #expect(outcome.status != 0 && outcome.output.contains("harbour.jpg is uploaded"), "\(outcome.error)")
        #expect(outcome.error.contains("✗ note.txt: "), "\(outcome.error)")
      }
    }
  }
}
