public import Foundation

/// What went wrong with the platform.
///
/// See the vendor's pages "Authenticate" and "Upload media".
public struct NewzuluError: Error, Sendable {
  /// The vendor's reasons.
  public enum Reason: Sendable, Hashable, CaseIterable {
    /// A network error occurred and the remote server could not be reached.
    case networkFailure
    /// The provided e-mail address or password isn't correct.
    case wrongCredentials
    /// The remote server encountered an error; try again later.
    case serverFailure
    /// The response from the remote server cannot be understood.
    case invalidRepresentation
    /// Something else: it was cancelled, other credentials were set meanwhile, a store or a file can't be read.
    case unknown
    /// The client doesn't have credentials.
    case notAuthenticated
  }

  /// Which of the reasons it is.
  public let reason: Reason
  /// The error behind it, with a sentence that says what to do. It never has a password in it.
  public let underlyingError: (any Error)?

  /// Makes an error.
  public init(reason: Reason, underlyingError: (any Error)? = nil) {
    self.reason = reason
    self.underlyingError = underlyingError
  }
}

extension NewzuluError: LocalizedError, CustomStringConvertible {
  /// The reason, and what the error behind it says.
  public var description: String {
    underlyingError.map { "\(reason): \($0)" } ?? "\(reason)"
  }
  public var errorDescription: String? { (underlyingError as? any LocalizedError)?.errorDescription ?? "\(reason)" }
  public var recoverySuggestion: String? { (underlyingError as? any LocalizedError)?.recoverySuggestion }
}
