import HTTPTypes
import OstiaryCore

/// The cookies of a Pega server.
///
/// The session cookie's value has the look of a current one, an encoded tab and two markers around the id. It is never
/// decoded here: a client that decodes or re-encodes it sends an id that nobody knows.
struct PegaCookies: Sendable {
  /// The spelling that is set, and the one of stateful REST services, which is accepted as well.
  static let names = ["Pega-RULES", "PegaRULES"]
  /// A name that every Java server uses; here its cookie proves nothing.
  private static let containerName = "JSESSIONID"
  /// What is on the list of the server's cookies.
  static let imitated =
    names.map { ServerCookieNames.Imitated(name: $0) } + [
      ServerCookieNames.Imitated(name: containerName, isProof: false)
    ]
  private static let prefix = "%09%7Bpd%7D"
  private static let suffix = "%3D%3DA%7Bapp%7D"
  /// How many values of one request are looked up; more than the paths that real clients mix up.
  private static let candidates = 4

  let contextPath: String
  let isSecure: Bool

  /// The session ids that a request carries, the likeliest first.
  static func sessionIDs(in request: DoorRequest) -> [Secret] {
    let values = names.flatMap { request.cookies(named: $0) }.prefix(candidates)
    return values.compactMap { value in
      guard value.hasBytePrefix(prefix), value.hasByteSuffix(suffix),
        value.utf8.count > prefix.utf8.count + suffix.utf8.count
      else { return nil }
      return Secret(String(value.droppingBytes(prefix.utf8.count).droppingLastBytes(suffix.utf8.count)))
    }
  }

  /// Hands out a session, and a container session that means nothing here.
  func setting(_ id: Secret, in response: DoorResponse) -> DoorResponse {
    let attributes = "; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    let container = RandomBytes.make(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return
      response
      .settingCookie("\(Self.names[0])=\(Self.prefix)\(id.reveal())\(Self.suffix); Path=\(contextPath)\(attributes)")
      .settingCookie("\(Self.containerName)=\(container.uppercasedASCII); Path=\(contextPath)/\(attributes)")
  }

  /// Takes every Pega cookie back, by every path that a server of this kind has been seen to use.
  func deleting(in response: DoorResponse) -> DoorResponse {
    (Self.names + [Self.containerName]).reduce(response) { response, name in
      ["/", contextPath, contextPath + "/"].reduce(response) { response, path in
        response.settingCookie("\(name)=; Path=\(path); Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly")
      }
    }
  }
}
