import Foundation
import HTTPTypes
import OstiaryCore

/// A user name and a password, as one of the three pathways carries them.
struct PegaCredentials: Sendable {
  let username: String
  let password: Secret
  let pathway: Pathway

  /// The credential of a request.
  enum Reading: Sendable {
    case none
    /// A text in the place of a credential that is not a valid one.
    case malformed
    case credentials(PegaCredentials)
  }

  /// Reads the `Authorization` header or, without one, the query.
  static func read(_ request: DoorRequest, _ names: PegaDoorNames) -> Reading {
    let header = request.headers[values: .authorization]
    if !header.isEmpty { return header.count == 1 ? basic(header[0]) : .malformed }
    let name = request.query.first(names.userParameter)
    let password = request.query.first(names.passwordParameter)
    guard name != nil || password != nil else { return .none }
    // Base64 is not a protection. The vendor's clients write the password so (and then percent-encode it).
    guard let name, let password = password.flatMap(decodedBase64), !name.isEmpty, !password.isEmpty else {
      return .malformed
    }
    return .credentials(PegaCredentials(username: name, password: Secret(password), pathway: "pega.query"))
  }

  /// Reads the fields of the login form, where the password is plain.
  static func read(form: FormFields, _ names: PegaDoorNames) -> Reading {
    guard let name = form.first(names.userParameter), let password = form.first(names.passwordParameter),
      !name.unicodeScalars.allSatisfy(\.properties.isWhitespace), !password.isEmpty
    else { return .malformed }
    return .credentials(PegaCredentials(username: name, password: Secret(password), pathway: "pega.form"))
  }

  /// RFC 7617, in UTF-8: the first colon ends the name, further ones belong to the password.
  private static func basic(_ header: String) -> Reading {
    guard let (scheme, credentials) = header.byteHalves(at: " "), scheme.lowercasedASCII == "basic",
      let text = decodedBase64(String(credentials.trimmingBlanks)), let halves = text.byteHalves(at: ":")
    else { return .malformed }
    let (name, password) = (String(halves.before), String(halves.after))
    guard !name.isEmpty, !password.isEmpty else { return .malformed }
    return .credentials(PegaCredentials(username: name, password: Secret(password), pathway: "pega.basic"))
  }

  private static func decodedBase64(_ text: String) -> String? {
    Data(base64Encoded: text).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// The sender of a request, according to its cookies.
struct PegaVisitor: Sendable {
  /// The id of the session.
  let id: Secret
  /// The session itself: a guest's or a user's.
  let session: ServerSession
}

/// The result of verifying a credential.
enum PegaSignIn: Sendable {
  /// Right; a new session has begun.
  case signedIn(PegaVisitor, User)
  /// Wrong.
  case refused
  /// The account is locked, and the door is configured to say so.
  case locked
  /// Not verified yet.
  case later(DoorResponse)
}
