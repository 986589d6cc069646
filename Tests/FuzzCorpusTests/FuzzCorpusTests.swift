import Foundation
import FuzzTargets
import Testing

/// What fuzzing started from and found. Every file of the corpus, and cuts and flips of it, must be answered.
@Suite("Fuzz corpus", .timeLimit(.minutes(20)))
struct FuzzCorpusTests {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

  private func files(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appending(path: target.name), includingPropertiesForKeys: nil)
  }

  @Test(
    "Invariant 14: every parser answers its corpus, whole, cut short and damaged",
    arguments: FuzzTarget.all.map(\.name))
  func replay(name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = try files(of: target)
    #expect(files.count >= 3, "the corpus of \(name) is missing")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      try await target.run(bytes)
      for step in 0..<min(bytes.count, 48) {
        let place = bytes.count * step / 48
        try await target.run(Array(bytes[..<place]))
        var damaged = bytes
        damaged[place] ^= UInt8(truncatingIfNeeded: 1 << (step % 8))
        try await target.run(damaged)
      }
    }
  }

  @Test("Every folder of the corpus belongs to a parser")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).filter { !$0.hasPrefix(".") }
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }
}
