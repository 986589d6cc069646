internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// What came of an exchange, before it becomes one of the vendor's objects.
enum Outcome: Sendable {
  /// The server answered with a status from 200 to 299.
  case success(TransportResponse)
  /// The server answered with another status.
  case refusal(TransportResponse)
  /// There is no answer to hand over.
  case failure(OstiaryError)

  init(_ result: Result<TransportResponse, any Error>) {
    switch result {
    case .success(let response):
      self = response.status.kind == .successful ? .success(response) : .refusal(response)
    case .failure(let error as OstiaryError): self = .failure(error)
    case .failure(let error) where error is CancellationError:
      self = .failure(
        OstiaryError(.signedOut, "The server's address was changed while this was under way.", disposition: .terminal))
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
    case .success(let response), .refusal(let response): WLFailResponse(response).filled(nsError, else: code)
    case .failure: WLFailResponse(nil).filled(nsError, else: code)
    }
  }

  private var nsError: NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if case .failure(let error) = self {
      userInfo[NSUnderlyingErrorKey] = error
      if !error.advice.isEmpty { userInfo[NSLocalizedRecoverySuggestionErrorKey] = error.advice }
    }
    return NSError(domain: WLClientErrorDomain, code: number, userInfo: userInfo)
  }

  private var message: String {
    switch self {
    case .success(let response), .refusal(let response): "The server answered with status \(response.status.code)."
    case .failure(let error): error.message
    }
  }

  /// The vendor's code. The vendor has not published which status has which code.
  private var code: String {
    switch self {
    case .success: WLErrorCode.unexpectedError
    case .refusal(let response):
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
      case .challengedAgain, .interactionRequired, .replayUnsafe: WLErrorCode.authorizationFailure
      case .invalidRequest, .invalidInput: WLErrorCode.illegalArgument
      default: WLErrorCode.unexpectedError
      }
    }
  }

  private var number: Int {
    if case .refusal(let response) = self, ![401, 403].contains(response.status.code) {
      return WLClientErrorServerError
    }
    switch code {
    case WLErrorCode.unresponsiveHost: return WLClientErrorUnresponsiveHost
    case WLErrorCode.requestTimeout: return WLClientErrorRequestTimeout
    case WLErrorCode.challengeHandlingCanceled, WLErrorCode.authorizationFailure:
      return WLClientErrorAuthenticationFailure
    default: return WLClientErrorInternalError
    }
  }
}
