import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: revoking and introspecting", .timeLimit(.minutes(20)))
struct SalesforceRevokeTests {
  private typealias Tester = SalesforceTester
  private static let limits = "/services/data/v59.0/limits"
  private static let revoke = "/services/oauth2/revoke"

  @Test("OS6: revoking a refresh token ends its access tokens, revoking an access token ends it alone")
  func scope() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn()
      let refresh = try #require(tokens["refresh_token"]?.string)
      let first = try #require(tokens["access_token"]?.string)
      let second = try #require(try await tester.refresh(refresh).json["access_token"]?.string)
      let client = tester.server.client()
      let answer = try await client.post(Self.revoke, form: [("token", first), ("revoke_reason", "user_logout")])
      #expect(answer.status == 200 && answer.body.isEmpty)
      #expect(try await tester.call(Self.limits, first).status == 401)
      #expect(try await tester.call(Self.limits, second).status == 200)
      #expect(try await client.post(Self.revoke, form: [("token", refresh)]).status == 200)
      #expect(try await tester.call(Self.limits, second).status == 401)
      #expect(try await tester.refresh(refresh).error == "invalid_grant")
      // What is over can't be ended again.
      let again = try await client.post(Self.revoke, form: [("token", refresh)])
      #expect(again.status == 400 && again.error == "invalid_token")
    }
  }

  @Test("OS6: by GET and from a script element too, under a name that is a name")
  func getAndScript() async throws {
    try await Tester.run { tester in
      let client = tester.server.client()
      func token() async throws -> String {
        Client.encode(try await tester.signIn()["access_token"]?.string ?? "")
      }
      #expect(try await client.get(Self.revoke + "?token=" + token()).status == 200)
      let script = try await client.get(Self.revoke + "?callback=my.callback_1&token=" + token())
      #expect(script.status == 200 && script.body == "my.callback_1({})")
      #expect(script.header("content-type")?.hasPrefix("text/javascript") == true)
      #expect(script.header("x-content-type-options") == "nosniff")
      let unknown = try await client.get(Self.revoke + "?callback=cb&token=nothing")
      #expect(unknown.status == 200 && unknown.body == "cb({\"error\":\"invalid_token\"})")
      for name in ["alert(1)//", "a b", "a;b", "1a", "a..b", "", ".", "a<b", "é"] {
        let answer = try await client.get(Self.revoke + "?token=x&callback=" + Client.encode(name))
        #expect(answer.status == 400, "\(name)")
        #expect(!answer.body.contains("alert"))
      }
      for target in ["?token=nothing", "?token=", ""] {
        #expect(try await client.get(Self.revoke + target).status == 400)
      }
      #expect(try await client.get(Self.revoke + "?token=nothing").error == "invalid_token")
    }
  }

  @Test("OS6: below a community's path, unescaped, and without the signs at its end")
  func tolerant() async throws {
    try await Tester.run { tester in
      for text in ["token=", "odd&token="] {
        let refresh = try #require(try await tester.signIn(at: "/customers")["refresh_token"]?.string)
        let answer = try await tester.server.client().send(
          "POST", "/customers" + Self.revoke, headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: text + (text.hasPrefix("odd") ? String(refresh.dropLast(2)) : refresh))
        #expect(answer.status == 200)
        #expect(try await tester.refresh(refresh).error == "invalid_grant")
      }
    }
  }

  @Test("OS10: introspection needs the app's secret, and tells of its own live tokens alone")
  func introspection() async throws {
    try await Tester.run { tester in
      let client = tester.server.client()
      func ask(_ token: String?, _ app: Tester.App = .web, secret: String? = Tester.secret) async throws -> Answer {
        var form = [("token", token ?? ""), ("client_id", app.key)]
        if let secret { form.append(("client_secret", secret)) }
        return try await client.post("/services/oauth2/introspect", form: form)
      }
      let tokens = try await tester.signIn()
      let access = tokens["access_token"]?.string
      let live = try await ask(access).json
      #expect(live["active"] == true && live["token_type"] == "access_token")
      #expect(live["username"] == "jane@example.com" && live["client_id"]?.string == Tester.App.web.key)
      #expect(live["sub"] == tokens["id"] && live["scope"] == "id api refresh_token")
      #expect(live["iat"] == 1_800_000_000 && live["nbf"] == live["iat"] && live["exp"] == 1_800_007_200)
      let refresh = try await ask(tokens["refresh_token"]?.string).json
      #expect(refresh["active"] == true && refresh["token_type"] == "refresh_token" && refresh["exp"] == nil)
      #expect(try await ask(access, secret: nil).error == "invalid_client")
      #expect(try await ask(access, secret: "wrong").error == "invalid_client")
      // An app that may leave its secret out may not here.
      #expect(try await ask(access, .mobile, secret: nil).error == "invalid_client")
      let inactive = "{\"active\":false}"
      #expect(try await ask(access, .mobile).body == inactive)
      #expect(try await ask("nothing").body == inactive)
      tester.server.clock.advance(by: 7201)
      #expect(try await ask(access).body == inactive)
      try await tester.server.identity.disableUser(named: "jane@example.com")
      #expect(try await ask(tokens["refresh_token"]?.string).body == inactive)
    }
  }

  @Test("The server says of itself what is true")
  func discovery() async throws {
    try await Tester.run { tester in
      let document = try await tester.server.client().get("/.well-known/openid-configuration").json
      #expect(document["issuer"]?.string == tester.server.origin)
      #expect(document["response_types_supported"] == .array(["code"]))
      #expect(document["jwks_uri"] == nil)
      #expect(document["code_challenge_methods_supported"] == .array(["S256"]))
      for (name, status) in [
        ("authorization_endpoint", 400), ("token_endpoint", 400), ("revocation_endpoint", 400),
        ("userinfo_endpoint", 403),
      ] {
        let address = try #require(document[name]?.string)
        #expect(try await tester.server.client().get(address).status == status, "\(name)")
      }
      let community = try await tester.server.client().get("/customers/.well-known/openid-configuration").json
      #expect(community["issuer"]?.string == tester.server.origin + "/customers")
    }
  }
}
