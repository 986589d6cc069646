public import Foundation
public import HTTPTypes

/// What went wrong, in words for a person and in a code for a program.
///
/// `switch` on ``code-swift.property`` with a `default`: codes are an open set, so a new version of Ostiary can name a
/// new failure without breaking your program. Two errors are equal when their codes are. ``disposition`` says what to
/// do: ask the user (`terminal`), try again (`transient`) or fix the program (`misuse`).
///
/// An error never carries a secret: of the request it knows the method and the host, not the query, body or fields.
public struct OstiaryError: Error, Sendable {
  /// Which failure it is.
  public var code: Code
  /// One sentence for a person: what happened.
  public var message: String
  /// One sentence for a person: what to do next.
  public var advice: String
  /// What the failure means for the session.
  public var disposition: Disposition
  /// The method of the request that failed, if one did.
  public var method: HTTPRequest.Method?
  /// The host of the request that failed, if one did.
  public var host: String?
  /// Whether the server may have acted on the request that failed. `false` is a promise: it has not.
  public var requestMayHaveExecuted: Bool
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Makes an error.
  /// - Parameters:
  ///   - disposition: what it means; by default the code's usual meaning.
  ///   - advice: what to do next; by default the code's usual advice.
  public init(
    _ code: Code,
    _ message: String,
    advice: String? = nil,
    disposition: Disposition? = nil,
    request: HTTPRequest? = nil,
    requestMayHaveExecuted: Bool = true,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice ?? code.usualAdvice
    self.disposition = disposition ?? code.usualDisposition
    self.method = request?.method
    self.host = request?.authority
    self.requestMayHaveExecuted = requestMayHaveExecuted
    self.underlying = underlying
  }

  /// What a failure means for the session and what the program can do about it.
  public enum Disposition: Hashable, Sendable {
    /// Trying again with the same input cannot help: the user has to be asked.
    case terminal
    /// Trying again may help, not before `retryAfter` if the server named a time.
    case transient(retryAfter: Duration?)
    /// The program called something in a way that can never work.
    case misuse
  }

  /// Whether trying again may help.
  public var isTransient: Bool {
    if case .transient = disposition { true } else { false }
  }

  /// How long the server asked to wait, if it did.
  public var retryAfter: Duration? {
    if case .transient(let duration) = disposition { duration } else { nil }
  }
}

extension OstiaryError: Hashable {
  public static func == (lhs: OstiaryError, rhs: OstiaryError) -> Bool { lhs.code == rhs.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension OstiaryError: CustomStringConvertible, CustomReflectable, LocalizedError {
  public var description: String {
    var text = message
    if let host { text += " [\(method?.rawValue ?? "?") \(host)]" }
    if !advice.isEmpty { text += " " + advice }
    return text
  }

  public var errorDescription: String? { message }
  public var recoverySuggestion: String? { advice.isEmpty ? nil : advice }

  /// The error without what caused it, of which only the type is named: other libraries' errors quote what they please,
  /// such as a URL with its query.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code.rawValue, "description": description,
        "underlying": underlying.map { ($0 as? OstiaryError)?.code.rawValue ?? "\(type(of: $0))" } ?? "none",
      ],
      displayStyle: .struct)
  }
}
