internal import Foundation
public import HTTPTypes

/// What a session adds to requests, prepared once so that adding it costs nanoseconds.
///
/// The authenticator that prepares it says *what*; where it may go is enforced when it is added: fields only to the
/// listed origins, cookies where RFC 6265bis lets them.
public struct ProofAttachment: Sendable {
  /// The origins that ``fields`` may go to.
  public let origins: [Origin]
  /// Fields to set, replacing the request's own of the same name.
  public let fields: [HTTPField]
  /// Cookies to match against each request.
  public let cookies: CookieJar
  /// Makes the proof that depends on the request; `nil` for most kinds of server.
  package let perRequest: (any RequestProof)?
  /// Adds proof that stands in a request's body, which needs the whole request; `nil` for most kinds of server.
  package let inBody: (@Sendable (inout TransportRequest) -> Void)?
  /// Other proof for some addresses, which these take in place of this one; that of the longest path first.
  package let parts: [ProofPart]
  /// The path that requests must lie below, without a slash at its end; empty for every path.
  package let path: String

  /// The authorities of ``origins`` as requests usually spell them, so that most need no parsing.
  private let spellings: [(scheme: String, authority: String)]
  private let urlSpellings: [[UInt8]]

  /// Prepares an attachment.
  public init(
    origins: [Origin] = [], fields: [HTTPField] = [], cookies: CookieJar = CookieJar(),
    perRequest: (any RequestProof)? = nil
  ) {
    self.init(origins: origins, fields: fields, cookies: cookies, perRequest: perRequest, inBody: nil, below: "")
  }

  /// Prepares an attachment for the requests below a path, for servers that share their origin with others.
  /// - Parameters:
  ///   - inBody: adds proof that stands in a request's body.
  ///   - path: the path without a slash at its end; empty for every path.
  ///   - parts: other proof for some addresses.
  package init(
    origins: [Origin] = [], fields: [HTTPField] = [], cookies: CookieJar = CookieJar(),
    perRequest: (any RequestProof)? = nil, inBody: (@Sendable (inout TransportRequest) -> Void)? = nil,
    below path: String, parts: [ProofPart] = []
  ) {
    self.path = path
    self.parts = parts.sorted { $0.attachment.path.utf8.count > $1.attachment.path.utf8.count }
    self.origins = origins
    self.fields = fields
    self.cookies = cookies
    self.perRequest = perRequest
    self.inBody = inBody
    spellings = origins.map { ($0.scheme, $0.authority) }
    urlSpellings = origins.map { Array($0.description.utf8) }
  }

  /// What an address takes in place of this; `nil` where it takes this.
  package func part(for request: HTTPRequest) -> ProofPart? {
    parts.isEmpty ? nil : parts.first { $0.attachment.covers(request) }
  }

  /// What makes the proof that a request's address takes.
  func proof(for request: HTTPRequest) -> (any RequestProof)? {
    guard let part = part(for: request) else { return perRequest }
    return part.attachment.perRequest
  }

  /// Whether a request goes to one of the session's own origins, or to an address with proof of its own.
  func covers(_ request: HTTPRequest) -> Bool {
    coversItself(request) || (!parts.isEmpty && parts.contains { $0.attachment.covers(request) })
  }

  private func coversItself(_ request: HTTPRequest) -> Bool {
    guard path.isEmpty || request.isBelow(path) else { return false }
    for spelling in spellings where request.scheme == spelling.scheme && request.authority == spelling.authority {
      return true
    }
    guard let origin = Origin(request) else { return false }
    return origins.contains(origin)
  }

  /// Whether an absolute URL, as text, goes to one of the session's own origins. Most are told by comparing bytes.
  package func covers(absoluteURL text: String) -> Bool {
    if !path.isEmpty {
      guard let url = URL(string: text), let request = try? HTTPRequest(.get, to: url), request.isBelow(path) else {
        return false
      }
    }
    var text = text
    if text.withUTF8({ bytes in urlSpellings.contains { Self.names(bytes, $0) } }) { return true }
    guard let url = URL(string: text), url.user() == nil, let origin = Origin(url) else { return false }
    return origins.contains(origin)
  }

  /// Whether the bytes of a URL begin with an origin, and go on with a path, a query, a fragment or not at all.
  private static func names(_ url: UnsafeBufferPointer<UInt8>, _ origin: [UInt8]) -> Bool {
    guard url.count >= origin.count else { return false }
    for index in origin.indices where url[index] != origin[index] { return false }
    guard url.count > origin.count else { return true }
    return switch url[origin.count] {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
    default: false
    }
  }

  /// Adds what may go to the request's address.
  func apply(to request: inout HTTPRequest, body: Data?, isCovered: Bool, now: @autoclosure () -> Date) {
    apply(to: &request, body: body, isCovered: isCovered, at: Moment(wall: now()), isProof: { _ in false })
  }

  /// The same at a moment by two clocks. A cookie that is proof is not withheld because of a wall clock.
  /// - Parameter isProof: whether a cookie of a name carries the session.
  func apply(
    to request: inout HTTPRequest, body: Data?, isCovered: Bool, at moment: @autoclosure () -> Moment,
    isProof: (String) -> Bool
  ) {
    if isCovered {
      // As prepared fields: setting a string would examine every byte of the token again.
      for field in fields { request.headerFields[fields: field.name] = [field] }
      if let perRequest { perRequest.attach(to: &request, body: body, at: { moment().wall }) }
    }
    if !cookies.isEmpty, let value = cookieHeader(for: request, at: moment(), isProof: isProof) {
      request.headerFields.addCookies(value)
    }
  }

  /// The value of the `Cookie` field for a request; `nil` when no cookie belongs to it.
  /// - Parameter isProof: whether a cookie of a name carries the session.
  package func cookieHeader(
    for request: HTTPRequest, at moment: Moment, isProof: (String) -> Bool
  ) -> String? {
    guard path.isEmpty || request.isBelow(path) else { return nil }
    return cookies.header(for: request, at: moment, isProof: isProof)
  }

  /// A bearer token for `origin` (RFC 6750 §2.1).
  /// - Returns: `nil` when the token has characters that no header field may carry.
  public static func bearer(_ token: Secret, origin: Origin) -> ProofAttachment? {
    let value = "Bearer " + token.reveal()
    guard HTTPField.isValidValue(value) else { return nil }
    return ProofAttachment(origins: [origin], fields: [HTTPField(name: .authorization, value: value)])
  }
}

extension ProofAttachment: Redacted {
  /// What is added where, without the values.
  public var description: String {
    "ProofAttachment(\(fields.map(\.name.rawName)), \(cookies.count) cookies, for \(origins))"
  }
}
