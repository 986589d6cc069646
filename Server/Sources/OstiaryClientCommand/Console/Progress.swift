internal import Foundation

extension Console {
  /// Runs work that may take long. A terminal shows its name if it takes longer than a moment; other output shows
  /// nothing.
  func progress<Result: Sendable>(
    _ what: String, _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard showsProgress else { return try await work() }
    let ticker = Task { [self] in
      let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
      var index = 0
      do {
        try await Task.sleep(for: .milliseconds(300))
        while true {
          let line: Line = "\(frames[index % frames.count], .dim) \(what)…"
          try error.write(Data("\r\(line.rendered(colored: colorsErrors))\u{1B}[K".utf8))
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
}
