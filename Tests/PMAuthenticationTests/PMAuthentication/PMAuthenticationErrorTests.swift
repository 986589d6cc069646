import Foundation
import Ostiary
import OstiaryPega
import PMAuthentication
import Testing

@Suite("PMAuthentication's errors")
struct PMAuthenticationErrorTests {
  @Test("The numbers count from 1 in the page's order")
  func numbers() {
    let numbers = [
      PMAuthenticationErrorInvalidCredentials, PMAuthenticationErrorInternal, PMAuthenticationErrorInvalidInputData,
      PMAuthenticationErrorNetwork, PMAuthenticationErrorUnexpectedServerResponse,
      PMAuthenticationErrorWrongClientVersion, PMAuthenticationErrorAccountLocked,
    ]
    #expect(numbers == [1, 2, 3, 4, 5, 6, 7])
    #expect(PMAuthenticationError.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    #expect(PMAuthenticationErrorDomain == "PMAuthenticationErrorDomain")
  }

  @Test(
    "Pega-P3: every code of ours has one of theirs",
    arguments: [
      (OstiaryError.Code.invalidCredentials, PMAuthenticationError.invalidCredentials),
      (.interactionRequired, .invalidCredentials), (.invalidInput, .invalidInputData), (.cannotConnect, .network),
      (.hostNotFound, .network), (.connectionLost, .network), (.timedOut, .network), (.tlsFailed, .network),
      (.unexpectedResponse, .unexpectedServerResponse), (.malformedResponse, .unexpectedServerResponse),
      (.responseTooLarge, .unexpectedServerResponse), (.serverUnavailable, .unexpectedServerResponse),
      (.tooManyRedirects, .unexpectedServerResponse), (.redirectRefused, .unexpectedServerResponse),
      (.unsupportedClientVersion, .wrongClientVersion), (.accountLocked, .accountLocked), (.alreadySignedIn, .internal),
      (.internalError, .internal), (.storeUnavailable, .internal), (.unsupportedCredential, .internal),
    ])
  func mapping(_ code: OstiaryError.Code, _ expected: PMAuthenticationError) {
    let error = PMAuthenticationError.nsError(OstiaryError(code, "What happened.", advice: "What to do."))
    #expect(error.code == expected.rawValue)
    #expect(error.domain == PMAuthenticationErrorDomain)
    #expect(error.localizedDescription == "What happened.")
    #expect(error.localizedRecoverySuggestion == "What to do.")
    #expect((error.userInfo[NSUnderlyingErrorKey] as? OstiaryError)?.code == code)
  }

  @Test("Other errors are internal ones")
  func others() {
    #expect(PMAuthenticationError.nsError(CancellationError()).code == PMAuthenticationErrorInternal)
    #expect(PMAuthenticationError.nsError(CocoaError(.fileNoSuchFile)).code == PMAuthenticationErrorInternal)
  }
}
