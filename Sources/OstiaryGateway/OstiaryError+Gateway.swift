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
  /// The failure of a gateway that can't answer now: it says nothing of a session.
  init?(unavailable response: TransportResponse, to request: TransportRequest, now: Date) {
    self.init(unavailable: response.head, to: request.head, now: now, "The gateway")
  }
}

extension AuthenticatorKind {
  /// A gateway in front of a server.
  public static let gateway = AuthenticatorKind("gateway")
}
