import Foundation

/// What ties pages to the browser that they were shown to: a number of its own, which a page's token names.
struct PageBrowser: Sendable {
  let id: String
  /// The cookie that hands it out, where the browser has none yet.
  let cookie: String?

  init(id: String, cookie: String?) {
    self.id = id
    self.cookie = cookie
  }

  /// A browser that is new here. Its number is good for a day.
  /// - Parameters:
  ///   - purpose: What the seal is for, so that no other page's seal passes for it.
  ///   - cookie: Makes a line of `Set-Cookie` of the sealed number.
  init(sealedWith seal: PageSeal, as purpose: StaticString, at now: Date, cookie: (String) -> String) {
    id = RandomBytes.make(16).base64URL
    self.cookie = cookie(seal.seal(purpose, [id], until: now.addingTimeInterval(24 * 3600)))
  }

  func introduced(in response: DoorResponse) -> DoorResponse {
    cookie.map { response.settingCookie($0) } ?? response
  }
}
