import Foundation
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The SDK's advice is for apps. What of it can reach a person at a terminal has other words.
@Suite("The SDK's advice in the command's words", .timeLimit(.minutes(20)))
struct CommandWordingTests {
  private static let modules = [
    "OstiarySystem", "OstiaryCore", "OstiarySealing", "OstiaryHTML", "OstiaryAsyncHTTPClient", "OstiaryOAuth",
    "OstiaryPega", "OstiaryGateway", "OstiaryNewzulu", "OstiarySalesforce", "OstiaryExperiences", "OstiaryDialect",
  ]
  /// Parts of the SDK that the command does not use: it reports no events of experiences, and its key is a file.
  private static let unused = ["EventTracker.swift", "SealingKeySource.swift", "SystemdCredential.swift"]

  /// All literals of a piece of source, an interpolated value as a word.
  private static func literals(in source: Substring) -> [String] {
    source.matches(of: #/"((?:[^"\\]|\\\((?:[^()"]|\([^()]*\))*\)|\\.)*)"/#).map {
      String($0.output.1).replacing(#/\\\((?:[^()"]|\([^()]*\))*\)/#, with: "x").replacing("\\\"", with: "\"")
    }
  }

  /// What the SDK advises: the literals that an argument `advice:` or a property of that name has.
  private static func advice(in source: String) -> [String] {
    var found: [String] = []
    for match in source.matches(of: #/\badvice: |\b(?:let|var) [a-zA-Z]*[aA]dvice\b[^\n]*[={]/#) {
      var rest = source[match.range.upperBound...]
      if match.output.hasSuffix("{") {
        // A property: to the brace that closes it.
        var depth = 1
        rest = rest.prefix { character in
          if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
          return depth > 0
        }
      } else {
        // An expression: lines that go on with an operator belong to it.
        var lines: [Substring] = []
        for line in rest.split(separator: "\n", omittingEmptySubsequences: false) {
          let text = line.trimmingCharacters(in: .whitespaces)
          let isFirst = lines.isEmpty || (lines.count == 1 && lines[0].allSatisfy(\.isWhitespace))
          guard isFirst || text.hasPrefix("?") || text.hasPrefix(":") || text.hasPrefix("+") || text.hasPrefix("\"")
          else { break }
          lines.append(line)
        }
        rest = Substring(lines.joined(separator: "\n"))
      }
      found += literals(in: rest)
    }
    return found
  }

  private static func sources() throws -> [(name: String, text: String)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    return try modules.flatMap { module -> [(String, String)] in
      let folder = root.appending(path: module)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
      return try paths.filter { $0.hasSuffix(".swift") }.map {
        (
          String($0.split(separator: "/").last ?? ""),
          try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        )
      }
    }
  }

  @Test("Bug-B06: advice of the SDK that has words of a program has other words in the command")
  func translated() throws {
    let sources = try Self.sources()
    for name in Self.unused { #expect(sources.contains { $0.name == name }, "\(name) is gone") }
    var count = 0
    for (name, text) in sources where !Self.unused.contains(name) {
      for sentence in Self.advice(in: text) {
        count += 1
        let words = ProgramWords.found(in: CommandWording.advice(sentence))
        #expect(words.isEmpty, "\(name): “\(sentence)” needs other words in CommandWording.swift: \(words)")
      }
    }
    // The search still finds them.
    #expect(count > 100)
  }

  @Test("Bug-B06: what makes a session tells of none that is kept, and names no option that it has not")
  func noSession() async throws {
    let server = try LoopbackServer { request in
      request.path == "/large"
        ? [.head(200, [("Connection", "close")]), .repeatForever(Data(repeating: 0x20, count: 1 << 16))] : [.close]
    }
    defer { server.stop() }
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let address = "http://127.0.0.1:\(server.port)"
    let login = await sandbox.run(
      ["login", "api", "--dialect", "api.json", "--server", address, "--user", "ann"] + TokenAPI.setting,
      answers: [TokenAPI.password])
    #expect(login.status == 5 && login.error.contains("Try again."), "\(login.error)")
    #expect(!login.error.contains("the session is kept"), "\(login.error)")
    let curl = " -H 'Content-Type: application/json' -d '{\"user\":\"ann\",\"password\":\"x\"}'"
    let draft = await sandbox.run(["dialect", "new", "--curl"], input: "curl \(address)/login" + curl)
    #expect(draft.status == 5 && !draft.error.contains("the session is kept"), "\(draft.error)")
    let large = await sandbox.run(["dialect", "new", "--curl"], input: "curl \(address)/large" + curl)
    #expect(large.status == 6 && !large.error.contains("--output"), "\(large.error)")
    // The command that has both says both.
    #expect(await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password]).status == 0)
    let asked = await sandbox.run(["request", address + "/large", "--json"])
    #expect(asked.status == 6 && asked.error.contains("Use --output FILE"), "\(asked.error)")
    let lost = await sandbox.run(["request", address + "/lost"])
    #expect(lost.status == 5 && lost.error.contains("the session is kept"), "\(lost.error)")
  }

  @Test("Bug-B06: every sentence that the command says in other words is one of the SDK's")
  func current() throws {
    let sentences = Set(try Self.sources().flatMap { Self.literals(in: Substring($0.text)) })
    for sentence in CommandWording.advices.keys {
      #expect(sentences.contains(sentence), "the SDK does not say “\(sentence)” any more")
    }
    #expect(try Self.sources().contains { $0.text.contains("the app asked for it") })
    #expect(CommandWording.event("signed out because the app asked for it") == "signed out because you asked for it")
  }
}
