import Foundation
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Processes that upload a file are killed, and the file is changed meanwhile. What is published is one version of the file,
/// once, and no draft stays behind.
@Suite("Uploads by processes that are killed", .serialized, .timeLimit(.minutes(20))) struct KilledUploadTests {
  @Test(
    "kill -9 between any two steps, with files that change: no mixture, no second item, no draft left behind",
    arguments: Storm.seeds(15, full: 300, variable: "OSTIARY_ROUNDS"))
  func killed(seed: UInt64) async throws {
    try await UploadRound(seed: seed).play()
  }

  @Test("Bug-F22: of two processes that resume one upload the second is told that it is under way elsewhere")
  func twoProcesses() async throws {
    try await withTemporaryFolder { folder in
      let platform = try UploadPlatform()
      let file = try ChangingFile(folder.appending(path: "film.mp4"), size: 1000, seed: 1)
      func start(_ name: String, script: @escaping UploadPlatform.Script) throws -> ChildProcess {
        let log = folder.appending(path: "steps \(name)")
        try Data().write(to: log)
        let settings = UploaderSettings(
          server: platform.url, file: file.url, store: folder.appending(path: "store"), log: log)
        return try platform.start(settings, output: folder.appending(path: name), script: script)
      }
      func outcome(_ name: String) throws -> UploaderOutcome {
        try JSONDecoder().decode(UploaderOutcome.self, from: Data(contentsOf: folder.appending(path: name)))
      }
      // Ann's upload is killed after three parts.
      let killed = try start("killed") { _, number in UploadPlatform.Fate(kills: number == 4) }
      #expect(await killed.status() == 128 + SIGKILL)
      // One process goes on with it, and waits for the answer to a part; the other comes meanwhile.
      let gate = Gate()
      let first = try start("first") { _, number in UploadPlatform.Fate(gate: number == 3 ? gate : nil) }
      try await gate.waitForWaiting(1)
      let second = try start("second") { _, _ in UploadPlatform.Fate() }
      #expect(await second.status() == 0)
      #expect(try outcome("second") == .failed(OstiaryError.Code.uploadUnderWay.rawValue))
      gate.open()
      #expect(await first.status() == 0)
      guard case .published(let id) = try outcome("first") else {
        Issue.record("it is not published")
        return
      }
      #expect(platform.stub.contents == [id: file.versions[0]] && platform.stub.drafts.isEmpty)
    }
  }
}
