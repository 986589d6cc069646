internal import Foundation
internal import HTTPTypes
internal import Ostiary
internal import OstiaryGateway

/// What came of an exchange, before it becomes one of the vendor's objects.
enum Outcome: Sendable {
  /// The server answered with a status from 200 to 299.
  case success(TransportResponse)
  /// The server answered with another status, or refuses in the words of MobileFirst's own security.
  case refusal(TransportResponse, CheckRefusal?)
  /// There is no answer to hand over.
  case failure(OstiaryError)

  /// - Parameter refusal: what MobileFirst's own security says in the response.
  init(_ result: Result<TransportResponse, any Error>, refusal: CheckRefusal? = nil) {
    switch result {
    case .success(let response):
      // A status of 222 has failures in it on some platforms.
      self = refusal == nil && response.status.kind == .successful ? .success(response) : .refusal(response, refusal)
    case .failure(let error as OstiaryError): self = .failure(error)
    case .failure(let error) where error is CancellationError:
      self = .failure(
        OstiaryError(
          .signedOut, "A sign-out, or another server address, ended this while it was under way.",
          disposition: .terminal))
    case .failure(let error):
      self = .failure(OstiaryError(.internalError, "Something failed that should not: \(type(of: error))."))
    }
  }

  /// What completion handlers get. The response is there on failure, too.
  var forCompletion: (response: WLResponse, error: NSError?) {
    if case .success(let response) = self { return (WLResponse(response), nil) }
    let failure = failResponse
    return (failure, nsError)
  }

  /// The failure as the vendor's object, also for what was none.
  var failResponse: WLFailResponse {
    switch self {
    case .success(let response), .refusal(let response, _): WLFailResponse(response).filled(nsError, else: code)
    case .failure: WLFailResponse(nil).filled(nsError, else: code)
    }
  }

  /// A success that has no response of a server's.
  static var done: Outcome { .success(TransportResponse(HTTPResponse(status: .ok))) }

  /// What went wrong; `nil` when nothing did.
  var error: NSError? {
    if case .success = self { return nil }
    return nsError
  }

  private var nsError: NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, WLErrorCode.userInfoKey: code]
    if case .failure(let error) = self {
      userInfo[NSUnderlyingErrorKey] = error
      if !error.advice.isEmpty { userInfo[NSLocalizedRecoverySuggestionErrorKey] = error.advice }
    }
    return NSError(domain: WLClientErrorDomain, code: number, userInfo: userInfo)
  }

  private var message: String {
    switch self {
    case .refusal(_, let refusal?): refusal.message
    case .success(let response), .refusal(let response, nil): "The server answered with status \(response.status.code)."
    case .failure(let error): error.message
    }
  }

  /// The vendor's code. The vendor has not published which status has which code.
  private var code: String {
    switch self {
    case .success: WLErrorCode.unexpectedError
    case .refusal(_, let refusal?): refusal.code
    case .refusal(let response, nil):
      switch response.status.code {
      case 401, 403: WLErrorCode.authorizationFailure
      case 500...599: WLErrorCode.serverError
      default: WLErrorCode.unexpectedError
      }
    case .failure(let error):
      switch error.code {
      case .interactionCancelled, .signInTimedOut: WLErrorCode.challengeHandlingCanceled
      case .timedOut: WLErrorCode.requestTimeout
      case .cannotConnect, .hostNotFound, .connectionLost, .tlsFailed, .captivePortal: WLErrorCode.unresponsiveHost
      case .challengedAgain, .interactionRequired, .replayUnsafe, .invalidCredentials, .accountLocked, .notChallenged,
        .captchaRequired, .oneTimeCodeRequired:
        WLErrorCode.authorizationFailure
      case .alreadyUnderWay: WLErrorCode.loginAlreadyInProcess
      case .noTokenService: WLErrorCode.applicationNotRegistered
      case .serverUnavailable: WLErrorCode.serverError
      case .invalidRequest, .invalidInput: WLErrorCode.illegalArgument
      default: WLErrorCode.unexpectedError
      }
    }
  }

  private var number: Int {
    if case .refusal(let response, nil) = self, ![401, 403].contains(response.status.code) {
      return WLClientErrorServerError
    }
    switch code {
    case WLErrorCode.unresponsiveHost: return WLClientErrorUnresponsiveHost
    case WLErrorCode.requestTimeout: return WLClientErrorRequestTimeout
    case WLErrorCode.challengeHandlingCanceled, WLErrorCode.authorizationFailure, WLErrorCode.missingChallengeHandler:
      return WLClientErrorAuthenticationFailure
    default: return WLClientErrorInternalError
    }
  }
}

extension OstiaryError.Code {
  /// A sign-in is under way already.
  static let alreadyUnderWay = Self("login_already_in_process")
  /// The call needs MobileFirst's own services.
  static let noTokenService = Self("no_token_service")
}
