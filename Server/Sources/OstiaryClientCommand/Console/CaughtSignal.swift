internal import Foundation
internal import OstiaryCore

/// Moves a signal from its default action to a source of libdispatch, and back. No signal is lost in between.
///
/// On Linux libdispatch installs its handler for a signal with the first source that the process makes for it, and
/// never again (`_dispatch_muxnote_create` in its event_epoll.c). A signal that has been reset to its default action
/// needs that handler again before the next source. Ignoring the signal meanwhile would lose signals that come before
/// the source listens.
package enum CaughtSignal {
  #if !canImport(Darwin)
    /// The handlers of libdispatch, by the signal's number.
    private static let handlers = Locked<[Int32: sigaction]>([:])
  #endif

  /// Prepares the signal for a source that is about to be made. A signal that comes before the source listens has its
  /// default action, or waits for the source.
  package static func prepare(_ number: Int32) {
    #if canImport(Darwin)
      // kqueue reports an ignored signal, too.
      signal(number, SIG_IGN)
    #else
      if var handler = handlers.withLock({ $0[number] }) { sigaction(number, &handler, nil) }
    #endif
  }

  /// Resets the signal to its default action. Its source must have listened already.
  package static func release(_ number: Int32) {
    #if !canImport(Darwin)
      var current = sigaction()
      sigaction(number, nil, &current)
      handlers.withLock { [current] in $0[number] = $0[number] ?? current }
    #endif
    signal(number, SIG_DFL)
  }
}
