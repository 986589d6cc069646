import Foundation

/// What a flow is before anything has been stored about it: all of it travels with the client, sealed.
struct FlowToken: Hashable, Sendable {
  let kind: FlowKind
  /// 128 random bits; a stored flow is found by them.
  let number: String
  /// The browser that it was begun in; nil for a client of the JSON interface, whose secret the sealed token is.
  let browser: String?
  /// The user whose settings it is about.
  let userID: String?
  /// Where to go in the end, checked before it was sealed.
  let returnTo: String?
  let expiresAt: Date

  init(
    kind: FlowKind, number: String = RandomBytes.make(16).base64URL, browser: String?, userID: String? = nil,
    returnTo: String? = nil, expiresAt: Date
  ) {
    self.kind = kind
    self.number = number
    self.browser = browser
    self.userID = userID
    self.returnTo = returnTo
    // Whole seconds, as sealed.
    self.expiresAt = Date(timeIntervalSince1970: expiresAt.timeIntervalSince1970.rounded(.down))
  }
}
