public import Foundation
internal import HTTPTypes
public import OstiaryCore

/// A gateway's challenge for programs: what Ostiary's server answers, in place of a page, to a client that isn't a
/// browser.
///
/// It is a 401 with `WWW-Authenticate: Ostiary-Gateway realm="NAME"` and, as `application/vnd.ostiary.challenge+json`,
/// `{"challenge":"login-form","gateway":"NAME","login":"https://…","reason":"no-session"}`.
public struct GatewayDemand: Sendable, Hashable {
  /// The authentication scheme, in lower case.
  public static let scheme = "ostiary-gateway"
  /// The media type of the body.
  public static let mediaType = "application/vnd.ostiary.challenge+json"

  /// The gateway's name.
  public let gateway: String?
  /// Where its login page is. It is the server's word: a password goes there only if the app allowed the origin.
  public let login: URL
  /// Why a session is demanded.
  public let reason: Reason

  /// Why a session is demanded. An open set.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The request carried no session.
    public static let noSession = Reason(rawValue: "no-session")
    /// The request's session is over.
    public static let sessionExpired = Reason(rawValue: "session-expired")
  }

  /// Reads a response; `nil` when it is no such challenge, or one that no form answers.
  public init?(_ response: TransportResponse) {
    guard response.status == .unauthorized, response.body.count <= 16_384,
      response.head.authenticationChallenges.contains(where: { $0.scheme == Self.scheme }),
      let fields = JSONValue(json: response.body)?.object,
      fields["challenge"]?.string == "login-form",
      let login = fields["login"]?.string.flatMap({ URL(string: $0) }), Origin(login) != nil
    else { return nil }
    gateway = fields["gateway"]?.string
    self.login = login
    reason = Reason(rawValue: fields["reason"]?.string ?? "")
  }
}
