import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@Suite("Redirect policy")
struct RedirectPolicyTests {
  private static let proof: HTTPFields = [
    .authorization: "Bearer secret", .proxyAuthorization: "Basic secret", .cookie: "a=secret",
    .origin: "https://app.example", .referer: "https://app.example/?t=secret", .named("X-Token"): "secret",
    .named("X-Auth-Key"): "secret", .named("Host"): "app.example",
  ]
  private static let harmless: HTTPFields = [
    .accept: "*/*", .acceptLanguage: "de", .userAgent: "Mine/1",
  ]
  private static let content: HTTPFields = [
    .contentType: "text/plain", .contentLength: "4", .contentEncoding: "identity",
    .named("Content-Digest"): "x", .transferEncoding: "chunked", .expect: "100-continue",
  ]

  private func request(
    _ method: HTTPRequest.Method = .get, _ address: String = "https://app.example/a?b", body: String? = nil
  ) throws -> TransportRequest {
    var fields = Self.proof
    fields.append(contentsOf: Self.harmless)
    fields.append(contentsOf: Self.content)
    let head = try HTTPRequest(method, to: #require(URL(string: address)), headerFields: fields)
    return TransportRequest(
      head, body: body.map { Data($0.utf8) }, timeout: .seconds(7), responseBodyLimit: 77, replay: .never)
  }

  private func redirect(_ status: Int = 302, _ location: String...) -> HTTPResponse {
    HTTPResponse(
      status: .init(code: status),
      headerFields: HTTPFields(location.map { HTTPField(name: .location, value: $0) }))
  }

  private func names(_ fields: HTTPFields) -> Set<String> { Set(fields.map(\.name.canonicalName)) }

  @Test(
    "Method and body follow RFC 9110 §15.4",
    arguments: [301, 302, 303, 307, 308], ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"])
  func methods(status: Int, method: String) throws {
    let sent = try request(#require(HTTPRequest.Method(method)), body: "body")
    let next = try #require(try RedirectPolicy().next(after: redirect(status, "/c"), to: sent, hops: 0))
    let becomesGet = status == 303 ? method != "HEAD" : status < 303 && method == "POST"
    #expect(next.head.method.rawValue == (becomesGet ? "GET" : method))
    #expect(next.body == (becomesGet ? nil : Data("body".utf8)))
    let kept = names(Self.proof).union(names(Self.harmless))
    #expect(names(next.head.headerFields) == (becomesGet ? kept : kept.union(names(Self.content))))
    #expect(next.head.targetURL?.absoluteString == "https://app.example/c")
    #expect(next.timeout == .seconds(7) && next.responseBodyLimit == 77 && next.replay == .never)
  }

  @Test(
    "Other statuses and redirects without a location are final",
    arguments: [200, 201, 204, 300, 304, 305, 306, 309, 399, 401, 500])
  func final(status: Int) throws {
    #expect(try RedirectPolicy().next(after: redirect(status, "/c"), to: request(), hops: 0) == nil)
    #expect(try RedirectPolicy().next(after: redirect(302), to: request(), hops: 0) == nil)
    #expect(try RedirectPolicy.none.next(after: redirect(302, "/c"), to: request(), hops: 0) == nil)
  }

  @Test(
    "Invariant 11: no proof leaves its origin",
    arguments: [
      "https://other.example/c", "https://sub.app.example/c", "https://example/c", "https://app.example:8443/c",
      "https://app.example.evil.example/c", "https://app.example./c", "//evil.example/c", "https://APP.EXAMPLE.COM/c",
    ])
  func otherOrigin(location: String) throws {
    var sent = try request()
    sent.head.headerFields[.named("Content-Token")] = "secret"
    for status in [301, 302, 303, 307, 308] {
      let next = try #require(try RedirectPolicy().next(after: redirect(status, location), to: sent, hops: 0))
      #expect(names(next.head.headerFields).isDisjoint(with: names(Self.proof)))
      #expect(names(next.head.headerFields).isSuperset(of: names(Self.harmless)))
      #expect(!"\(next.head.headerFields)".contains("secret"))
    }
  }

  @Test("Invariant 11: a change of scheme is a change of origin, in either direction")
  func schemes() throws {
    let upgrade = try #require(
      try RedirectPolicy().next(
        after: redirect(301, "https://app.example/c"), to: request(.get, "http://app.example/"), hops: 0))
    #expect(names(upgrade.head.headerFields).isDisjoint(with: names(Self.proof)))
    #expect(throws: OstiaryError(.redirectRefused, "")) {
      try RedirectPolicy().next(after: redirect(301, "http://app.example/c"), to: request(), hops: 0)
    }
    var policy = RedirectPolicy()
    policy.unsafelyFollowsDowngrades = true
    let downgrade = try #require(
      try policy.next(after: redirect(301, "http://app.example/c"), to: request(), hops: 0))
    #expect(downgrade.head.scheme == "http")
    #expect(names(downgrade.head.headerFields).isDisjoint(with: names(Self.proof)))
  }

  @Test(
    "The same origin in another spelling is the same origin",
    arguments: [
      "https://app.example/c", "https://APP.example:443/c", "HTTPS://app.example:/c", "//app.example/c", "c",
    ])
  func sameOrigin(location: String) throws {
    let next = try #require(try RedirectPolicy().next(after: redirect(302, location), to: request(), hops: 0))
    #expect(names(next.head.headerFields).isSuperset(of: names(Self.proof)))
    #expect(next.head.targetURL?.absoluteString == "https://app.example/c")
  }

  @Test("Invariant 11: a body, which may hold a password, does not go to another origin", arguments: [307, 308])
  func bodies(status: Int) throws {
    let sent = try request(.post, body: "password=secret")
    let away = redirect(status, "https://other.example/")
    let error = #expect(throws: OstiaryError(.redirectRefused, "")) {
      try RedirectPolicy().next(after: away, to: sent, hops: 0)
    }
    #expect(error.map { !"\($0)".contains("secret") && $0.isTransient } == true)
    var policy = RedirectPolicy()
    policy.unsafelySendsBodiesToOtherOrigins = true
    let next = try #require(try policy.next(after: away, to: sent, hops: 0))
    #expect(next.body == sent.body)
    #expect(next.head.headerFields[.contentType] == "text/plain")
    #expect(names(next.head.headerFields).isDisjoint(with: names(Self.proof)))
    let dropped = try #require(
      try RedirectPolicy().next(after: redirect(303, "https://other.example/"), to: sent, hops: 0))
    #expect(dropped.body == nil)
  }

  @Test("Invariant 9: redirects end after ten, or after as many as the policy says")
  func limit() throws {
    #expect(try RedirectPolicy().next(after: redirect(302, "/"), to: request(), hops: 9) != nil)
    #expect(throws: OstiaryError(.tooManyRedirects, "")) {
      try RedirectPolicy().next(after: redirect(302, "/"), to: request(), hops: 10)
    }
    var policy = RedirectPolicy()
    policy.limit = 0
    #expect(throws: OstiaryError(.tooManyRedirects, "")) {
      try policy.next(after: redirect(302, "/"), to: request(), hops: 0)
    }
  }

  @Test("Other schemes are refused, or delivered where that is asked for")
  func otherSchemes() throws {
    let callback = redirect(302, "app.scheme:/callback?code=secret")
    let error = #expect(throws: OstiaryError(.redirectRefused, "")) {
      try RedirectPolicy().next(after: callback, to: request(), hops: 0)
    }
    #expect(error.map { "\($0)".contains("secret") } == false)
    var policy = RedirectPolicy()
    policy.otherSchemes = .deliver
    #expect(try policy.next(after: callback, to: request(), hops: 0) == nil)
    #expect(throws: OstiaryError(.redirectRefused, "")) {
      try policy.next(after: redirect(302, "https:///"), to: request(), hops: 0)
    }
  }

  @Test("Invariant 14: several locations, an unreadable one or a user name in one are refused")
  func unreadable() throws {
    for locations in [["/a", "/b"], ["https://user:password@app.example/"], ["\\\\evil.example"], ["https://"]] {
      let response = HTTPResponse(
        status: .found, headerFields: HTTPFields(locations.map { HTTPField(name: .location, value: $0) }))
      #expect(throws: OstiaryError(.redirectRefused, "")) {
        try RedirectPolicy().next(after: response, to: request(), hops: 0)
      }
    }
    #expect(try RedirectPolicy().next(after: redirect(302, "/a", "/a"), to: request(), hops: 0) != nil)
    #expect(throws: OstiaryError(.redirectRefused, "")) {
      try RedirectPolicy().next(
        after: redirect(302, "/a"),
        to: TransportRequest(HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)),
        hops: 0)
    }
  }
}

extension HTTPField.Name {
  fileprivate static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
}
