internal import Foundation
internal import OstiaryClientCommand
internal import UnixSignals

/// The signals that stop the server: SIGINT and SIGTERM.
///
/// Until the value is there they end the process. From then on none is lost: the first one is waited for, and the second one
/// ends the process.
struct StopSignals: Sendable {
  private static let numbers = [SIGINT, SIGTERM]
  private let signals: UnixSignalsSequence

  /// Returns when the signals are caught.
  init() async {
    for number in Self.numbers { CaughtSignal.prepare(number) }
    signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
  }

  /// Waits until it is cancelled. To be called once.
  /// - Parameter stop: is called at the first signal.
  func follow(_ stop: @Sendable () -> Void) async {
    var isStopping = false
    for await signal in signals {
      // The second one found the first one's handler, because it came at the same moment.
      if isStopping { kill(getpid(), signal == .sigint ? SIGINT : SIGTERM) }
      isStopping = true
      release()
      stop()
    }
    release()
  }

  /// From now on a signal ends the process, also while the server has work to do.
  private func release() {
    for number in Self.numbers { CaughtSignal.release(number) }
  }
}
