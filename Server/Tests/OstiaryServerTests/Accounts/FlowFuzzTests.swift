import Foundation
import Testing

@testable import OstiaryServer

/// What fuzzing started from and found. Every file of the corpus, and cuts and flips of it, must be answered.
@Suite("Flows: fuzz corpus", .timeLimit(.minutes(20)))
struct FlowFuzzTests {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Fuzz/Corpus")

  @Test(
    "Invariant 14: every reader of flows answers its corpus, whole, cut short and damaged",
    arguments: FlowFuzzTarget.all.map(\.name))
  func replay(name: String) throws {
    let target = try #require(FlowFuzzTarget.all.first { $0.name == name })
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appending(path: name), includingPropertiesForKeys: nil)
    #expect(files.count >= 3, "the corpus of \(name) is missing")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      try target.run(bytes)
      for step in 0..<min(bytes.count, 48) {
        let place = bytes.count * step / 48
        try target.run(Array(bytes[..<place]))
        var damaged = bytes
        damaged[place] ^= UInt8(truncatingIfNeeded: 1 << (step % 8))
        try target.run(damaged)
      }
    }
  }

  @Test("Every folder of the corpus belongs to a reader")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).filter {
      !$0.hasPrefix(".")
    }
    #expect(Set(folders) == Set(FlowFuzzTarget.all.map(\.name)))
  }
}
