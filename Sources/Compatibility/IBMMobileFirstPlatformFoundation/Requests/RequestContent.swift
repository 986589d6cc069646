internal import Foundation
internal import Ostiary

/// What a resource request sends.
enum RequestContent {
  case nothing
  case text(String?)
  case form([AnyHashable: Any]?)
  case json([AnyHashable: Any]?)
  case data(Data?)

  /// The bytes.
  /// - Throws: ``OstiaryError`` `invalidRequest` for what is not JSON or has no form in the encoding.
  func body(encoding: String.Encoding) throws -> Data? {
    switch self {
    case .nothing: return nil
    case .text(let text):
      guard let data = (text ?? "").data(using: encoding) else {
        throw Self.unsendable("The text has characters that its encoding does not know.")
      }
      return data
    case .form(let parameters): return Data(FormParameters(parameters).encoded.utf8)
    case .json(let object):
      let object = object ?? [:]
      // Asked first, because Foundation ends the program otherwise.
      guard JSONSerialization.isValidJSONObject(object) else { throw Self.unsendable("The object is no JSON.") }
      return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    case .data(let data): return data ?? Data()
    }
  }

  /// What the bytes are.
  func contentType(encoding: String.Encoding) -> String? {
    switch self {
    case .nothing: nil
    case .text: encoding == .utf8 ? "text/plain; charset=utf-8" : "text/plain"
    case .form: "\(FormEncoding.mediaType); charset=UTF-8"
    case .json: "application/json"
    case .data: "application/octet-stream"
    }
  }

  private static func unsendable(_ message: String) -> OstiaryError {
    OstiaryError(.invalidRequest, message, requestMayHaveExecuted: false)
  }
}
