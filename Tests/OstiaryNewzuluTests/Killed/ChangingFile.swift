import Foundation
import OstiaryCore
import OstiaryTesting

/// A file that is changed while it is uploaded, and every version that it has had.
final class ChangingFile: Sendable {
  enum Change: String, CaseIterable, Sendable {
    /// Other bytes of the same size, in the same file.
    case overwritten
    /// Another file of that name, of the same size.
    case replaced
    /// Another file of that name, of another size.
    case exchanged
    case cut, grown, deleted
    /// The same bytes, written again.
    case rewritten
  }

  private struct State: Sendable {
    var versions: [Data]
    var isThere = true
    var generator: SplitMix64
  }

  let url: URL
  private let state: Locked<State>

  /// Writes the first version.
  init(_ url: URL, size: Int, seed: UInt64) throws {
    self.url = url
    let first = bytes(size, seed: seed)
    state = Locked(State(versions: [first], generator: SplitMix64(seed: seed &+ 1)))
    try first.write(to: url)
  }

  /// What it has been.
  var versions: [Data] { state.withLock { $0.versions } }
  /// What it is; `nil` when it is deleted.
  var current: Data? { state.withLock { $0.isThere ? $0.versions.last : nil } }

  /// Changes it. What is deleted is written anew by any other change.
  /// - Parameter keepsDate: whether the date of the last change is put back.
  func change(_ change: Change, keepsDate: Bool) throws {
    let path = url.path(percentEncoded: false)
    let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    try state.withLock { state in
      guard let last = state.versions.last else { return }
      let seed = state.generator.next()
      var change = change
      if !state.isThere, change != .deleted { change = .exchanged }
      state.isThere = change != .deleted
      switch change {
      case .overwritten:
        let next = bytes(last.count, seed: seed)
        try write { try $0.write(contentsOf: next) }
        state.versions.append(next)
      case .replaced, .exchanged:
        let next = bytes(last.count + (change == .replaced ? 0 : Int(seed % 90) - 45), seed: seed)
        try next.write(to: url, options: .atomic)
        state.versions.append(next)
      case .cut:
        let next = Data(last.prefix(max(1, last.count / 2)))
        try write { try $0.truncate(atOffset: UInt64(next.count)) }
        state.versions.append(next)
      case .grown:
        let more = bytes(70, seed: seed)
        try write { file in
          try file.seekToEnd()
          try file.write(contentsOf: more)
        }
        state.versions.append(last + more)
      case .deleted: try? FileManager.default.removeItem(at: url)
      case .rewritten: try last.write(to: url, options: .atomic)
      }
      if keepsDate, change != .deleted, let date {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
    }
  }

  private func write(_ body: (FileHandle) throws -> Void) throws {
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try body(file)
  }
}
