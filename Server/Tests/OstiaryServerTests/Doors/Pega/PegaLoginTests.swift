import Foundation
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Pega door: signing in", .timeLimit(.minutes(10)))
struct PegaLoginTests {
  private let password = TestServer.janesPassword

  @Test("PS1: Basic, query and form sign the same user in", arguments: ["basic", "query", "form"])
  func threeWays(way: String) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      switch way {
      case "basic": #expect(try await client.login("jdoe", password).status == 200)
      case "query": #expect(try await client.loginByQuery("jdoe", password).status == 200)
      default:
        let answer = try await client.loginByForm("jdoe", password)
        #expect(answer.status == 303)
        #expect(try await client.get(answer.header("Location") ?? "").body.contains("Jane Doe"))
      }
      #expect(try await client.whoAmI() == "jdoe")
    }
  }

  @Test(
    "PS1: every password arrives as it was typed, by every pathway",
    arguments: [
      "p%20w%", "a+b&c=d", "pass:word:", "é日本🗝️ word", " blank at ends ", "line\nbreak\ttab", "\"'<>\\`$(x)", "ä\u{308}",
      "\u{301} accent first", ":\u{308}",
    ])
  func everyPassword(password: String) async throws {
    try await TestServer.runWithJane(password: password) { server in
      for pathway in Pathways.all {
        let accepted = try await pathway.tries(server.client(), "jdoe", password)
        #expect(accepted == .accepted, "\(pathway.name)")
        let refused = try await pathway.tries(server.client(), "jdoe", password + "x")
        #expect(refused == .refused, "\(pathway.name)")
      }
    }
  }

  @Test("PS1: a user name may hold what a query or form must escape")
  func everyName() async throws {
    try await TestServer.runWithJane { server in
      let name = "jane+doe&co=x@example.org"
      try await server.identity.addUser(name: name, password: Secret(password))
      for pathway in Pathways.all {
        let accepted = try await pathway.tries(server.client(), name, password)
        #expect(accepted == .accepted, "\(pathway.name)")
      }
    }
  }

  @Test("PS1: the login activity tells access group, base URL, operator and container versions")
  func dictionary() async throws {
    try await TestServer.runWithJane { server in
      let answer = try await server.client().login("jdoe", password)
      #expect(answer.header("Content-Type") == "application/json")
      let json = answer.json
      #expect(json["accessGroup"] == "Uplus:Users")
      #expect(json["operator"] == "jdoe")
      #expect(json["operatorName"] == "Jane Doe")
      #expect(json["applicationName"] == "Uplus")
      #expect(json["minContainerVersion"] == "7.0")
      #expect(json["maxContainerVersion"] == "8.99")
      let base = try #require(json["baseURL"]?.string)
      let expected = /http:\/\/127\.0\.0\.1:\d+\/prweb\/PRServlet\/[A-Za-z0-9_-]{32}\*\/!STANDARD/
      #expect(base.wholeMatch(of: expected) != nil)
    }
  }

  @Test("PS1: the older activity tells access groups and no container versions")
  func olderActivity() async throws {
    try await TestServer.runWithJane { server in
      let json = try await server.client().get(
        "/prweb/PRServlet?pyActivity=pzAccessGroupDetails", headers: Client.basic("jdoe", password)
      ).json
      #expect(json["accessGroups"] == .array(["Uplus:Users"]))
      #expect(json["operator"] == "jdoe")
      #expect(json["minContainerVersion"] == nil)
      #expect(json["maxContainerVersion"] == nil)
    }
  }

  @Test("PS1: a user's own access group is told")
  func ownAccessGroup() async throws {
    try await TestServer.run { server in
      try await server.identity.addUser(
        name: "boss", password: Secret(password), attributes: ["accessGroup": "Uplus:Managers"])
      #expect(try await server.client().login("boss", password).json["accessGroup"] == "Uplus:Managers")
    }
  }

  @Test(
    "PS1: what is no credential is refused like a wrong one",
    arguments: [
      "Basic", "Basic ", "Basic !!!", "Basic bm9jb2xvbg==", "Basic Og==", "Basic amRvZTo=", "Basic OnNlY3JldA==",
      "Basic /////w==", "Bearer amRvZTpwYXNz", "basic amRvZQ", "Basic amRvZTpwYXNz amRvZTpwYXNz",
    ])
  func malformedHeader(header: String) async throws {
    try await TestServer.runWithJane { server in
      let wrong = try await server.client().login("jdoe", "wrong")
      let answer = try await server.client().get(Client.loginActivity, headers: ["Authorization": header])
      #expect(answer.status == 401)
      #expect(answer.body == wrong.body)
      #expect(answer.header("WWW-Authenticate") == "Basic realm=\"Pega 7\"")
    }
  }

  @Test(
    "PS1: a query credential that isn't exactly base64 is refused",
    arguments: [
      "&UserIdentifier=jdoe", "&Password=cGFzcw%3D%3D", "&UserIdentifier=jdoe&Password=plain!",
      "&UserIdentifier=jdoe&Password=YSBmaW5lIGxvbmcgcGFzc3dvcmQ",  // without padding where it needs some
      "&UserIdentifier=&Password=YQ%3D%3D", "&UserIdentifier=jdoe&Password=",
      "&UserIdentifier=jdoe&Password=%2F%2F8%3D",
    ])
  func malformedQuery(query: String) async throws {
    try await TestServer.runWithJane { server in
      let answer = try await server.client().get(Client.loginActivity + query)
      #expect(answer.status == 401)
      #expect(answer.body.contains("<div id=\"error\">The information you entered was not recognized.</div>"))
    }
  }

  @Test("PS1: a broken percent sequence in the query is 400", arguments: ["%", "%4", "%zz", "%FF"])
  func brokenQuery(text: String) async throws {
    try await TestServer.runWithJane { server in
      let connection = try await RawConnection(port: server.running.port)
      let answer = try await connection.exchange(
        "GET /prweb/PRServlet?pyActivity=\(text) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("PS1: another user's credential with a live session starts that user's session and ends the first")
  func otherUser() async throws {
    try await TestServer.runWithJane { server in
      try await server.identity.addUser(name: "other", password: Secret(password))
      let client = server.client()
      try await client.login("jdoe", password)
      let cookies = await client.cookies
      #expect(try await client.login("other", password).json["operator"] == "other")
      let old = server.client()
      for (name, value) in cookies { await old.setCookie(name, value) }
      #expect(try await old.whoAmI() == nil)
    }
  }

  @Test("PS2: the first hit becomes a guest and is redirected to the session-hash URL")
  func hashRedirect() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let first = try await client.get("/prweb/PRServlet")
      #expect(first.status == 302)
      let location = try #require(first.header("Location"))
      #expect(location.wholeMatch(of: /\/prweb\/PRServlet\/[A-Za-z0-9_-]{32}\*\/!STANDARD\?pzPostData=\d+/) != nil)
      let page = try await client.get(location)
      #expect(page.status == 200)
      #expect(page.body.contains("id=\"credentialsForm\""))
      #expect(page.headers["set-cookie"].isEmpty)
      #expect(try await client.get("/prweb/PRServlet").header("Location") == String(location.prefix { $0 != "?" }))
    }
  }

  @Test("PS2: cookies carry the context path and the vendor's shape, and are HttpOnly")
  func cookieShape() async throws {
    try await TestServer.runWithJane { server in
      let lines = try await server.client().login("jdoe", password).headers["set-cookie"]
      #expect(lines.count == 2)
      let rules = /Pega-RULES=%09%7Bpd%7D[A-Za-z0-9_-]{43}%3D%3DA%7Bapp%7D; Path=\/prweb; HttpOnly; SameSite=Lax/
      #expect(lines.first?.wholeMatch(of: rules) != nil)
      #expect(lines.last?.wholeMatch(of: /JSESSIONID=[0-9A-F]{32}; Path=\/prweb\/; HttpOnly; SameSite=Lax/) != nil)
    }
  }

  @Test("PS2: cookies are Secure where the public origin is https, whatever the connection is")
  func secureCookies() async throws {
    try await TestServer.runWithJane({
      $0.publicOrigin = "https://pega.example.org"
      $0.development?.dangerouslyListensBeyondLoopback = true
    }) { server in
      let client = Client(origin: "http://127.0.0.1:\(server.running.port)")
      let answer = try await client.login("jdoe", password)
      #expect(answer.headers["set-cookie"].allSatisfy { $0.hasSuffix("; Secure") })
      #expect(answer.json["baseURL"]?.string?.hasPrefix("https://pega.example.org/prweb/") == true)
    }
  }

  @Test("PS2: a Host header doesn't decide where clients are sent")
  func hostHeader() async throws {
    // A host that is served, and isn't the server's own.
    try await TestServer.runWithJane({ $0.gateway?.protectedOrigins = ["https://evil.example"] }) { server in
      let connection = try await RawConnection(port: server.running.port)
      let credential = Client.basic("jdoe", password)["Authorization"] ?? ""
      let answer = try await connection.exchange(
        "GET \(Client.loginActivity) HTTP/1.1\r\nHost: evil.example\r\nAuthorization: \(credential)\r\n"
          + "X-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(!answer.contains("evil.example"))
    }
  }

  @Test("PS2: the cookie works in either spelling, beside stale ones, and only byte for byte")
  func spellings() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let value = try #require(await client.cookies["Pega-RULES"])
      func whoAmI(_ header: String) async throws -> String? {
        try await server.client().get(Client.loginActivity, headers: ["Cookie": header]).json["operator"]?.string
      }
      #expect(try await whoAmI("Pega-RULES=\(value)") == "jdoe")
      #expect(try await whoAmI("PegaRULES=\(value)") == "jdoe")
      #expect(try await whoAmI("Pega-RULES=H7CC5BB4B; a=b;Pega-RULES=\(value)") == "jdoe")
      #expect(try await whoAmI("pega-rules=\(value)") == nil)
      #expect(try await whoAmI("Pega-RULES=\(value.removingPercentEncoding ?? "")") == nil)
      #expect(try await whoAmI("Pega-RULES=\(value.replacingOccurrences(of: "%7B", with: "%7b"))") == nil)
      #expect(try await whoAmI("Pega-RULES=\"\(value)\"") == nil)
    }
  }

  @Test(
    "PS2: every servlet spelling works and keeps its own address",
    arguments: [
      ("/prweb", "/prweb/PRServlet"), ("/prweb/", "/prweb/PRServlet"), ("/prweb/PRServletCustom", nil),
      ("/prweb/PRAuth/SSO", nil), ("/prweb/PRAuth/app/default", nil), ("/prweb/app/my%20alias", nil),
    ])
  func servlets(path: String, canonical: String?) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let first = try await client.get(path)
      let location = try #require(first.header("Location"))
      #expect(location.hasPrefix((canonical ?? path) + "/"))
      let answer = try await client.submit(try await client.get(location), "jdoe", password)
      #expect(answer.status == 303)
      #expect(answer.header("Location")?.hasPrefix((canonical ?? path) + "/") == true)
      #expect(try await client.whoAmI() == "jdoe")
    }
  }

  @Test("PS2: a hash URL also works with its * and ! percent-encoded")
  func encodedHash() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let location = try #require(try await client.get("/prweb/PRServlet").header("Location"))
      let encoded = location.replacingOccurrences(of: "*", with: "%2A").replacingOccurrences(of: "!", with: "%21")
      #expect(try await client.get(encoded).status == 200)
    }
  }

  @Test("PS7: a login by each pathway gives a new id, and the guest's is dead", arguments: Pathways.all)
  func newID(pathway: Pathways) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.get("/prweb/PRServlet")
      let before = try #require(await client.cookies["Pega-RULES"])
      #expect(try await pathway.tries(client, "jdoe", password) == .accepted)
      let after = try #require(await client.cookies["Pega-RULES"])
      #expect(before != after)
      let thief = server.client()
      await thief.setCookie("Pega-RULES", before)
      #expect(try await thief.whoAmI() == nil)
    }
  }
}
