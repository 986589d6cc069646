import Foundation
import OstiaryTesting

/// A terminal of its own for a test: one pane of a tmux that no person looks at, driven in its control mode (tmux(1)). It is
/// gone with the value.
final class TmuxPane: Sendable {
  private struct State: Sendable {
    /// Everything that was shown. What is written over a line, as that of waiting is, stands in a line of its own.
    var shown: [UInt8] = []
    /// Whether the next byte is written at the begin of the line.
    var hasReturned = false
    /// What tmux answered to commands, in their order.
    var replies: [[String]] = []
    /// The answer that is coming in.
    var reply: [String]?
    var hasEnded = false

    /// Adds what was written: pieces of it, wherever they end.
    mutating func show(_ bytes: [UInt8]) {
      for byte in bytes {
        guard byte != 0x0D else {
          hasReturned = true
          continue
        }
        if hasReturned, byte != 0x0A { shown.append(0x0A) }
        hasReturned = false
        shown.append(byte)
        // What takes away the rest of a line shows nothing.
        if shown.suffix(3) == [0x1B, 0x5B, 0x4B] { shown.removeLast(3) }
      }
    }
  }

  struct Ended: Error {}

  private let client: ChildProcess
  private let state = Awaited(State())

  /// tmux, where there is one.
  static var tmux: URL? { ChildProcess.find("tmux") }

  /// Starts a shell's command in a pane.
  /// - Parameter folder: where it runs, and where tmux has its socket.
  init(
    _ tmux: URL, _ command: String, in folder: URL, variables: [String: String] = [:], columns: Int = 200,
    rows: Int = 50
  ) async throws {
    var environment = ProcessInfo.processInfo.environment
    // The test runner's own preloads are no business of the command's, nor is a tmux around it.
    for name in ["LD_PRELOAD", "TMUX", "TMUX_PANE"] { environment[name] = nil }
    environment.merge(["LC_ALL": "C.UTF-8", "TERM": "screen", "NO_COLOR": "1"]) { $1 }
    environment.merge(variables) { $1 }
    // A server of its own: one whose last session has just ended would take this one down with it.
    let name = "tmux-\(UInt32.random(in: .min ... .max))"
    let socket = folder.appending(path: name).path(percentEncoded: false)
    client = try ChildProcess(
      tmux, ["-u", "-S", socket, "-f", "/dev/null", "-C", "new-session", "-x", "\(columns)", "-y", "\(rows)", command],
      environment: environment, directory: folder, input: .pipe, output: .pipe)
    if let output = client.output {
      Thread.detachNewThread { [state] in
        var unread: [UInt8] = []
        while true {
          let piece = output.availableData
          if piece.isEmpty { break }
          unread += piece
          while let end = unread.firstIndex(of: 0x0A) {
            Self.take(Array(unread[..<end]), state)
            unread.removeFirst(end + 1)
          }
        }
        state.update { $0.hasEnded = true }
      }
    }
    // The pane goes when this process does, also when it is killed.
    try await send("set-option destroy-unattached on")
  }

  deinit { client.kill() }

  private static func take(_ line: [UInt8], _ state: Awaited<State>) {
    let text = String(decoding: line, as: UTF8.self)
    state.update { state in
      if text.hasPrefix("%begin ") {
        // Those of flag 1 answer what was sent here.
        state.reply = text.hasSuffix(" 1") ? [] : nil
      } else if text.hasPrefix("%end ") || text.hasPrefix("%error ") {
        if let reply = state.reply { state.replies.append(reply) }
        state.reply = nil
      } else if state.reply != nil {
        state.reply?.append(text)
      } else if text.hasPrefix("%output ") {
        let start = line.dropFirst(8).firstIndex(of: 0x20).map { $0 + 1 } ?? line.endIndex
        state.show(unescaped(line[start...]))
      }
    }
  }

  /// Bytes that tmux writes as a backslash and three octal digits.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        result.append(code)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Sends tmux a command and returns its answer.
  @discardableResult
  private func send(_ command: String) async throws -> [String] {
    let number = state.read(\.replies.count)
    try client.input?.write(contentsOf: Data("\(command)\n".utf8))
    let reply = try await state.wait(for: "tmux to answer “\(command)”") { state -> [String]?? in
      if state.replies.count > number { return state.replies[number] }
      return state.hasEnded ? .some(nil) : nil
    }
    guard let reply else { throw Ended() }
    return reply
  }

  /// Everything that was shown so far.
  var shown: String { state.read { String(decoding: $0.shown, as: UTF8.self) } }

  /// Waits until a text was shown so many times.
  func waitFor(_ text: String, times: Int = 1) async throws {
    let found = try await state.wait(for: "“\(text)” in the pane") { state -> Bool? in
      let shown = String(decoding: state.shown, as: UTF8.self)
      if shown.components(separatedBy: text).count > times { return true }
      return state.hasEnded ? false : nil
    }
    if !found { throw Ended() }
  }

  /// Waits until a line with a text was shown to its end: tmux tells in pieces what is shown.
  func waitForLine(_ text: String) async throws {
    let found = try await state.wait(for: "a line with “\(text)” in the pane") { state -> Bool? in
      let shown = String(decoding: state.shown, as: UTF8.self)
      if let place = shown.range(of: text), shown[place.upperBound...].contains("\n") { return true }
      return state.hasEnded ? false : nil
    }
    if !found { throw Ended() }
  }

  /// What stands in the pane, and has scrolled out of it, line by line.
  func lines() async throws -> [String] { try await send("capture-pane -p -J -S -") }

  /// The same, row by row: a line that the terminal had to break is several.
  func rows() async throws -> [String] { try await send("capture-pane -p -S -") }

  /// The pane's terminal.
  func device() async throws -> String { try await send("display-message -p '#{pane_tty}'").first ?? "" }

  /// Types a line and Return.
  func type(line: String) async throws {
    if !line.isEmpty { try await type(line) }
    try await press("Enter")
  }

  /// Types a text, without Return.
  func type(_ text: String) async throws { try await send("send-keys -l -- '\(text.replacing("'", with: #"'\''"#))'") }

  /// Presses a key, such as `C-c`.
  func press(_ key: String) async throws { try await send("send-keys \(key)") }
}

extension TmuxPane {
  /// Starts a script of the shell in a pane, with the command's path in `$OSTIARY`. The pane stays when it has ended.
  convenience init(
    _ tmux: URL, script: String, in sandbox: Sandbox, variables: [String: String] = [:], columns: Int = 200,
    rows: Int = 50
  ) async throws {
    try Data("\(script)\nexec tail -f /dev/null\n".utf8).write(to: sandbox.folder.appending(path: "run.sh"))
    let own = ["OSTIARY_HOME": sandbox.path, "OSTIARY": try Tool.url.path(percentEncoded: false)]
    try await self.init(
      tmux, "exec sh run.sh", in: sandbox.folder, variables: own.merging(variables) { $1 }, columns: columns, rows: rows
    )
  }

  /// Runs the command in a pane, which then shows how it ended, and whether the terminal shows what is typed.
  /// - Parameter arguments: as the shell reads them.
  convenience init(_ tmux: URL, command arguments: String, in sandbox: Sandbox, columns: Int = 200) async throws {
    let script = """
      trap : INT
      "$OSTIARY" \(arguments)
      echo "ended with $?"
      stty -a | grep -ow -e '-*echo' | sed 's/^/terminal: /'
      """
    try await self.init(tmux, script: script, in: sandbox, columns: columns)
  }
}
