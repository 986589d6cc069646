internal import Foundation
internal import OstiaryClientCommand
internal import UnixSignals

/// The signals that stop the server: SIGINT and SIGTERM.
///
/// Until the value exists they end the process. From then on none is lost: the first one is waited for, and the second
/// one ends the process.
struct StopSignals: Sendable {
  private static let numbers = [SIGINT, SIGTERM]
  private let signals: UnixSignalsSequence

  /// Returns when the signals are caught.
  init() async {
    for number in Self.numbers { CaughtSignal.prepare(number) }
    signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
  }

  /// Waits until it is cancelled. Call it once.
  /// - Parameter stop: is called at the first signal.
  func follow(_ stop: @Sendable () -> Void) async {
    var isStopping = false
    for await signal in signals {
      // The second signal came at the same moment and was caught by the first one's handler.
      if isStopping { kill(getpid(), signal == .sigint ? SIGINT : SIGTERM) }
      isStopping = true
      release()
      stop()
    }
    release()
  }

  /// From now on a signal ends the process, also while the server is working.
  private func release() {
    for number in Self.numbers { CaughtSignal.release(number) }
  }
}
