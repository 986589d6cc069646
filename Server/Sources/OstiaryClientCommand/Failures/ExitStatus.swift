internal import OstiaryCore

/// The command's exit status for scripts. `ostiary help exit-codes` prints this table.
package struct ExitStatus: Error, RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  /// The command succeeded.
  static let success = ExitStatus(rawValue: 0)
  /// A failure without a number of its own.
  package static let failure = ExitStatus(rawValue: 1)
  /// The command line is wrong.
  package static let usage = ExitStatus(rawValue: 2)
  /// No user is signed in, and only a person can change that.
  static let signedOut = ExitStatus(rawValue: 3)
  /// The server refused the user name or password, or has locked the account.
  static let refused = ExitStatus(rawValue: 4)
  /// The server could not be reached.
  static let network = ExitStatus(rawValue: 5)
  /// The server was reached, and failed or sent a meaningless answer.
  package static let server = ExitStatus(rawValue: 6)
  /// The session store can't be used.
  package static let store = ExitStatus(rawValue: 7)
  /// The reader did not read the output to its end. The shell reports other programs in the same way (128 + SIGPIPE).
  static let brokenPipe = ExitStatus(rawValue: 141)

  /// The table, in order.
  static let table: [(status: ExitStatus, meaning: ExitStatusMeaning)] = [
    (.success, .success), (.failure, .failure), (.usage, .usage), (.signedOut, .signedOut), (.refused, .refused),
    (.network, .network), (.server, .server), (.store, .store), (ExitStatus(rawValue: 130), .interrupted),
    (.brokenPipe, .brokenPipe),
  ]

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The status for an error.
  init(_ error: OstiaryError) {
    switch error.code {
    case .interactionRequired, .interactionCancelled, .signedOut:
      self = .signedOut
    case .invalidCredentials, .accountLocked:
      self = .refused
    case .cannotConnect, .hostNotFound, .connectionLost, .timedOut, .tlsFailed:
      self = .network
    case .storeUnavailable, .storeCorrupt, .storeConflict, .proofKeyUnavailable:
      self = .store
    case .internalError:
      self = .failure
    case .replayUnsafe:
      self = .server
    default:
      switch error.disposition {
      case .misuse: self = .usage
      case .terminal, .transient: self = .server
      }
    }
  }
}
