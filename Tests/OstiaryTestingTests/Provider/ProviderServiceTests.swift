import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import Testing

@Suite struct ProviderServiceTests {
  @Test("KIT-30 A pushed request is used once, in its time, by its client; where it has to be pushed, no other will do")
  func pushed() async throws {
    var settings = ProviderSettings()
    settings.clients.append(ProviderClient(id: "other"))
    settings.requiresPushedRequests = true
    let visitor = try ProviderVisitor(settings)
    #expect(try visitor.callback()["error"] == "invalid_request")
    func push() async throws -> String {
      let answer = try await visitor.post(.pushedAuthorization, visitor.request())
      #expect(answer.status == .created)
      #expect(answer.members["expires_in"] == 60)
      return try #require(answer.members["request_uri"]?.string)
    }
    func visit(_ address: String, client: String = "app") throws -> [String: String] {
      let page = try visitor.address(.authorization, [("client_id", client), ("request_uri", address)])
      return ProviderVisitor.parameters(of: try visitor.provider.visit(page))
    }
    let address = try await push()
    let callback = try visit(address)
    #expect(callback["state"] == "s")
    let answer = try await visitor.exchange(callback["code"]).members
    #expect(try visitor.claims(answer)["nonce"] == "n")
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visit(address) }
    let others = try await push()
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visit(others, client: "other") }
    let late = try await push()
    visitor.clock.advance(by: .seconds(60))
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visit(late) }
    let again = try await visitor.post(.pushedAuthorization, visitor.request([("request_uri", late)]))
    #expect(again.error == "invalid_request")
    #expect(visitor.provider.counts[.pushedAuthorization] == 4)
  }

  @Test("KIT-31 A device waits for its user, in the interval that it was told")
  func device() async throws {
    let visitor = try ProviderVisitor()
    let codes = try await visitor.post(.deviceAuthorization, [("client_id", "app"), ("scope", "openid")]).members
    let userCode = try #require(codes["user_code"]?.string)
    func poll(after seconds: Int) async throws -> TransportResponse {
      visitor.clock.advance(by: .seconds(seconds))
      return try await visitor.post(
        .token,
        [
          ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("client_id", "app"),
          ("device_code", codes["device_code"]?.string ?? ""),
        ])
    }
    #expect(try await poll(after: 5).error == "authorization_pending")
    #expect(try await poll(after: 4).error == "slow_down")
    #expect(try await poll(after: 9).error == "slow_down")
    #expect(try await poll(after: 15).error == "authorization_pending")
    #expect(!visitor.provider.enter(userCode: "unknown", as: nil))
    #expect(visitor.provider.enter(userCode: userCode, as: ProviderUser(id: "ben")))
    let answer = try await poll(after: 15).members
    #expect(try visitor.claims(answer)["sub"] == "ben")
    #expect(try await poll(after: 15).error == "invalid_grant")
  }

  @Test("KIT-32 A device's codes are refused by the user, and end by the clock")
  func deviceRefused() async throws {
    let visitor = try ProviderVisitor()
    for (after, error) in [(5, "access_denied"), (600, "expired_token")] {
      let codes = try await visitor.post(.deviceAuthorization, [("client_id", "app")]).members
      visitor.provider.enter(userCode: codes["user_code"]?.string ?? "", as: nil)
      visitor.clock.advance(by: .seconds(after))
      let answer = try await visitor.post(
        .token,
        [
          ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("client_id", "app"),
          ("device_code", codes["device_code"]?.string ?? ""),
        ])
      #expect(answer.error == error)
    }
  }

  @Test("KIT-33 Introspection tells of good tokens, and of no others")
  func introspection() async throws {
    let visitor = try ProviderVisitor()
    let tokens = try await visitor.signIn()
    func ask(_ token: JSONValue?) async throws -> [String: JSONValue] {
      try await visitor.post(.introspection, [("client_id", "app"), ("token", token?.string ?? "")]).members
    }
    let access = try await ask(tokens["access_token"])
    #expect(access["active"] == true)
    #expect(access["sub"] == "ann")
    #expect(access["scope"] == "openid offline_access")
    #expect(try await ask(tokens["refresh_token"])["active"] == true)
    #expect(try await ask("unknown") == ["active": false])
    visitor.clock.advance(by: .seconds(300))
    #expect(try await ask(tokens["access_token"]) == ["active": false])
    _ = try await visitor.renew(tokens["refresh_token"])
    #expect(try await ask(tokens["refresh_token"]) == ["active": false])
  }

  @Test("KIT-34 Userinfo is the user's, plain or signed, and only for a good token")
  func userInfo() async throws {
    let visitor = try ProviderVisitor()
    let token = try await visitor.signIn()["access_token"]?.string ?? ""
    let plain = try await visitor.get(.userInfo, fields: [.authorization: "Bearer " + token])
    #expect(plain.members == ["sub": "ann", "name": "Ann"])
    visitor.provider.settings.signsUserInfo = true
    let signed = try await visitor.get(.userInfo, fields: [.authorization: "Bearer " + token])
    #expect(signed.mediaType == "application/jwt")
    let verifier = TokenVerifier(
      algorithms: [.es256], type: .jwtOrAbsent, rules: [.issuer("https://provider.example"), .audience("app")])
    let keys = try await visitor.keys()
    #expect(try verifier.verify(signed.text, with: keys, at: visitor.clock.now).claims["sub"] == "ann")
    let refused = try await visitor.get(.userInfo, fields: [.authorization: "Bearer x"])
    #expect(refused.status == .unauthorized)
    #expect(refused.challenge.contains("invalid_token"))
  }

  @Test("KIT-35 Clients register, read their registration with its token, and end it")
  func registration() async throws {
    let visitor = try ProviderVisitor()
    func register(_ members: String) async throws -> TransportResponse {
      try await visitor.transport.send(
        .post(
          visitor.provider.address(of: .registration), body: Data(members.utf8), contentType: "application/json"))
    }
    let answer = try await register(#"{"redirect_uris": ["https://app.example/callback"]}"#)
    #expect(answer.status == .created)
    let id = try #require(answer.members["client_id"]?.string)
    let secret = try #require(answer.members["client_secret"]?.string)
    #expect(
      try await visitor.post(
        .token, [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret)]
      ).status == .ok)
    #expect(try visitor.callback([("client_id", id)])["code"] != nil)
    let address = try #require(answer.members["registration_client_uri"]?.string.flatMap { URL(string: $0) })
    let management = try #require(answer.members["registration_access_token"]?.string)
    #expect(try await visitor.get(address).status == .unauthorized)
    let fields: HTTPFields = [.authorization: "Bearer " + management]
    #expect(try await visitor.get(address, fields: fields).members["client_id"]?.string == id)
    let end = TransportRequest(try HTTPRequest(.delete, to: address, headerFields: fields))
    #expect(try await visitor.transport.send(end).status == .noContent)
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visitor.callback([("client_id", id)]) }
    #expect(try await register(#"{"redirect_uris": ["callback"]}"#).error == "invalid_redirect_uri")
    #expect(try await register("not JSON").status == .badRequest)
    visitor.provider.settings.registersClients = false
    #expect(try await register("{}").status == .notFound)
  }

  @Test("KIT-36 The end of a sign-in takes an ID token of the provider's own, and sends the user back")
  func endOfSession() async throws {
    let visitor = try ProviderVisitor()
    let tokens = try await visitor.signIn()
    let hint = try #require(tokens["id_token"]?.string)
    func end(_ query: [(String, String)]) throws -> URL {
      try visitor.provider.visit(visitor.address(.endSession, query))
    }
    #expect(throws: OstiaryError(.invalidRequest, "")) { try end([("id_token_hint", "x")]) }
    // An ID token that has expired is one all the same.
    visitor.clock.advance(by: .seconds(86_400))
    let afterwards = ("post_logout_redirect_uri", "https://app.example/bye")
    let back = try end([("id_token_hint", hint), afterwards, ("state", "s")])
    #expect(back.absoluteString == "https://app.example/bye?state=s")
    #expect(visitor.provider.signedInUsers.isEmpty)
    #expect(try await visitor.renew(tokens["refresh_token"]).error == "invalid_grant")
    #expect(try end([("id_token_hint", hint)]) == visitor.provider.address(of: .endSession))
    visitor.provider.settings.clients = [ProviderClient(redirectURIs: ["https://app.example/callback"])]
    #expect(throws: OstiaryError(.invalidRequest, "")) { try end([("id_token_hint", hint), afterwards]) }
  }

  @Test("KIT-37 A token is exchanged for another, of the same user and with the actor in it")
  func exchange() async throws {
    let visitor = try ProviderVisitor()
    let ann = try await visitor.signIn()["access_token"]?.string ?? ""
    visitor.provider.user = ProviderUser(id: "ben")
    let ben = try await visitor.signIn()["access_token"]?.string ?? ""
    let kind = "urn:ietf:params:oauth:token-type:access_token"
    let form = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("client_id", "app"),
      ("subject_token_type", kind), ("subject_token", ann),
    ]
    let impersonation = try await visitor.post(.token, form).members
    #expect(impersonation["issued_token_type"]?.string == kind)
    #expect(try await visitor.use(impersonation["access_token"]).members["actor"] == nil)
    let delegation = try await visitor.post(.token, form + [("actor_token_type", kind), ("actor_token", ben)]).members
    let used = try await visitor.use(delegation["access_token"]).members
    #expect(used["user"] == "ann")
    #expect(used["actor"] == "ben")
    #expect(
      try await visitor.post(.token, Array(form.dropLast()) + [("subject_token", "x")]).error == "invalid_request")
    #expect(
      try await visitor.post(.token, [("grant_type", "x"), ("client_id", "app")]).error == "unsupported_grant_type")
    let twice = form + [("subject_token", ann)]
    #expect(try await visitor.post(.token, twice).error == "invalid_request")
  }

  @Test("KIT-38 The API's refusals name its document, which names the provider")
  func resource() async throws {
    let visitor = try ProviderVisitor()
    let refused = try await visitor.get(.resource)
    #expect(refused.status == .unauthorized)
    let document = "https://api.example/.well-known/oauth-protected-resource"
    #expect(refused.head.authenticationChallenges.first?.parameters["resource_metadata"] == document)
    #expect(refused.head.authenticationChallenges.first?.parameters["error"] == nil)
    let members = try await visitor.get(.resourceMetadata).members
    #expect(members["resource"]?.string == ProviderVisitor.api)
    #expect(members["authorization_servers"] == .array([.string(visitor.provider.settings.issuer)]))
    visitor.provider.settings.namesResourceMetadata = false
    #expect(try await !visitor.get(.resource).challenge.contains("resource_metadata"))
  }

  @Test("KIT-39 An API that wants a stronger or a newer sign-in says so, and takes one")
  func stepUp() async throws {
    let visitor = try ProviderVisitor()
    let tokens = try await visitor.signIn()
    visitor.provider.settings.demand = StepUpDemand(strengths: ["2"], maximumAge: 60)
    let refused = try await visitor.use(tokens["access_token"])
    #expect(refused.status == .unauthorized)
    let challenge = try #require(refused.head.authenticationChallenges.first)
    #expect(challenge.parameters["error"] == "insufficient_user_authentication")
    #expect(challenge.parameters["acr_values"] == "2")
    #expect(challenge.parameters["max_age"] == "60")
    let stronger = try await visitor.signIn([("acr_values", "2")])
    #expect(try await visitor.use(stronger["access_token"]).status == .ok)
    visitor.clock.advance(by: .seconds(61))
    #expect(try await visitor.use(stronger["access_token"]).status == .unauthorized)
    let newer = try await visitor.signIn([("acr_values", "2"), ("max_age", "60")])
    #expect(try await visitor.use(newer["access_token"]).status == .ok)
    #expect(visitor.provider.counts.demandedStepUps == 2)
    #expect(visitor.provider.counts.executed == 2)
  }
}
