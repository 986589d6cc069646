import Foundation
import OstiaryCore

/// Collects what a process writes, on a thread of its own, also in a file.
final class ProcessOutput: Sendable {
  private struct State {
    var text = ""
    var isAtEnd = false
    var waiters: [(text: String, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  /// A process has ended, or was ended, before it wrote what was waited for.
  struct NotWritten: Error, CustomStringConvertible {
    let expected: String
    let written: String
    var description: String { "“\(expected)” was not written, but: \(written.suffix(2000))" }
  }

  private static let mostKept = 64 * 1024
  private let state = Locked(State())

  /// - Parameter file: gets all of it; made if need be.
  init(_ handle: FileHandle, file: URL) {
    Thread.detachNewThread { [state] in
      if !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
        _ = FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil)
      }
      let copy = try? FileHandle(forWritingTo: file)
      _ = try? copy?.seekToEnd()
      while true {
        let piece = handle.availableData
        try? copy?.write(contentsOf: piece)
        Self.add(piece, state)
        if piece.isEmpty { return }
      }
    }
  }

  /// What it has written, as far as that was kept.
  var text: String { state.withLock { $0.text } }

  /// Waits for a text, or for the end of the process.
  func wait(for text: String) async throws {
    let isThere = await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append((text, continuation)) }
      Self.add(nil, state)
    }
    guard isThere else { throw NotWritten(expected: text, written: self.text) }
  }

  /// Takes what was written so far for all.
  func giveUp() { Self.add(Data(), state) }

  private static func add(_ piece: Data?, _ state: Locked<State>) {
    let ready = state.withLock { state -> [(CheckedContinuation<Bool, Never>, Bool)] in
      if let piece {
        if state.text.utf8.count < mostKept { state.text += String(decoding: piece, as: UTF8.self) }
        if piece.isEmpty { state.isAtEnd = true }
      }
      var ready: [(CheckedContinuation<Bool, Never>, Bool)] = []
      state.waiters.removeAll { waiter in
        let isFound = state.text.contains(waiter.text)
        guard isFound || state.isAtEnd else { return false }
        ready.append((waiter.continuation, isFound))
        return true
      }
      return ready
    }
    for (continuation, isFound) in ready { continuation.resume(returning: isFound) }
  }
}
