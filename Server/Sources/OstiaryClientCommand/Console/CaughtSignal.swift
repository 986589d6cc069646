internal import Foundation
internal import OstiaryCore

/// The way of a signal from its usual effect to a source of libdispatch, and back. There is no moment in which one is lost.
///
/// On Linux libdispatch installs its handler for a signal with the first source that the process makes for it, and never
/// again (`_dispatch_muxnote_create` in its event_epoll.c). A signal that has got its usual effect back needs that handler
/// again before the next source. Ignoring the signal meanwhile would lose what comes before the source listens.
package enum CaughtSignal {
  #if !canImport(Darwin)
    /// The handlers of libdispatch, by the signal's number.
    private static let handlers = Locked<[Int32: sigaction]>([:])
  #endif

  /// Prepares the signal for a source that is about to be made. What comes before the source listens has its usual effect,
  /// or waits for the source.
  package static func prepare(_ number: Int32) {
    #if canImport(Darwin)
      // kqueue reports a signal that is ignored, too.
      signal(number, SIG_IGN)
    #else
      if var handler = handlers.withLock({ $0[number] }) { sigaction(number, &handler, nil) }
    #endif
  }

  /// Gives the signal its usual effect back. Its source has to have listened.
  package static func release(_ number: Int32) {
    #if !canImport(Darwin)
      var current = sigaction()
      sigaction(number, nil, &current)
      handlers.withLock { [current] in $0[number] = $0[number] ?? current }
    #endif
    signal(number, SIG_DFL)
  }
}
