import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Document: hostile", .timeLimit(.minutes(20)))
struct HostileDocumentTests {
  /// Generous enough to let ten megabytes in, so that the scan has to refuse them for what they hold.
  private static let open = ExperienceLimits(bytes: 64 * 1024 * 1024)

  private static func tenMegabytes(_ piece: String, before: String = "") -> Data {
    var pieces = Data(piece.utf8)
    while pieces.count < 10 * 1024 * 1024 { pieces += pieces }
    return Data(before.utf8) + pieces
  }

  @Test("Ten megabytes are refused by their size alone")
  func size() {
    let report = Experience.check(json: Self.tenMegabytes(" "))
    #expect(report.problems.map(\.code) == [.tooLarge])
  }

  @Test("Deep nesting, huge strings and numbers, and millions of values are refused before anything is made of them")
  func contents() {
    let documents = [
      Self.tenMegabytes("["), Self.tenMegabytes(#"{"a":"#), Self.tenMegabytes("x", before: "\""),
      Self.tenMegabytes(#"\""#, before: "[\""), Self.tenMegabytes("9"),
      Self.tenMegabytes("1,", before: "["),
      Self.tenMegabytes(#"{"key":"k","kind":"text"},"#, before: #"{"format":1,"flows":["#),
      Self.tenMegabytes("{}"), Self.tenMegabytes("\u{0}"),
    ]
    for document in documents {
      #expect(DocumentScan.problem(in: document, limits: Self.open)?.code == .tooLarge)
      #expect(Experience.check(json: document, limits: Self.open).problems.map(\.code) == [.tooLarge])
    }
  }

  #if os(Linux)
    /// The most memory that this process has had at once, since it was last asked to forget.
    private static func mostMemory(forgetting: Bool = false) throws -> Int {
      if forgetting { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber))) * 1024
    }

    @Test("Ten hostile megabytes are refused in less than one of memory, whatever they hold")
    func memory() async {
      // In a process of its own, where nothing else takes memory meanwhile.
      await #expect(processExitsWith: .success) {
        let kinds = [
          ("[", ""), (#"{"a":"#, ""), ("x", "\""), (#"\""#, "[\""), ("9", ""), ("1,", "["), ("{}", ""), ("\u{0}", ""),
          (#"{"key":"k","kind":"text"},"#, #"{"format":1,"flows":["#),
        ]
        // The code that refuses them, and the one that measures, are loaded when they are used for the first time.
        _ = try HostileDocumentTests.mostMemory(forgetting: true)
        for (piece, before) in kinds {
          let document = Data((before + String(repeating: piece, count: 100)).utf8)
          for limits in [ExperienceLimits(bytes: 10), ExperienceLimits(depth: 3, stringBytes: 5, values: 10)] {
            _ = Experience.check(json: document, limits: limits)
          }
        }
        for (piece, before) in kinds {
          let document = HostileDocumentTests.tenMegabytes(piece, before: before)
          for limits in [ExperienceLimits.standard, HostileDocumentTests.open] {
            let before = try HostileDocumentTests.mostMemory(forgetting: true)
            let codes = Experience.check(json: document, limits: limits).problems.map(\.code)
            let most = try HostileDocumentTests.mostMemory() - before
            #expect(codes == [.tooLarge] && most < 1024 * 1024, "\(piece): \(codes), \(most) bytes")
          }
        }
      }
    }
  #endif

  @Test("A scan keeps a few numbers, whatever it reads")
  func constantMemory() {
    #expect(_isPOD(DocumentScan.self), "nothing that could grow")
    #expect(MemoryLayout<DocumentScan>.size < 128)
  }

  @Test("The limits let the last allowed through and nothing more")
  func edges() {
    let limits = ExperienceLimits(bytes: 1_000, depth: 3, stringBytes: 5, values: 10)
    func problem(_ text: String) -> ExperienceProblem? { DocumentScan.problem(in: Data(text.utf8), limits: limits) }
    #expect(problem("[[[]]]") == nil)
    #expect(problem("[[[[]]]]") != nil)
    #expect(problem(#"["1234"]"#) == nil)
    #expect(problem(#"["12345"]"#) != nil)
    #expect(problem("[1,2,3,4,5,6,7,8,9]") == nil)
    #expect(problem("[1,2,3,4,5,6,7,8,9,0]") != nil)
    #expect(problem(#"["]"]"#) == nil)
    #expect(problem(#"["\"]]"]"#) == nil)
  }

  @Test("A document with thousands of problems tells some of them")
  func manyProblems() {
    let json =
      #"{"format":1,"id":"a","version":1,"flows":[{"id":"f","kind":"login","screens":[{"id":"s","fields":["#
      + Array(repeating: "0", count: 200).joined(separator: ",") + #"],"actions":["#
      + Array(repeating: "0", count: 200).joined(separator: ",") + "]}]}]}"
    #expect(Experience.check(json: Data(json.utf8)).problems.count == 200)
  }

  @Test("What is no JSON is one problem", arguments: ["", "{", "null x", "[1", "\u{FEFF}{}x"])
  func malformed(text: String) {
    #expect(Experience.check(json: Data(text.utf8)).problems.map(\.code) == [.malformed])
  }
}
