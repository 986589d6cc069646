internal import Dispatch
internal import Foundation

/// Signals to the process as something to wait for, instead of its death.
struct SignalStream {
  private let sources: [any DispatchSourceSignal]
  private let numbers: [Int32]
  private let stream: AsyncStream<Int32>
  /// Lets nobody wait any longer.
  let giveUp: @Sendable () -> Void

  /// Takes the signals over, until ``end()``.
  init(_ numbers: [Int32]) {
    self.numbers = numbers
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    self.stream = stream
    giveUp = { continuation.finish() }
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
  }

  /// Waits for one of the signals.
  /// - Returns: whether there was one; not after ``giveUp``.
  func first() async -> Bool {
    for await _ in stream { return true }
    return false
  }

  /// Gives the signals back their usual meaning.
  func end() {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
}
