internal import Foundation

extension Console {
  /// Runs work that may take long. A terminal shows the message if it takes longer than a moment; other output shows
  /// nothing.
  func progress<Result: Sendable>(
    _ message: some CommandMessage, _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard showsProgress else { return try await work() }
    let ticker = Task { [self] in
      let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
      var index = 0
      do {
        try await Task.sleep(for: .milliseconds(300))
        while true {
          try textError.write(progressLine(message, frame: frames[index % frames.count]))
          index &+= 1
          try await Task.sleep(for: .milliseconds(100))
        }
      } catch {
        // Cancelled: the work is done.
      }
      if index > 0 { try? error.write(Data("\r\u{1B}[K".utf8)) }
    }
    // Waits for the ticker: its line must be removed before other output is printed.
    do {
      let result = try await work()
      ticker.cancel()
      await ticker.value
      return result
    } catch {
      ticker.cancel()
      await ticker.value
      throw error
    }
  }

  /// The line as it is shown: within the terminal's width, because a line that wraps can't be taken back.
  func progressLine(_ message: some CommandMessage, frame: String) -> Data {
    // A frame and a space come first, and the last column stays free.
    let words = message.line.plain.cut(to: max(1, width(of: error) - 3))
    let line: Line = "\(frame, .dim) \(words)"
    return Data("\r\(line.rendered(colored: colorsErrors))\u{1B}[K".utf8)
  }
}
