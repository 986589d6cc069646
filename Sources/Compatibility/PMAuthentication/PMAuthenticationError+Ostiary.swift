package import Foundation
package import Ostiary
package import OstiaryPega

extension PMAuthenticationError {
  /// The vendor's code for a failure.
  package init(_ error: OstiaryError) {
    switch error.code {
    case .invalidCredentials, .interactionRequired, .signedOut:
      self = .invalidCredentials
    case .invalidInput:
      self = .invalidInputData
    case .cannotConnect, .hostNotFound, .connectionLost, .timedOut, .tlsFailed:
      self = .network
    case .unexpectedResponse, .malformedResponse, .responseTooLarge, .serverUnavailable, .tooManyRedirects,
      .redirectRefused:
      self = .unexpectedServerResponse
    case .unsupportedClientVersion:
      self = .wrongClientVersion
    case .accountLocked:
      self = .accountLocked
    default:
      self = .internal
    }
  }

  /// A failure as the vendor's callers expect it. It carries no secret.
  package static func nsError(
    _ error: any Error, numbers: PegaErrorNumbers = PMPegaConfiguration.errorNumbers
  ) -> NSError {
    let error = (error as? OstiaryError) ?? cancelled(by: error)
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: error.message,
      NSUnderlyingErrorKey: error,
    ]
    if !error.advice.isEmpty { userInfo[NSLocalizedRecoverySuggestionErrorKey] = error.advice }
    return NSError(domain: numbers.domain, code: Self(error).number(in: numbers), userInfo: userInfo)
  }

  private static func cancelled(by error: any Error) -> OstiaryError {
    error is CancellationError
      ? OstiaryError(.internalError, "A log-off ended this before it was done.", disposition: .terminal)
      : OstiaryError(.internalError, "Something failed that should not: \(type(of: error)).")
  }
}
