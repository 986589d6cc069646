package import Foundation

/// What a worker is told when it starts: the first line of its input.
package struct WorkerSettings: Codable, Sendable {
  /// Where the session rests.
  package var store: WorkerStore
  /// The name it rests under.
  package var key: String
  /// The server's address.
  package var server: URL
  /// The worker's number, which its requests carry in the field `X-Process`.
  package var number: Int
  /// How long it waits for another process, in seconds.
  package var patience: Double
  /// How far its clock is ahead, in seconds.
  package var ahead: Double
  /// Whether it may sign in by itself.
  package var hasCredential: Bool
  /// Where tokens are renewed that are bound to a key; `nil` for the scripted server.
  package var tokenEndpoint: URL?

  package init(
    store: WorkerStore, key: String, server: URL, number: Int, patience: Double = 60, ahead: Double = 0,
    hasCredential: Bool = false, tokenEndpoint: URL? = nil
  ) {
    self.store = store
    self.key = key
    self.server = server
    self.number = number
    self.patience = patience
    self.ahead = ahead
    self.hasCredential = hasCredential
    self.tokenEndpoint = tokenEndpoint
  }
}

/// What a worker is told to do: one line of its input, answered by one line of its output.
package enum WorkerCommand: Codable, Sendable {
  /// Sends requests with the session, all at once.
  case requests(Int)
  /// Signs in as ann.
  case signIn
  /// Signs out.
  case signOut
  /// Sets the clock ahead, by so many seconds in all.
  case setAhead(Double)
  /// Sets a trap, or takes it away, and forgets the steps so far.
  case arm(StepTrap.Trap?)
}

/// What a worker answers.
package struct WorkerAnswer: Codable, Sendable {
  /// How many requests were answered with 200.
  package var succeeded = 0
  /// What became of the others.
  package var failures: [String] = []
  /// Who is signed in, as far as the worker knows.
  package var user: String?
  /// The steps passed since the trap was set.
  package var steps: [String] = []

  package init() {}
}
