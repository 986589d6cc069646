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
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// Opens the store that is checked. Called more than once, it gives further handles on the same place: what another
  /// process would hold, where stores are shared among processes, and the same instance where they are not.
  public typealias Opener = @Sendable () async throws -> any SessionStore

  /// What is promised, in a sentence.
  public let name: String
  private let body: @Sendable (Opener) async throws -> Void

  /// Makes a check.
  /// - Parameters:
  ///   - name: what is promised, in a sentence.
  ///   - body: throws when the promise is broken, an error that says how.
  public init(_ name: String, _ body: @escaping @Sendable (_ open: Opener) async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Checks the store that `open` opens, which must be empty.
  /// - Throws: ``StoreCheckFailure`` when the promise is broken, or what the store threw where it must not.
  public func run(_ open: @escaping Opener) async throws {
    try await body(open)
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
