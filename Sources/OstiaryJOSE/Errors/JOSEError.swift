public import Foundation
internal import OstiarySystem

/// Why a token is refused, or why a key can't be used: which rule it was, in words for a person, and where the rule stands.
///
/// `switch` on ``code-swift.property`` with a `default`: codes are an open set, and rules of your own add theirs. Two errors are
/// equal when their codes are. An error holds nothing of the token or the key: it can be logged.
public struct JOSEError: Error, Sendable {
  /// The rule that refused.
  public var code: Code
  /// One sentence for a person: what was wrong.
  public var message: String
  /// Where the rule stands, such as `RFC 7515 §4.1.11`.
  public var source: String?

  /// Makes an error.
  /// - Parameters:
  ///   - message: one sentence, with nothing of the token in it.
  ///   - source: where the rule stands.
  public init(_ code: Code, _ message: String, source: String? = nil) {
    self.code = code
    self.message = message
    self.source = source
  }
}

extension JOSEError: Hashable {
  public static func == (lhs: JOSEError, rhs: JOSEError) -> Bool { lhs.code == rhs.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension JOSEError: CustomStringConvertible, LocalizedError {
  public var description: String { source.map { "\(message) (\($0))" } ?? message }
  public var errorDescription: String? { message }
}
