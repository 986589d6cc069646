import Foundation
import NIOHTTP1
import HTTPTypes
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: what was sent before signing in", .serialized, .timeLimit(.minutes(20)))
struct GatewayHeldRequestTests {
  private static let form = [("item", "bøok"), ("note", "canary+note & more")]
  private static let encoded = "item=b%C3%B8ok&note=canary%2Bnote%20%26%20more"

  /// Sends a form without a session and signs in.
  private func sendAndSignIn(_ gateway: GatewayTester, to path: String = "/app/orders?x=1") async throws -> Answer {
    let first = try await gateway.client.post(path, form: Self.form, headers: GatewayTester.html)
    let page =
      first.header("Location") == nil
      ? first : try await gateway.client.get(try #require(first.header("Location")), headers: GatewayTester.html)
    return try await gateway.submit(page)
  }

  private func run(
    _ configure: (inout GatewayDoorConfiguration) -> Void = { _ in },
    body: (GatewayTester, LoopbackServer) async throws -> Void
  ) async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({
        $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
        configure(&$0)
      }) { try await body($0, upstream) }
    }
  }

  @Test("GW-07: a form is kept, and sent once, to its address, after the user says so")
  func afterConsent() async throws {
    try await run { gateway, upstream in
      let answer = try await sendAndSignIn(gateway)
      let location = try #require(answer.header("Location"))
      #expect(location.hasPrefix("/gateway/continue?target="))
      let page = try await gateway.client.get(location, headers: GatewayTester.html)
      #expect(page.body.contains("/app/orders?x=1"))
      // Nothing has been done yet, and asking again does nothing.
      try await gateway.client.get("/app/orders?x=1")
      #expect(upstream.requests.map(\.method) == ["GET"])
      let form = try #require(GatewayTester.Form(page))
      let go = try await gateway.client.post(form.action, form: form.fields + [("action", "send")])
      #expect(go.header("Location") == gateway.server.origin + "/app/orders?x=1")
      // Neither another address nor another client brings it back.
      try await gateway.client.get("/app/orders?x=2")
      let stranger = gateway.another()
      try await stranger.signIn()
      try await stranger.client.get("/app/orders?x=1")
      #expect(upstream.requests.map(\.method) == ["GET", "GET", "GET"])
      try await gateway.client.get("/app/orders?x=1")
      let sent = try #require(upstream.requests.last)
      #expect(sent.method == "POST")
      #expect(sent.target == "/orders?x=1")
      #expect(sent.text == Self.encoded)
      #expect(sent.fields[.contentType] == "application/x-www-form-urlencoded")
      for _ in 0..<3 { try await gateway.client.get("/app/orders?x=1") }
      let again = try await gateway.client.post(form.action, form: form.fields + [("action", "send")])
      #expect(again.status == 303)
      try await gateway.client.get("/app/orders?x=1")
      #expect(upstream.requests.count { $0.method == "POST" } == 1)
    }
  }

  @Test("GW-07: what is discarded, another site's, another browser's or too old is never sent")
  func notSent() async throws {
    try await run { gateway, upstream in
      // Discarded.
      let first = try await sendAndSignIn(gateway)
      let page = try await gateway.client.get(try #require(first.header("Location")))
      let form = try #require(GatewayTester.Form(page))
      for headers in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]] {
        let forged = try await gateway.client.post(
          form.action, form: form.fields + [("action", "send")], headers: headers)
        #expect(forged.status == 403)
      }
      #expect(try await gateway.client.post(form.action, form: [("action", "send")]).status == 403)
      try await gateway.client.post(form.action, form: form.fields + [("action", "discard")])
      try await gateway.client.post(form.action, form: form.fields + [("action", "send")])
      try await gateway.client.get("/app/orders?x=1")

      // Another browser that has got hold of the address and the page.
      let victim = gateway.another()
      let second = try await sendAndSignIn(victim)
      let location = try #require(second.header("Location"))
      #expect(try await gateway.client.get(location).status == 303)
      let victims = try #require(GatewayTester.Form(try await victim.client.get(location)))
      #expect(try await gateway.client.post(victims.action, form: victims.fields + [("action", "send")]).status == 403)

      // Another site's page has sent it.
      await gateway.client.forgetCookies()
      let forged = try await gateway.client.post(
        "/app/orders?x=1", form: Self.form, headers: GatewayTester.html.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
      )
      #expect(forged.header("Location") == gateway.server.origin + "/gateway/login")

      // Too old.
      gateway.server.clock.advance(by: 601)
      #expect(try await victim.client.get(location).status == 303)
      try await victim.client.post(victims.action, form: victims.fields + [("action", "send")])
      try await victim.client.get("/app/orders?x=1")
      #expect(!upstream.requests.contains { $0.method == "POST" })
    }
  }

  @Test(
    "GW-07: what is too long isn't kept, and the way leads to the beginning", arguments: [(1000, true), (1001, false)])
  func bounds(size: Int, isKept: Bool) async throws {
    try await run({ $0.heldBodySize = 1000 }) { gateway, _ in
      for isChunked in [false, true] {
        let body = String(repeating: "x", count: size)
        let head =
          "POST /app/x HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n"
        let rest =
          isChunked
          ? "Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
          : "Content-Length: \(size)\r\n\r\n\(body)"
        let answer = try await RawConnection(port: gateway.server.running.port).exchange(head + rest)
        #expect(answer.hasPrefix("HTTP/1.1 303 "))
        #expect(answer.contains("/gateway/login?target=") == isKept)
      }
    }
  }

  @Test(
    "GS3: WebSEAL's way: the cached request is replayed when the redirect is followed, once",
    arguments: [GatewayDoorConfiguration.Challenge.redirect, .form])
  func automatically(challenge: GatewayDoorConfiguration.Challenge) async throws {
    try await run({
      $0.style = .webSEAL
      $0.challenge = challenge
      $0.heldRequests = .automatically
    }) { gateway, upstream in
      let answer = try await sendAndSignIn(gateway)
      #expect(answer.status == 302)
      #expect(answer.header("Location") == gateway.server.origin + "/app/orders?x=1")
      #expect(upstream.requests.isEmpty)
      try await gateway.client.get(try #require(answer.header("Location")))
      try await gateway.client.get(try #require(answer.header("Location")))
      #expect(upstream.requests.map(\.method) == ["POST", "GET"])
      #expect(upstream.requests.first?.text == Self.encoded)
      // A client that then repeats its own request has it done twice: what invites a second side effect is real.
      try await gateway.client.post("/app/orders?x=1", form: Self.form)
      #expect(upstream.requests.count { $0.method == "POST" } == 2)
    }
  }

  @Test("GS3: inline, the answer to the login form is the answer to the form that was sent before")
  func inline() async throws {
    try await run({
      $0.style = .ltpa
      $0.challenge = .form
      $0.success = .inline
      $0.heldRequests = .automatically
    }) { gateway, upstream in
      let answer = try await sendAndSignIn(gateway)
      #expect(answer.body == "upstream")
      #expect(answer.cookie("LtpaToken2") != nil)
      #expect(upstream.requests.map(\.method) == ["POST"])
      #expect(upstream.requests.first?.text == Self.encoded)
    }
  }

  @Test(
    "A door that keeps nothing says so by leading to the beginning; programs get the challenge, and nothing is kept")
  func never() async throws {
    try await run({ $0.heldRequests = .never }) { gateway, _ in
      let answer = try await gateway.client.post("/app/x", form: Self.form, headers: GatewayTester.html)
      #expect(answer.status == 303)
      #expect(answer.header("Location") == gateway.server.origin + "/gateway/login")
    }
    try await run { gateway, _ in
      let answer = try await gateway.client.post("/app/x", form: Self.form, headers: GatewayTester.json)
      #expect(answer.status == 401)
      #expect(answer.headers["set-cookie"].isEmpty)
    }
  }
}
