import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

/// The built executable as a process of its own.
enum Tool {
  /// Where it is: beside the test bundle.
  static var url: URL {
    get throws {
      let own = URL(filePath: try #require(ProcessInfo.processInfo.arguments.first))
      var folder = own.deletingLastPathComponent()
      for _ in 0..<5 {
        let candidate = folder.appending(path: "ostiary")
        var isFolder: ObjCBool = false
        let path = candidate.path(percentEncoded: false)
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
          return candidate
        }
        folder.deleteLastPathComponent()
      }
      throw NotBuilt()
    }
  }

  struct NotBuilt: Error {}
  struct TookTooLong: Error {}

  /// Runs it to its end.
  static func run(
    _ arguments: [String], in sandbox: Sandbox, input: String = "", variables: [String: String] = [:]
  ) async throws -> Outcome {
    let process = try RunningTool(url, arguments, in: sandbox, variables: variables)
    process.send(input)
    process.closeInput()
    return try await process.outcome()
  }
}

/// A process that a test talks with. It never outlives its deadline.
final class RunningTool: Sendable {
  private let process: ChildProcess
  private let output: OutputReader
  private let error: OutputReader
  private let patience: Duration

  init(
    _ url: URL, _ arguments: [String], in sandbox: Sandbox, variables: [String: String] = [:],
    patience: Duration = .seconds(300)
  ) throws {
    self.patience = patience
    var all = ProcessInfo.processInfo.environment
    // The test runner's own preloads are no business of the command's.
    for name in ["NO_COLOR", "LD_PRELOAD"] { all[name] = nil }
    // Signs as the command writes them where the locale has them.
    all["LC_ALL"] = "C.UTF-8"
    all["OSTIARY_HOME"] = sandbox.path
    all.merge(variables) { $1 }
    process = try ChildProcess(
      url, arguments, environment: all, directory: sandbox.folder, input: .pipe, output: .pipe, error: .pipe)
    guard let output = process.output, let error = process.error else { throw Tool.NotBuilt() }
    self.output = OutputReader(output)
    self.error = OutputReader(error)
  }

  /// Starts what a person types into a shell at a terminal, with `ostiary` on the path. What the terminal shows is the
  /// output.
  static func atTerminal(
    _ line: String, in sandbox: Sandbox, variables: [String: String] = [:]
  ) throws -> RunningTool {
    let folder = try Tool.url.deletingLastPathComponent().path(percentEncoded: false)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try RunningTool(
      URL(filePath: "/usr/bin/env"), ["script", "-qec", line, "/dev/null"], in: sandbox,
      variables: ["PATH": "\(folder):\(path)", "SHELL": "/bin/bash", "TERM": "dumb"].merging(variables) { $1 })
  }

  var identifier: Int32 { process.identifier }

  func send(_ text: String) { try? process.input?.write(contentsOf: Data(text.utf8)) }

  func closeInput() { try? process.input?.close() }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits until standard output has `text`, and returns all of it so far.
  func waitForOutput(_ text: String) async throws -> String {
    try await withDeadline { try await self.output.wait(for: text) }
  }

  /// Waits until standard output has one of the texts, and returns all of it so far.
  func waitForOutput(oneOf first: String, _ second: String) async throws -> String {
    try await withDeadline { try await self.output.wait(for: first, or: second) }
  }

  /// Waits until standard output has a line with `text`, to its end, and returns all of it so far. What is written at once may be read in
  /// pieces.
  func waitForLine(_ text: String) async throws -> String {
    try await withDeadline { try await self.output.wait(for: text, isLine: true) }
  }

  /// Waits until standard error has `text`, and returns all of it so far.
  func waitForError(_ text: String) async throws -> String {
    try await withDeadline { try await self.error.wait(for: text) }
  }

  /// Waits for the end.
  func outcome() async throws -> Outcome {
    try await withDeadline {
      let status = await self.process.status()
      return Outcome(status: status, output: await self.output.whole(), error: await self.error.whole())
    }
  }

  private func withDeadline<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
  {
    let watchdog = Task { [process, output, error, patience] in
      try await Task.sleep(for: patience)
      process.kill()
      // What it has started may hold its pipes open.
      try await Task.sleep(for: .seconds(10))
      output.giveUp()
      error.giveUp()
    }
    defer { watchdog.cancel() }
    return try await body()
  }
}

/// Collects what a process writes, on a thread of its own.
final class OutputReader: Sendable {
  private struct State {
    var data = Data()
    var isAtEnd = false
    /// Those who wait for one of some texts, or for the end.
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    /// Nil for the end of all.
    let texts: [String]?
    /// Whether the line has to be there to its end.
    let isLine: Bool
    let continuation: CheckedContinuation<Bool, Never>

    /// Whether it is there; nil for the end of all.
    func finds(_ text: String) -> Bool? {
      texts.map { texts in
        texts.contains { wanted in
          guard let found = text.range(of: wanted) else { return false }
          return !isLine || text[found.upperBound...].contains { $0.isNewline }
        }
      }
    }
  }

  private let state = Locked(State())

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      while true {
        let piece = handle.availableData
        add(piece)
        if piece.isEmpty { return }
      }
    }
  }

  /// Waits for a text, or for another one.
  func wait(for text: String, or other: String? = nil, isLine: Bool = false) async throws -> String {
    guard await isThere([text] + (other.map { [$0] } ?? []), isLine) else { throw Tool.TookTooLong() }
    return current
  }

  /// Waits for the end.
  func whole() async -> String {
    _ = await isThere(nil)
    return current
  }

  /// Takes what was written so far for all.
  func giveUp() { add(Data()) }

  private var current: String { String(decoding: state.withLock { $0.data }, as: UTF8.self) }

  private func isThere(_ texts: [String]?, _ isLine: Bool = false) async -> Bool {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append(Waiter(texts: texts, isLine: isLine, continuation: continuation)) }
      add(nil)
    }
  }

  private func add(_ piece: Data?) {
    let ready = state.withLock { state -> [(CheckedContinuation<Bool, Never>, Bool)] in
      if let piece {
        state.data.append(piece)
        if piece.isEmpty { state.isAtEnd = true }
      }
      let text = String(decoding: state.data, as: UTF8.self)
      var ready: [(CheckedContinuation<Bool, Never>, Bool)] = []
      state.waiters.removeAll { waiter in
        let isFound = waiter.finds(text) ?? state.isAtEnd
        guard isFound || state.isAtEnd else { return false }
        ready.append((waiter.continuation, isFound))
        return true
      }
      return ready
    }
    for (continuation, isFound) in ready { continuation.resume(returning: isFound) }
  }
}
