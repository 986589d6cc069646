internal import Foundation
internal import Ostiary
internal import OstiaryCore
internal import OstiarySalesforce
internal import SalesforceSDKCore

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

extension CapturedCall {
  /// Goes on with a change or a check of settings, and tells the app once, on the main actor, whether it succeeded.
  func report<Result: Sendable>(
    to completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)?,
    _ work: @escaping @Sendable (Value) async throws -> Result
  ) {
    start(work) { outcome in
      let refusal: NSError? = if case .failure(let error) = outcome { ServiceErrors.aboutSettings(error) } else { nil }
      await completion?(refusal == nil, refusal)
    }
  }
}

/// The codes of errors in ``SCServiceErrorDomain``: what a delegate is told about authentication that failed.
public enum SCServiceErrorCode: Int, Sendable, CaseIterable {
  /// The session is expired or invalid.
  case userSessionExpiredOrInvalidError = 401
  /// The server refused what was asked for.
  case userRequestRefusedError = 403
  /// What was asked for is not there.
  case userResourceNotFoundError = 404
  /// Changing the authentication settings did not work: they can't be used, others took their place, or the server could
  /// not be asked about them. The error behind it says which.
  case authenticationSettingsError = 1000
}

/// The domain of errors about authentication, whose codes are ``SCServiceErrorCode``.
public let SCServiceErrorDomain = SalesforceSDKName.serviceErrorDomain.current

/// The domain of errors of the vendor's user interface. Nothing here makes one; it is there for code that compares.
public let SCServiceCloudErrorDomain = SalesforceSDKName.serviceCloudErrorDomain.current

/// What a Salesforce server calls a session that is expired or invalid.
public let SCSOAuthInvalidSessionId = SalesforceSDKName.invalidSessionID.current

/// The domain of errors of the vendor's logging. Nothing here makes one; it is there for code that compares.
public let SCServiceCloudLoggingErrorDomain = SalesforceSDKName.serviceCloudLoggingErrorDomain.current
