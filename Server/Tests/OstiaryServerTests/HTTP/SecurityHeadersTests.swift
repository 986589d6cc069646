import Foundation
import HTTPTypes
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Security headers and methods", .timeLimit(.minutes(10)))
struct SecurityHeadersTests {
  private func check(_ answer: Answer, _ what: String) {
    #expect(answer.header("X-Content-Type-Options") == "nosniff", "\(what)")
    #expect(answer.header("Referrer-Policy") == "no-referrer", "\(what)")
    #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin", "\(what)")
    #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin", "\(what)")
    #expect(answer.header("Cache-Control") == "no-store", "\(what)")
    let policy = answer.header("Content-Security-Policy") ?? ""
    #expect(policy.hasPrefix("default-src 'none'"), "\(what)")
    #expect(policy.contains("frame-ancestors 'none'"), "\(what)")
    #expect(!policy.contains("unsafe"), "\(what)")
    #expect(answer.header("Server") == nil, "\(what)")
    #expect(answer.header("X-Powered-By") == nil, "\(what)")
    for (name, _) in answer.headers {
      #expect(answer.headers[name].count == 1 || name.lowercased() == "set-cookie", "\(what): \(name) twice")
    }
  }

  @Test("CK-07, CK-08, CK-13: every route with every method, signed in or not, and 404 have the headers; 405 has Allow")
  func everyRoute() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let routes = server.running.doors.flatMap(\.routes) + HealthRoutes.routes(isReady: { true })
      #expect(routes.count > 10)
      for isSignedIn in [false, true] {
        for route in routes {
          let path =
            "/"
            + route.segments.map { segment in
              switch segment {
              case ":hash": "abc*"
              case ":thread": "!STANDARD"
              default: segment.hasPrefix(":") ? "x" : segment
              }
            }.joined(separator: "/")
          for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"] {
            await client.forgetCookies()
            if isSignedIn { try await client.login("jdoe", TestServer.janesPassword) }
            let answer = try await client.send(method, path)
            check(answer, "\(method) \(path)")
            let isDeclared =
              HTTPRequest.Method(method == "HEAD" ? "GET" : method).flatMap { route.receivers[$0] } != nil
            #expect((answer.status == 405) == !isDeclared, "\(method) \(path)")
            #expect((answer.header("Allow") != nil) == !isDeclared, "\(method) \(path)")
          }
        }
      }
      check(try await client.get("/nowhere"), "404")
    }
  }

  @Test("CK-07: redirects, failures, 413 and 429 have the headers")
  func others() async throws {
    try await TestServer.runWithJane({
      $0.loginLimits.freeFailures = 1
      $0.http.bodySize = 1024
    }) { server in
      check(try await server.client().get("/prweb/PRServlet"), "302")
      check(try await server.client().loginByForm("jdoe", "wrong"), "form")
      check(try await server.client().login("jdoe", "wrong"), "429")
      check(
        try await server.client().send("POST", "/prweb/api/v1/cases", body: String(repeating: "x", count: 2000)), "413")
    }
  }

  @Test("HEAD has the length of GET and no body")
  func head() async throws {
    try await TestServer.run { server in
      let get = try await server.client().get("/healthz")
      let head = try await server.client().send("HEAD", "/healthz")
      #expect(get.body == "ok\n")
      #expect(head.body.isEmpty)
      #expect(head.header("Content-Length") == get.header("Content-Length"))
    }
  }

  @Test("HSTS is sent where the public origin is https, and not on plain http")
  func strictTransport() async throws {
    try await TestServer.run({
      $0.publicOrigin = "https://id.example.org"
      $0.development?.dangerouslyListensBeyondLoopback = true
    }) { server in
      let client = Client(origin: "http://127.0.0.1:\(server.running.port)")
      let answer = try await client.get("/healthz")
      #expect(answer.header("Strict-Transport-Security") == "max-age=31536000")
    }
    try await TestServer.run { server in
      let answer = try await server.client().get("/healthz")
      #expect(answer.header("Strict-Transport-Security") == nil)
    }
  }
}
