internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension OstiaryError.Code {
  /// The gateway wants a puzzle solved that only a person at a browser can (captcha).
  public static let captchaRequired = Self("captcha_required")
  /// The gateway asks for a one-time code, and the app gives none.
  public static let oneTimeCodeRequired = Self("one_time_code_required")
  /// The login form leads where the app has not allowed to send passwords, or in a way that shows them.
  public static let unsafeLoginForm = Self("unsafe_login_form")
}

extension OstiaryError {
  /// The failure that a 429 or 5xx is: it says nothing of anybody's session.
  init?(unavailable response: TransportResponse, to request: TransportRequest, now: Date) {
    switch response.status.code {
    case 429, 500...599: break
    default: return nil
    }
    let wait = response.head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: now) }
    self.init(
      .serverUnavailable, "The gateway can't answer now (\(response.status.code)).",
      disposition: .transient(retryAfter: wait), request: request.head)
  }
}
