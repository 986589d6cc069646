import NewzuluCore
import Ostiary
import OstiaryNewzulu
import Testing

@Suite("The vendor's reasons")
struct NewzuluErrorTests {
  @Test(
    "Newzulu-N3: each failure has one",
    arguments: [
      (OstiaryError.Code.cannotConnect, NewzuluError.Reason.networkFailure), (.hostNotFound, .networkFailure),
      (.connectionLost, .networkFailure), (.timedOut, .networkFailure), (.tlsFailed, .networkFailure),
      (.invalidCredentials, .wrongCredentials), (.invalidInput, .wrongCredentials),
      (.serverUnavailable, .serverFailure), (.newzuluRefused, .serverFailure), (.challengedAgain, .serverFailure),
      (.unexpectedResponse, .invalidRepresentation), (.malformedResponse, .invalidRepresentation),
      (.responseTooLarge, .invalidRepresentation), (.redirectRefused, .invalidRepresentation),
      (.interactionRequired, .notAuthenticated), (.signedOut, .unknown), (.storeUnavailable, .unknown),
      (.unusableUpload, .unknown), (.invalidRequest, .unknown), (.internalError, .unknown),
      (OstiaryError.Code("from the future"), .unknown),
    ])
  func reasons(_ code: OstiaryError.Code, _ reason: NewzuluError.Reason) {
    let error = NewzuluError(OstiaryError(code, "What happened."))
    #expect(error.reason == reason)
    #expect((error.underlyingError as? OstiaryError)?.code == code)
    #expect(error.errorDescription == "What happened.")
    #expect(error.description.contains("What happened."))
  }

  @Test("A cancellation is unknown, and so is any other error")
  func others() {
    #expect(NewzuluError(CancellationError()).reason == .unknown)
    #expect(NewzuluError(NewzuluError(reason: .serverFailure)).reason == .serverFailure)
    #expect(NewzuluError(reason: .unknown).description == "unknown")
  }
}
