import Foundation
import Testing

@Suite("The example that signs up on a terminal", .timeLimit(.minutes(20)))
struct SignUpOnATerminalTests {
  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Examples/SignUpOnATerminal/onboarding.json").standardizedFileURL
    .path(percentEncoded: false)

  private func run(_ answers: String...) async throws -> Example {
    try await Example.run(
      "SignUpOnATerminal", [Self.document], input: answers.joined(separator: "\n"), environment: ["LANG": "en_US.UTF-8"]
    )
  }

  @Test("What is wrong is said and asked again: a short password at once, a taken address when the app has been asked")
  func signUp() async throws {
    let run = try await run("ada@example.com", "short", "twelve letters", "Grace", "grace@example.com", "", "")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("! Please choose a longer password."))
    #expect(run.output.contains("! That address has an account. Log in, or take another."))
    #expect(run.lines.last?.hasSuffix("Welcome, Grace. You are grace@example.com.") == true, "\(run.output)")
    #expect(!run.output.contains("twelve letters"))
  }

  @Test("Who has an account goes over to the log-in")
  func logIn() async throws {
    let run = try await run(":1", "ada@example.com", "wrong", "", "analytical engine")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("! The e-mail address or the password is wrong."))
    #expect(run.lines.last?.hasSuffix("You are ada@example.com.") == true, "\(run.output)")
  }

  @Test("The end of input is no sign-up")
  func end() async throws {
    let run = try await run("ada@example.com")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.lines.last?.hasSuffix("Another time, then.") == true, "\(run.output)")
  }

  @Test("A document that can't be used is refused with the place of each problem")
  func broken() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-onboarding-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "broken.json")
    try Data(#"{"format": 1, "id": "x", "version": 1, "language": "en", "flows": [{"id": "f"}]}"#.utf8).write(to: file)
    let run = try await Example.run("SignUpOnATerminal", [file.path(percentEncoded: false)], input: "")
    #expect(run.status == 1)
    #expect(run.output.contains("$.flows[0]"), "\(run.output)")
  }
}
