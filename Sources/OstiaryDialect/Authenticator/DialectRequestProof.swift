internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Proof that has to go beside what a request has already: a cookie that was read as a value, or items of the query.
final class DialectRequestProof: RequestProof {
  /// `name=value`.
  private let cookie: Secret?
  /// The items, escaped.
  private let query: Secret?

  init(cookie: Secret?, query: Secret?) {
    self.cookie = cookie
    self.query = query
  }

  func attach(to request: inout HTTPRequest, body: Data?) {
    if let cookie { request.headerFields.addCookies(cookie.reveal()) }
    if let query { request.path = Self.path(request.path ?? "/", with: query.reveal()) }
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview {
    .undecided
  }

  /// A path and query with more items.
  private static func path(_ path: String, with items: String) -> String {
    path + (path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + items
  }
}

extension DialectRequestProof: CustomStringConvertible, CustomReflectable {
  var description: String { "DialectRequestProof(\(cookie == nil ? "" : "cookie")\(query == nil ? "" : "query"))" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
