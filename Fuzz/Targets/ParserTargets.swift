import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryHTML

extension FuzzTarget {
  /// A page with forms.
  static let page = FuzzTarget(name: "page") { bytes in
    let page = HTMLPage(Data(bytes))
    try require(page.forms.count <= HTMLPage.maximumForms, "forms are bounded")
    for form in page.forms {
      try require(form.fields.count <= HTMLPage.maximumFields, "fields are bounded")
      _ = form.asksForPassword
    }
    for id in ["error", "a", ""] {
      try require((page.text(ofElement: id)?.utf8.count ?? 0) <= 3 * HTMLPage.maximumText, "text is bounded")
    }
  }

  /// The value of a `WWW-Authenticate` field.
  static let challenge = FuzzTarget(name: "challenge") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let challenges = AuthenticationChallenge.parse(text)
    let salvaged = AuthenticationChallenge.salvage(text)
    for challenge in (challenges ?? []) + salvaged {
      try require(!challenge.scheme.isEmpty, "a challenge has a scheme")
      try require(challenge.token68 == nil || challenge.parameters.isEmpty, "a token or parameters, not both")
    }
    if let challenges { try require(challenges == salvaged, "there is nothing to salvage in what is well-formed") }
  }

  /// A JSON text.
  static let json = FuzzTarget(name: "json") { bytes in
    guard let value = JSONValue(json: Data(bytes)) else { return }
    let text = try JSONEncoder().encode(value)
    try require(JSONValue(json: text) == value, "a value comes back from its text")
    try require((try? JSONDecoder().decode(JSONValue.self, from: text)) == value, "a decoder reads the same")
  }

  /// The value of a `Location` field.
  static let location = FuzzTarget(name: "location") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = URL(string: "https://app.example/a/b?c") else { return }
    let request = try TransportRequest.get(url)
    var head = HTTPResponse(status: .found)
    head.headerFields[.location] = text
    do {
      guard let next = try RedirectPolicy().next(after: head, to: request, hops: 0) else { return }
      try require(Origin(next.head)?.isSecure == true, "a redirect leads to an origin, and to none that is less secure")
      try require(next.head.path?.utf8.allSatisfy { (0x21...0x7E).contains($0) } == true, "a path can be sent")
      try require(next.head.path?.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
    } catch is OstiaryError {}
  }

  /// Dates, waits, forms, percent-encoding and addresses.
  static let encodings = FuzzTarget(name: "encodings") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    if let date = HTTPDate.parse(text, now: now) {
      try require(HTTPDate.parse(HTTPDate.format(date), now: now) == date, "a date comes back from its text")
    }
    if let wait = RetryAfter.parse(text, now: now) {
      try require(wait >= .zero && wait <= RetryAfter.maximum, "a wait is bounded")
    }
    let pairs = FormEncoding.parse(text)
    let again = FormEncoding.parse(FormEncoding.serialize(pairs))
    try require(pairs.elementsEqual(again) { $0 == $1 }, "a form comes back from its text")
    try require(PercentEncoding.decode(PercentEncoding.encode(text)) == text, "text comes back from its encoding")
    _ = PercentEncoding.decode(text)
    if let origin = Origin(scheme: "https", authority: text) {
      try require(Origin(scheme: "https", authority: origin.authority) == origin, "an origin comes back from its text")
    }
  }
}
