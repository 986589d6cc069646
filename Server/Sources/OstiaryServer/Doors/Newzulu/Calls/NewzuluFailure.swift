import HTTPTypes
import OstiaryCore

/// A failed call, as its caller sees it.
struct NewzuluFailure: Error {
  /// The number beside the message. The vendor's servers send none.
  enum Code: Int64 {
    case invalidKey = 100, permissionDenied, invalidSession, sessionRequired
    case unknownVhost = 110
    case invalidArgument = 120, userExists, passwordRefused
    case notFound = 130
    case fileTooLarge = 140, tooManyUploads, partsMissing
    case tryAgainLater = 150
    case unknownMethod = 199
  }

  let code: Code
  let message: String
  var status = HTTPResponse.Status.ok
  var retryAfter: Duration?

  static let invalidKey = NewzuluFailure(code: .invalidKey, message: "Invalid API key")
  static let permissionDenied = NewzuluFailure(code: .permissionDenied, message: "Permission denied")
  static let invalidSession = NewzuluFailure(code: .invalidSession, message: "Invalid session token")
  static let sessionRequired = NewzuluFailure(code: .sessionRequired, message: "Session required")
  static let unknownVhost = NewzuluFailure(code: .unknownVhost, message: "Unknown vhost")
  static let userExists = NewzuluFailure(code: .userExists, message: "User already exists")
  static let passwordRefused = NewzuluFailure(code: .passwordRefused, message: "Password not acceptable")
  static let notFound = NewzuluFailure(code: .notFound, message: "Not found")
  /// The address accepts no part any more.
  static let gone = NewzuluFailure(code: .notFound, message: "Not found", status: .notFound)
  static let addressExpired = NewzuluFailure(
    code: .permissionDenied, message: "Permission denied: the address has expired", status: .forbidden)
  static let fileTooLarge = NewzuluFailure(code: .fileTooLarge, message: "File too large")
  static let tooManyUploads = NewzuluFailure(code: .tooManyUploads, message: "Too many uploads")
  static let unknownMethod = NewzuluFailure(code: .unknownMethod, message: "Unknown method")
  static let malformed = NewzuluFailure(
    code: .invalidArgument, message: "Invalid argument: the body is malformed", status: .badRequest)
  static let diskFull = NewzuluFailure(
    code: .tryAgainLater, message: "Try again later: the server's disk is full",
    status: .init(code: 507, reasonPhrase: "Insufficient Storage"), retryAfter: .seconds(60))

  static func invalidArgument(_ name: String) -> NewzuluFailure {
    NewzuluFailure(code: .invalidArgument, message: "Invalid argument: \(name)")
  }

  /// - Parameter parts: The numbers of the parts; the first hundred are named.
  static func partsMissing(_ parts: [Int]) -> NewzuluFailure {
    let names = parts.prefix(100).map(String.init).joined(separator: ", ")
    return NewzuluFailure(code: .partsMissing, message: "Parts missing: \(names)")
  }

  static func tooManyAttempts(_ wait: Duration) -> NewzuluFailure {
    NewzuluFailure(
      code: .tryAgainLater, message: "Try again later", status: .tooManyRequests, retryAfter: wait)
  }

  static func overloaded(_ wait: Duration) -> NewzuluFailure {
    NewzuluFailure(
      code: .tryAgainLater, message: "Try again later", status: .serviceUnavailable, retryAfter: wait)
  }

  /// The event of the failure. A wrong password is recorded where the password is verified; an ended session was recorded at its end.
  var event: AuditEvent? {
    switch code {
    case .invalidKey: AuditEvent(.clientRefused, .unknown)
    case .permissionDenied: AuditEvent(.permissionRefused)
    case .userExists: AuditEvent(.accountRefused, .alreadyTaken)
    default: nil
    }
  }

  /// The failure in its envelope.
  func response(_ names: NewzuluDoorNames) throws -> DoorResponse {
    let response = try DoorResponse.json(
      names.envelope(["status": false, "message": .string(message), "code": .integer(code.rawValue)]), status: status)
    return retryAfter.map { response.retrying(after: $0) } ?? response
  }
}
