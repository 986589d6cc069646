internal import Ostiary
internal import OstiaryNewzulu

extension NewzuluError {
  /// A failure as the vendor's callers expect it.
  package init(_ error: any Error) {
    if let error = error as? NewzuluError {
      self = error
    } else {
      self.init(reason: (error as? OstiaryError).map(Reason.init) ?? .unknown, underlyingError: error)
    }
  }
}

extension NewzuluError.Reason {
  /// The vendor's reason for a failure.
  init(_ error: OstiaryError) {
    switch error.code {
    case .cannotConnect, .hostNotFound, .connectionLost, .timedOut, .tlsFailed:
      self = .networkFailure
    case .invalidCredentials, .invalidInput:
      self = .wrongCredentials
    case .newzuluRefused, .serverUnavailable, .accountLocked, .challengedAgain:
      self = .serverFailure
    case .unexpectedResponse, .malformedResponse, .responseTooLarge, .tooManyRedirects, .redirectRefused:
      self = .invalidRepresentation
    case .interactionRequired:
      self = .notAuthenticated
    default:
      self = .unknown
    }
  }
}
