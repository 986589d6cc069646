import Foundation
import OstiaryCore

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
    for challenge in AuthenticationChallenge.parse(String(decoding: bytes, as: UTF8.self)) ?? [] {
      try require(!challenge.scheme.isEmpty, "a challenge has a scheme")
      try require(challenge.token68 == nil || challenge.parameters.isEmpty, "a token or parameters, not both")
    }
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
