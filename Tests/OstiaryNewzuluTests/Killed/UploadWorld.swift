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

/// What a round of killed uploads happens in: a platform, a file, and where the journal rests.
final class UploadWorld {
  private let round: UploadRound
  private let folder: URL
  private let store: URL
  private let platform: UploadPlatform
  let file: ChangingFile
  #if os(Linux)
    private let disk: SmallDisk?
  #endif
  /// Whether the journal has a disk of its own, which can become full.
  private let hasDisk: Bool
  private var processes = 0
  /// Drafts whose identifier no process could have written down before it was killed, or has heard at all.
  private var lost: Set<String> = []

  init(_ round: UploadRound, in folder: URL) throws {
    self.round = round
    self.folder = folder
    platform = try UploadPlatform()
    platform.stub.spell { $0.canResume = round.canResume }
    file = try ChangingFile(folder.appending(path: "film.mp4"), size: round.size, seed: round.seed)
    let place = folder.appending(path: "journal")
    #if os(Linux)
      disk = try round.fullAt == nil ? nil : SmallDisk(at: place, size: "256k")
      hasDisk = disk != nil
    #else
      hasDisk = false
    #endif
    store = place.appending(path: "store")
  }

  /// Runs one process.
  /// - Returns: whether it has told that the upload is done, or would have: nothing is left to go on with.
  func run(_ attempt: UploadRound.Attempt, seed: UInt64) async throws -> Bool {
    var generator = SplitMix64(seed: seed)
    let fates = (0..<64).map { _ in
      attempt.losses > 0 ? Int.random(in: 0..<attempt.losses * 2, using: &generator) : 2
    }
    let file = file
    let fullAt = hasDisk && processes == 0 ? round.fullAt : nil
    let place = store.deletingLastPathComponent()
    let (status, outcome, steps) = try await run(fatalStep: attempt.fatalStep) { _, number in
      if number == attempt.changeAt, let change = attempt.change {
        #expect(throws: Never.self) { try file.change(change, keepsDate: attempt.keepsDate) }
      }
      if number == fullAt { Self.fill(place) }
      if case .request(number, let acts) = attempt.kill { return UploadPlatform.Fate(acts: acts, kills: true) }
      let fate = fates[number % fates.count]
      return UploadPlatform.Fate(acts: fate != 0, answers: fate > 1)
    }
    guard status == 128 + SIGKILL else {
      if case .published = outcome { return true }
      return false
    }
    // Where the journal is gone because the upload is complete, the process was killed when it had nothing left to do.
    return try await journal().isEmpty && steps.contains("media.completemultipartupload done")
  }

  /// Runs processes that nothing happens to, until the upload is done.
  func finish() async throws {
    // An address that a server without the resuming call gives no more costs an attempt.
    for _ in 0..<(round.canResume ? 1 : 2) {
      let (status, outcome, _) = try await run { _, _ in UploadPlatform.Fate() }
      #expect(status == 0, "seed \(round.seed)")
      guard let current = file.current else {
        #expect(outcome == .failed(OstiaryError.Code.unusableUpload.rawValue), "seed \(round.seed)")
        return
      }
      if case .published(let id) = outcome {
        #expect(platform.stub.content(ofFile: id) == current, "seed \(round.seed): another version is published")
        return
      }
    }
    Issue.record("seed \(round.seed): the upload was not finished")
  }

  /// Looks at what is left at the platform and in the journal.
  func judge() async throws {
    let contents = platform.stub.contents.values
    let seed = "seed \(round.seed)"
    #expect(contents.allSatisfy(file.versions.contains), "\(seed): a mixture is published")
    #expect(Set(contents).count == contents.count, "\(seed): a second item of the same bytes")
    let left = platform.stub.drafts.subtracting(lost)
    #expect(left.isEmpty, "\(seed): the drafts \(left) are left behind")
    #expect(try await journal().isEmpty || round.fullAt != nil, "\(seed): the journal is not empty")
  }

  private func journal() async throws -> [String] {
    let keys = try? await FileStore(folder: store).accounts().map(\.name)
    return (keys ?? []).filter { $0.hasPrefix("newzulu-upload") || $0.hasPrefix("newzulu-owed") }
  }

  private func run(
    fatalStep: Int? = nil, script: @escaping UploadPlatform.Script
  ) async throws -> (status: Int32, outcome: UploaderOutcome?, steps: [String]) {
    processes += 1
    let (output, log) = (folder.appending(path: "output \(processes)"), folder.appending(path: "steps \(processes)"))
    try Data().write(to: log)
    let settings = UploaderSettings(
      server: platform.url, file: file.url, store: store, log: log, fatalStep: fatalStep, partSize: round.partSize,
      parallelParts: round.parallelParts, journalDelay: round.journalDelay,
      readsWhileSending: round.readsWhileSending)
    let status = try await platform.start(settings, output: output, script: script).status()
    try await platform.waitForQuiet()
    let steps = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    // An identifier that the journal has not got can't be known to the next process. Before a part is sent it has got it, unless
    // the disk is full.
    if let begun = steps.lastIndex(of: "media.createmultipartupload begins"), let last = platform.begun.last,
      !steps[begun...].contains("save done"), hasDisk || !steps[begun...].contains("put begins")
    {
      lost.insert(last)
    }
    let outcome = try JSONDecoder().decode(UploaderOutcome?.self, from: Self.outcome(in: output))
    return (status, outcome, steps)
  }

  private static func outcome(in file: URL) throws -> Data {
    let data = try Data(contentsOf: file)
    return data.isEmpty ? Data("null".utf8) : data
  }

  private static func fill(_ place: URL) {
    let path = place.appending(path: "filler").path(percentEncoded: false)
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }
}

extension UploadRound.Attempt {
  fileprivate var fatalStep: Int? { if case .step(let number) = kill { number } else { nil } }
}
