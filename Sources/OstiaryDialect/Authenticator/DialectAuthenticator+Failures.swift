internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

// The errors that answers become.
extension DialectAuthenticator {
  /// The error of an answer that is no success and to which the document gives no meaning, in the app's words where it has some.
  func failure(_ answer: DialectAnswer, _ values: DialectValues) -> OstiaryError {
    explained(plainFailure(answer), answer, values)
  }

  /// The same error in the app's words. Each error of an answer passes here once.
  func explained(_ error: OstiaryError, _ answer: DialectAnswer, _ values: DialectValues) -> OstiaryError {
    guard let explain = replacements.explain else { return error }
    return explain(
      error,
      DialectFailure(
        step: answer.site.step, request: answer.request, response: answer.response, now: answer.now,
        secrets: secrets(in: values)))
  }

  private func plainFailure(_ answer: DialectAnswer) -> OstiaryError {
    let place = answer.place()
    let status = answer.response.status.code
    if let error = OstiaryError(
      unavailable: answer.response.head, to: answer.request, now: answer.now, underlying: place)
    {
      return error
    }
    if answer.isForeignPage || (answer.isPage && !answer.isSuccess) {
      return unexpected(answer, "The server answered with a page (\(status)) where the dialect reads something else.")
    }
    switch status {
    case 200..<300: return unexpected(answer, "The server's answer is not the success that the dialect describes.")
    case 300..<400: return unexpected(answer, "The server redirects elsewhere.")
    // The answer to the credential itself, where the call shows one.
    case 401 where answer.site.step == .signIn && answer.site.call.names.contains("password"):
      return TerminalAnswer.wrongPassword.error(answer, place)
    case 423 where !answer.site.step.showsSession: return TerminalAnswer.locked.error(answer, place)
    default:
      return OstiaryError(
        .dialectRefused,
        "The server answered \(status) to the call “\(place.inDocument)” of the dialect, which gives that answer no meaning.",
        advice: "Check the call, or name what the answer means in the dialect's meanings.", disposition: .misuse,
        request: answer.request, requestMayHaveExecuted: false, underlying: place)
    }
  }

  /// An answer that says nothing.
  func unexpected(
    _ answer: DialectAnswer, _ message: String, _ code: OstiaryError.Code = .unexpectedResponse,
    _ place: DialectPlace? = nil
  ) -> OstiaryError {
    let place = place ?? answer.place()
    return OstiaryError(
      code, "\(message) (“\(place.inDocument)” of the dialect\(place.inAnswer.map { ", \($0)" } ?? ""))",
      disposition: .transient(retryAfter: nil), request: answer.request, underlying: place)
  }

  /// The account is locked. Until a time that the answer has, trying again may help, and the password may well be right.
  func locked(
    _ answer: DialectAnswer, _ expiries: [DialectExpiry], _ place: DialectPlace, _ values: DialectValues
  ) -> OstiaryError {
    let asked = answer.wait(expiries, "\(place.inDocument)/until", values)
    guard let wait = asked ?? answer.response.head.retryAfter(at: answer.now) else {
      return TerminalAnswer.locked.error(answer, place)
    }
    return OstiaryError(
      .accountLocked, "The server has locked the account for a time. (“\(place.inDocument)” of the dialect)",
      advice: "Wait, then try again.", disposition: .transient(retryAfter: wait), request: answer.request,
      requestMayHaveExecuted: false, underlying: place)
  }

  /// The same where a session was shown. That the account is locked is no word about the session.
  func lockedForNow(
    _ answer: DialectAnswer, _ expiries: [DialectExpiry], _ place: DialectPlace, _ values: DialectValues
  ) -> OstiaryError {
    var error = locked(answer, expiries, place, values)
    if error.disposition == .terminal { error.disposition = .transient(retryAfter: nil) }
    return error
  }

  /// The server wants the call later.
  func later(
    _ answer: DialectAnswer, _ expiries: [DialectExpiry], _ place: DialectPlace, _ values: DialectValues
  ) -> OstiaryError {
    let asked = answer.wait(expiries, "\(place.inDocument)/after", values)
    let wait = asked ?? answer.response.head.retryAfter(at: answer.now)
    return OstiaryError(
      .serverUnavailable, "The server wants this later. (“\(place.inDocument)” of the dialect)",
      disposition: .transient(retryAfter: wait), request: answer.request, requestMayHaveExecuted: false,
      underlying: place)
  }
}
