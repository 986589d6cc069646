import Foundation
import OstiaryCore

/// What the page of a signed-in person says once, after the form that led there: the code of an outcome, in a cookie that the page
/// deletes. It is sealed for the session that it is about: the next person at the browser is not told, and no other site can make
/// the page say anything.
struct HomeNews: Sendable {
  /// The page follows at once.
  private static let lifetime: TimeInterval = 60

  let seal: PageSeal
  let cookies: PageCookies
  let isSecure: Bool

  private var name: String { (isSecure ? "__Host-" : "") + "ostiary-news" }

  /// The line of `Set-Cookie` with an outcome.
  func setting(_ code: FlowIssue.Code, for proof: Secret, at now: Date) -> String {
    let text = seal.seal(.news, [code.rawValue, cookies.mark(of: proof)], until: now.addingTimeInterval(Self.lifetime))
    return "\(name)=\(text); Max-Age=\(Int(Self.lifetime))\(cookies.attributes)"
  }

  /// What a request's cookie says to the person of a session; nil if it says nothing.
  func read(_ request: DoorRequest, for proof: Secret, at now: Date) -> FlowIssue? {
    for text in request.cookies(named: name).prefix(2) {
      guard let texts = seal.open(.news, text, at: now), texts.count == 2, texts[1] == cookies.mark(of: proof),
        let code = FlowIssue.Code(rawValue: texts[0])
      else { continue }
      return FlowIssue(code)
    }
    return nil
  }

  func isIn(_ request: DoorRequest) -> Bool { !request.cookies(named: name).isEmpty }

  /// The line of `Set-Cookie` that deletes it.
  var deletion: String { cookies.deletion(of: name) }
}

extension SealPurpose {
  /// What a page says once.
  fileprivate static let news = SealPurpose("news")
}
