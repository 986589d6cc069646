internal import Foundation
internal import Ostiary
internal import OstiarySalesforce

/// Failures as the vendor's callers expect them.
enum ServiceErrors {
  /// The failure of a change of settings or of a check: one of ``SCServiceErrorCode`` for each.
  static func aboutSettings(_ error: any Error) -> NSError {
    make(code(of: error) ?? .authenticationSettingsError, error)
  }

  /// The failure of a request: one of ``SCServiceErrorCode`` where it is about who asks, otherwise the error as it is.
  static func aboutRequest(_ error: any Error) -> any Error {
    code(of: error).map { make($0, error) } ?? error
  }

  private static func code(of error: any Error) -> SCServiceErrorCode? {
    switch (error as? OstiaryError)?.code {
    case .salesforceSessionInvalid?: .userSessionExpiredOrInvalidError
    case .salesforceRequestRefused?: .userRequestRefusedError
    case .salesforceResourceNotFound?: .userResourceNotFoundError
    case .salesforceSettingsUnusable?, .salesforceSettingsSuperseded?: .authenticationSettingsError
    default: nil
    }
  }

  private static func make(_ code: SCServiceErrorCode, _ error: any Error) -> NSError {
    var information: [String: Any] = [NSUnderlyingErrorKey: error]
    information[NSLocalizedDescriptionKey] = (error as? OstiaryError)?.message
    information[NSLocalizedRecoverySuggestionErrorKey] = (error as? OstiaryError)?.advice
    return NSError(domain: SCServiceErrorDomain, code: code.rawValue, userInfo: information)
  }
}
