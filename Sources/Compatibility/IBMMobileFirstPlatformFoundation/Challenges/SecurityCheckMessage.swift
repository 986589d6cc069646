internal import Foundation

/// The messages of MobileFirst's own security checks. This module does not answer them yet. It recognises them so that
/// a gateway's handler is not asked to answer them.
enum SecurityCheckMessage {
  /// Whether a response is a challenge or a failure of a security check.
  static func isIn(_ response: WLResponse) -> Bool {
    switch response.status {
    case 401:
      response.header("WWW-Authenticate")?.trimmingCharacters(in: .whitespaces).lowercased() == "mfp-challenge"
    case 403, 222:
      response.responseJSON?["failures"] != nil
    default: false
    }
  }
}
