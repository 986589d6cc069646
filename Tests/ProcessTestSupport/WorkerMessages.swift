public import Foundation

/// What a worker is told when it starts: the first line of its input.
public struct WorkerSettings: Codable, Sendable {
  /// Where the session rests.
  public var store: WorkerStore
  /// The name it rests under.
  public var key: String
  /// The server's address.
  public var server: URL
  /// The worker's number, which its requests carry in the field `X-Process`.
  public var number: Int
  /// How long it waits for another process, in seconds.
  public var patience: Double
  /// How far its clock is ahead, in seconds.
  public var ahead: Double
  /// Whether it may sign in by itself.
  public var hasCredential: Bool

  public init(
    store: WorkerStore, key: String, server: URL, number: Int, patience: Double = 60, ahead: Double = 0,
    hasCredential: Bool = false
  ) {
    self.store = store
    self.key = key
    self.server = server
    self.number = number
    self.patience = patience
    self.ahead = ahead
    self.hasCredential = hasCredential
  }
}

/// What a worker is told to do: one line of its input, answered by one line of its output.
public enum WorkerCommand: Codable, Sendable {
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
public struct WorkerAnswer: Codable, Sendable {
  /// How many requests were answered with 200.
  public var succeeded = 0
  /// What became of the others.
  public var failures: [String] = []
  /// Who is signed in, as far as the worker knows.
  public var user: String?
  /// The steps passed since the trap was set.
  public var steps: [String] = []

  public init() {}
}
