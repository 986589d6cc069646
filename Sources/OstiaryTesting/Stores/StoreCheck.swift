public import OstiaryCore

/// One promise of the ``/OstiaryCore/SessionStore`` contract, as a check that every store has to pass.
///
/// Run all of ``StoreConformance/checks`` against a store of your own:
///
/// ```swift
/// @Test(arguments: StoreConformance.checks)
/// func keepsTheContract(check: StoreCheck) async throws {
///   let place = try TemporaryPlace()
///   try await check.run { MyStore(at: place) }
/// }
/// ```
///
/// A check ends in bounded time with every store. It finds more where it is given more: a way to make the store
/// unavailable (``StoreOutage``), and a way to open it in another process (``StoreProcess``).
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// Opens the store that is checked. Called more than once, it gives further handles on the same place: what another
  /// process would hold, where stores are shared among processes, and the same instance where they are not.
  public typealias Opener = @Sendable () async throws -> any SessionStore

  /// What is promised, in a sentence.
  public let name: String
  private let body: @Sendable (StoreSurroundings) async throws -> Void

  /// Makes a check.
  /// - Parameters:
  ///   - name: what is promised, in a sentence.
  ///   - body: throws when the promise is broken, an error that says how.
  public init(_ name: String, _ body: @escaping @Sendable (_ open: Opener) async throws -> Void) {
    self.init(name) { (surroundings: StoreSurroundings) in try await body(surroundings.open) }
  }

  init(_ name: String, in body: @escaping @Sendable (StoreSurroundings) async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Checks the store that `open` opens, which must be empty.
  /// - Parameters:
  ///   - limit: how long the check may take, in real time. A store that hangs is given up then.
  ///   - outage: makes the store unavailable; `nil` where that can't be done: such checks are passed over.
  ///   - otherProcess: opens the same place in another process; every second handle is such a one. `nil` where there is no
  ///     way to start one.
  /// - Throws: ``StoreCheckFailure`` when the promise is broken, or what the store threw where it must not.
  public func run(
    within limit: Duration = .seconds(300), outage: StoreOutage? = nil, otherProcess: Opener? = nil,
    _ open: @escaping Opener
  ) async throws {
    let surroundings = StoreSurroundings(
      limit: limit, outage: outage, open: otherProcess.map { Self.alternating(open, $0) } ?? open)
    try await StoreSurroundings.bounded(limit, "The store has not answered within \(limit).") {
      try await body(surroundings)
    }
  }

  private static func alternating(_ first: @escaping Opener, _ second: @escaping Opener) -> Opener {
    let count = Locked(0)
    return {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return try await number.isMultiple(of: 2) ? second() : first()
    }
  }

  public var description: String { name }
}

/// How a store has broken a promise.
public struct StoreCheckFailure: Error, Sendable, CustomStringConvertible {
  public let description: String

  /// Makes a failure.
  /// - Parameter description: what was expected and what came, for a person.
  public init(_ description: String) {
    self.description = description
  }
}

/// Makes the place of a store unavailable for a while: locks a keychain, stops a server, takes rights away.
public struct StoreOutage: Sendable {
  let begin: @Sendable () async throws -> Void
  let end: @Sendable () async throws -> Void

  /// Makes a way to do that.
  /// - Parameters:
  ///   - begin: makes every handle of the store unavailable before it returns.
  ///   - end: makes it available again.
  public init(
    begin: @escaping @Sendable () async throws -> Void, end: @escaping @Sendable () async throws -> Void
  ) {
    self.begin = begin
    self.end = end
  }
}

/// Everything that the ``/OstiaryCore/SessionStore`` contract promises, as checks to run against a store.
public enum StoreConformance {
  /// All checks. Each wants an empty store.
  public static let checks: [StoreCheck] = content + comparing + listing + ending + exclusion + sharing + faults
}
