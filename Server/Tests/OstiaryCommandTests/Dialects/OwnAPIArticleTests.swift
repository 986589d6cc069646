import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The commands of the article *Your own API in ten minutes*, run as they are written. A comment before each block says what it is:
/// `names` are the names that the others use, `run` is run, and `untried: WHY` is shown only.
@Suite(
  "Your own API in ten minutes", .timeLimit(.minutes(20)),
  .enabled(if: ChildProcess.find("python3") != nil, "there is no python3"))
struct OwnAPIArticleTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let article = here.appending(
    path: "../../../../Sources/OstiaryDialect/Documentation.docc/YourOwnAPIInTenMinutes.md"
  ).standardizedFileURL

  struct Block {
    let mark: String
    let text: String
    let line: Int
  }

  struct Malformed: Error {
    let line: Int
  }

  static func blocks(_ text: String) throws -> [Block] {
    var blocks: [Block] = []
    var mark: String?
    var open: (lines: [Substring], line: Int)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        guard line == "```" else {
          open?.lines.append(line)
          continue
        }
        guard let known = mark else { throw Malformed(line: block.line) }
        blocks.append(Block(mark: known, text: block.lines.map { "\($0)\n" }.joined(), line: block.line))
        (mark, open) = (nil, nil)
      } else if line.hasPrefix("```") {
        open = ([], index + 1)
      } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
        mark = String(line.dropFirst(5).dropLast(4))
      }
    }
    guard open == nil else { throw Malformed(line: open?.line ?? 0) }
    return blocks
  }

  @Test(
    "DIALECT-C16: the article's commands do what it says, and no secret of the exchange is in a file or in their output"
  )
  func follow() async throws {
    let python = try #require(ChildProcess.find("python3"))
    let sandbox = try Sandbox()
    let api = try RunningTool(
      python, [Self.here.appending(path: "Article/api.py").path(percentEncoded: false)], in: sandbox)
    defer { api.signal(SIGKILL) }
    let said = try await api.waitForOutput("\n")
    let port = try #require(said.firstMatch(of: #/port (\d+)/#)?.1)

    let blocks = try Self.blocks(String(contentsOf: Self.article, encoding: .utf8))
    #expect(blocks.count(where: { $0.mark == "run" }) == 5)
    #expect(blocks.allSatisfy { ["names", "run"].contains($0.mark) || $0.mark.hasPrefix("untried: ") })
    var names = ""
    var outputs: [String] = []
    for block in blocks where !block.mark.hasPrefix("untried") {
      if block.mark == "names" {
        names = block.text.replacing("8765", with: port)
        #expect(names != block.text)
        continue
      }
      let outcome = try await Self.run(names + block.text, in: sandbox)
      #expect(outcome.status == 0, "line \(block.line): \(outcome.output) \(outcome.error)")
      outputs.append(outcome.output + outcome.error)
    }
    try #require(outputs.count == 5)
    #expect(outputs[0].contains("token: /token") && outputs[0].contains("Written to draft.json"))
    #expect(outputs[0].contains("is over: POST /logout was answered with 200"), "\(outputs[0])")
    #expect(outputs[1].contains("ours.json can be used"))
    #expect(outputs[2].contains("did its work") && !outputs[2].contains("nowhere"), "\(outputs[2])")
    #expect(
      outputs[3].contains("honey") && outputs[3].contains("Ann") && outputs[3].contains("Signed in as ann"),
      "\(outputs[3])")
    #expect(outputs[4].contains("ann") || outputs[4].contains("Ann"))
    for output in outputs { #expect(!output.contains("correct horse")) }
    let files = try sandbox.contents()
    let draft = String(decoding: try #require(files["draft.json"]), as: UTF8.self)
    #expect(draft.contains("{renewalToken}") && !draft.contains("127.0.0.1"))
    for (name, data) in files { #expect(!String(decoding: data, as: UTF8.self).contains("correct horse"), "\(name)") }
  }

  /// Runs a script as a person's shell would, with `ostiary` on the path.
  private static func run(_ script: String, in sandbox: Sandbox) async throws -> Outcome {
    let folder = try Tool.url.deletingLastPathComponent().path(percentEncoded: false)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let shell = try RunningTool(
      URL(filePath: "/bin/bash"), ["-euo", "pipefail", "-c", script], in: sandbox,
      variables: ["PATH": "\(folder):\(path)"])
    shell.closeInput()
    return try await shell.outcome()
  }
}
