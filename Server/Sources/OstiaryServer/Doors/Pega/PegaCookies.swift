import HTTPTypes
import OstiaryCore

/// The cookies of a Pega server.
///
/// The session cookie's value has the form of a current server's: an encoded tab and two markers around the id. This
/// door never decodes it: a client that decodes or re-encodes it sends an unknown id.
struct PegaCookies: Sendable {
  /// The spelling that is set, and the one of stateful REST services, which is accepted as well.
  private static func sessionNames(_ names: PegaDoorNames) -> [String] { [names.sessionCookie, "PegaRULES"] }
  /// The cookies for the server's list of cookie names.
  static func imitated(_ names: PegaDoorNames) -> [ServerCookieNames.Imitated] {
    sessionNames(names).map { ServerCookieNames.Imitated(name: $0) } + [
      ServerCookieNames.Imitated(name: names.containerCookie, isProof: false)
    ]
  }
  private static let prefix = "%09%7Bpd%7D"
  private static let suffix = "%3D%3DA%7Bapp%7D"
  /// The most values of one request that are looked up; more than the number of paths that real clients mix up.
  private static let candidates = 4

  let names: PegaDoorNames
  let contextPath: String
  let isSecure: Bool

  /// The session ids that a request carries, the likeliest first.
  func sessionIDs(in request: DoorRequest) -> [Secret] {
    let (prefix, suffix) = (Self.prefix, Self.suffix)
    let values = Self.sessionNames(names).flatMap { request.cookies(named: $0) }.prefix(Self.candidates)
    return values.compactMap { value in
      guard value.hasBytePrefix(prefix), value.hasByteSuffix(suffix),
        value.utf8.count > prefix.utf8.count + suffix.utf8.count
      else { return nil }
      return Secret(String(value.droppingBytes(prefix.utf8.count).droppingLastBytes(suffix.utf8.count)))
    }
  }

  /// Sets a session's cookie, and a container cookie without meaning.
  func setting(_ id: Secret, in response: DoorResponse) -> DoorResponse {
    let attributes = "; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    let container = RandomBytes.make(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return
      response
      .settingCookie(
        "\(names.sessionCookie)=\(Self.prefix)\(id.reveal())\(Self.suffix); Path=\(contextPath)\(attributes)"
      )
      .settingCookie("\(names.containerCookie)=\(container.uppercasedASCII); Path=\(contextPath)/\(attributes)")
  }

  /// Deletes every Pega cookie, for every path that servers of this kind have been seen to use.
  func deleting(in response: DoorResponse) -> DoorResponse {
    (Self.sessionNames(names) + [names.containerCookie]).reduce(response) { response, name in
      ["/", contextPath, contextPath + "/"].reduce(response) { response, path in
        response.settingCookie("\(name)=; Path=\(path); Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly")
      }
    }
  }
}
