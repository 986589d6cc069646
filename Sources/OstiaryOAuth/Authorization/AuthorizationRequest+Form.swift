public import Foundation
internal import OstiaryCore

extension AuthorizationRequest {
  /// Reads the answer to this request from a form that a browser has sent to the redirect URI (OAuth 2.0 Form Post Response Mode §2), for
  /// programs that are a web server: Apple's answers with a name come in no other way.
  /// - Parameter form: the body of the request, `application/x-www-form-urlencoded`.
  /// - Throws: as ``check(_:)``.
  public func check(form: Data) throws -> AuthorizationResponse {
    let text = String(decoding: form, as: UTF8.self)
    let base = redirectURI.absoluteString
    let pairs = FormEncoding.parse(text)
    guard !pairs.isEmpty,
      let callback = URL(string: base + (base.contains("?") ? "&" : "?") + FormEncoding.serialize(pairs))
    else { throw OstiaryError.callbackRefused("The callback is no form.") }
    return try check(callback)
  }
}

extension AuthorizationResponse {
  /// The user's name that Apple tells once, at the first sign-in (`user`); `nil` for other answers. It is the browser's word, and no token's.
  public var unverifiedAppleName: String? {
    guard let name = parameters["user"].flatMap({ JSONValue(json: Data($0.utf8)) })?["name"] else { return nil }
    let parts = ["firstName", "lastName"].compactMap { name[$0]?.word }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
