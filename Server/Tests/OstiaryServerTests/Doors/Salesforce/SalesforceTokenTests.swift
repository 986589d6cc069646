import Crypto
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: tokens", .timeLimit(.minutes(20)))
struct SalesforceTokenTests {
  private typealias Tester = SalesforceTester
  private static let limits = "/services/data/v59.0/limits"

  @Test("OAuth-O10, OAuth-O11: the answer is the vendor's: no expires_in, milliseconds as a string, a signature")
  func answer() async throws {
    try await Tester.run { tester in
      let answer = try await tester.signIn()
      #expect(
        Set(answer.keys) == [
          "access_token", "refresh_token", "signature", "scope", "instance_url", "id", "token_type", "issued_at",
        ])
      let id = try #require(answer["id"]?.string)
      let issuedAt = try #require(answer["issued_at"]?.string)
      #expect(issuedAt == "1800000000000")
      let code = HMAC<SHA256>.authenticationCode(
        for: Data((id + issuedAt).utf8), using: SymmetricKey(data: Data(Tester.secret.utf8)))
      #expect(answer["signature"]?.string == Data(code).base64EncodedString())
      #expect(answer["token_type"] == "Bearer")
      #expect(answer["instance_url"]?.string == tester.server.origin)
      #expect(answer["scope"] == "id api refresh_token")
      let org = try tester.door.configuration.orgs[0].id
      #expect(answer["access_token"]?.string?.hasPrefix(org.short + "!") == true)
      #expect(answer["refresh_token"]?.string?.hasPrefix("5Aep861") == true)
      #expect(answer["refresh_token"]?.string?.hasSuffix("==") == true)
      #expect(id.hasPrefix("\(tester.server.origin)/id/\(org.long)/005"))
    }
  }

  @Test("OAuth-O18: answers and failures in JSON, as a form and in XML, by format or by Accept")
  func formats() async throws {
    try await Tester.run { tester in
      let refresh = try await tester.signIn()["refresh_token"]?.string
      let form = try await tester.refresh(refresh, extra: ["format": "urlencoded"])
      #expect(form.header("content-type") == "application/x-www-form-urlencoded;charset=UTF-8")
      #expect(Tester.parameters("?" + form.body)["token_type"] == "Bearer")
      #expect(Tester.parameters("?" + form.body)["instance_url"] == tester.server.origin)
      let xml = try await tester.refresh(refresh, extra: ["format": "xml"])
      #expect(xml.header("content-type") == "application/xml;charset=UTF-8")
      #expect(xml.body.contains("<OAuth") && xml.body.contains("<token_type>Bearer</token_type>"))
      let json = try await tester.refresh(refresh, extra: ["format": "json"])
      #expect(json.header("content-type") == "application/json;charset=UTF-8" && json.json["id"] != nil)
      let accepted = try await tester.token(
        ["grant_type": "refresh_token", "refresh_token": "wrong"], app: .web, headers: ["Accept": "text/xml, */*"])
      #expect(accepted.status == 400 && accepted.body.contains("<error>invalid_grant</error>"))
      let both = try await tester.token(
        ["grant_type": "refresh_token", "refresh_token": "wrong", "format": "urlencoded"], app: .web,
        headers: ["Accept": "application/xml"])
      #expect(both.body == "error=invalid_grant&error_description=expired%20access%2Frefresh%20token")
    }
  }

  @Test("OAuth-O2: values that nobody has encoded are understood")
  func unescaped() async throws {
    try await Tester.run { tester in
      let refresh = try #require(try await tester.signIn(.mobile)["refresh_token"]?.string)
      let body =
        "format=json&redirect_uri=\(Tester.mobileCallback)&client_id=\(Tester.App.mobile.key)&device_id=A-B"
        + "&grant_type=refresh_token&odd=100%&refresh_token=\(refresh)"
      #expect(body.contains("=="))
      let answer = try await tester.server.client().send(
        "POST", "/services/oauth2/token", headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body)
      #expect(answer.status == 200, "\(answer.body)")
      #expect(answer.json["refresh_token"] == nil, "without rotation the client keeps the one it has")
      #expect(answer.json["access_token"]?.string != nil)
    }
  }

  @Test("OS4: with rotation the old token is dead, and its use ends the family")
  func rotation() async throws {
    try await Tester.run { tester in
      let first = try await tester.signIn(.rotating)
      let old = first["refresh_token"]?.string
      let second = try await tester.refresh(old, .rotating)
      let new = try #require(second.json["refresh_token"]?.string)
      #expect(new != old)
      #expect(try await tester.call(Self.limits, second.json["access_token"]?.string).status == 200)
      tester.server.clock.advance(by: 1)
      let reused = try await tester.refresh(old, .rotating)
      #expect(reused.status == 400 && reused.error == "invalid_grant")
      #expect(reused.errorDescription == "expired access/refresh token")
      #expect(try await tester.refresh(new, .rotating).error == "invalid_grant")
      #expect(try await tester.call(Self.limits, second.json["access_token"]?.string).status == 401)
    }
  }

  @Test("OS4, RT-03: within the window a lost answer is given again, the same successor")
  func replay() async throws {
    try await Tester.run({ $0.apps[2].replayWindow = .seconds(60) }) { tester in
      let old = try await tester.signIn(.rotating)["refresh_token"]?.string
      let once = try await tester.refresh(old, .rotating)
      let again = try await tester.refresh(old, .rotating)
      #expect(again.status == 200)
      #expect(once.json["refresh_token"] == again.json["refresh_token"])
      tester.server.clock.advance(by: 61)
      #expect(try await tester.refresh(old, .rotating).error == "invalid_grant")
    }
  }

  @Test("OS5: a token that is being used is refused, if the door is told so; else everybody is answered")
  func concurrent() async throws {
    for isOn in [true, false] {
      try await Tester.run({ $0.refusesConcurrentRefreshes = isOn }) { tester in
        let door = try tester.door
        let text = try #require(try await tester.signIn()["refresh_token"]?.string)
        // Another user is in.
        let token = SalesforceTokenText(any: text).token
        let place = try #require(try await door.refreshes.enter(token, at: door.now))
        let refused = try await tester.refresh(text)
        if isOn {
          #expect(refused.status == 400 && refused.error == "invalid_grant")
          #expect(refused.errorDescription == "Failed: Token request is already being processed.")
        } else {
          #expect(refused.status == 200)
        }
        try await door.refreshes.leave(place)
        #expect(try await tester.refresh(text).status == 200)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<8 { group.addTask { try await tester.refresh(text).status } }
          return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.contains(200) && statuses.allSatisfy { $0 == 200 || (isOn && $0 == 400) })
      }
    }
  }

  @Test("OS8: a session ends two hours after its last request, by the server's clock")
  func slidingTimeout() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn()
      let access = tokens["access_token"]?.string
      for _ in 0..<4 {
        tester.server.clock.advance(by: 3600)
        #expect(try await tester.call(Self.limits, access).status == 200)
      }
      tester.server.clock.advance(by: 7201)
      let over = try await tester.call(Self.limits, access)
      #expect(over.status == 401 && over.dataError == "INVALID_SESSION_ID")
      let renewed = try await tester.refresh(tokens["refresh_token"]?.string)
      #expect(try await tester.call(Self.limits, renewed.json["access_token"]?.string).status == 200)
    }
  }

  @Test("OS9: of six times that a user lets an app in the first is over")
  func approvals() async throws {
    try await Tester.run { tester in
      var refreshTokens: [String?] = []
      for _ in 0..<6 {
        refreshTokens.append(try await tester.signIn()["refresh_token"]?.string)
        tester.server.clock.advance(by: 1)
      }
      #expect(try await tester.refresh(refreshTokens[0]).error == "invalid_grant")
      for token in refreshTokens.dropFirst() { #expect(try await tester.refresh(token).status == 200) }
      // Another user and another app are not counted.
      #expect(try await tester.signIn(user: "bob@example.com")["refresh_token"] != nil)
      #expect(try await tester.signIn(.mobile)["refresh_token"] != nil)
      #expect(try await tester.refresh(refreshTokens[1]).status == 200)
    }
  }

  @Test("Refresh tokens are good as long as the app's policy says")
  func policies() async throws {
    let cases: [(SalesforceConnectedApp.RefreshTokenPolicy, Double, Bool)] = [
      (.untilRevoked, 4e8, true), (.immediatelyExpired, 1, false), (.unused(.seconds(100)), 99, true),
      (.unused(.seconds(100)), 101, false), (.fixed(.seconds(100)), 101, false),
    ]
    for (policy, age, isGood) in cases {
      try await Tester.run({ $0.apps[0].refreshTokenPolicy = policy }) { tester in
        let token = try await tester.signIn()["refresh_token"]?.string
        tester.server.clock.advance(by: age)
        #expect(try await tester.refresh(token).status == (isGood ? 200 : 400), "\(policy) after \(age) s")
      }
    }
  }

  @Test("OS13: nobody may keep an answer of the token endpoint")
  func noStore() async throws {
    try await Tester.run { tester in
      let bad = try await tester.refresh("wrong")
      let good = try await tester.redeem(try await tester.code())
      for answer in [bad, good] { #expect(answer.header("cache-control") == "no-store") }
    }
  }

  @Test(
    "OS14: tokens are long and random, and neither they nor secrets rest in the database or the log",
    TestDatabase.forSQLite)
  func storedHashed() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await TestServer.run({ configuration in
      configuration.storage = .folder(folder)
      configuration.salesforce?.apps = Tester.App.allCases.map(\.configuration)
    }) { server in
      try await server.identity.addUser(name: "jane@example.com", password: Secret(Tester.password))
      let tester = Tester(server: server)
      var seen: [String] = [Tester.secret]
      for _ in 0..<3 {
        let code = try await tester.code()
        let answer = try await tester.redeem(code).json
        let texts = [code, answer["access_token"]?.string, answer["refresh_token"]?.string].compactMap { $0 }
        #expect(texts.count == 3)
        for text in texts {
          // 256 random bits are 43 characters; the rest is decoration.
          let random = SalesforceTokenText(any: text).token.reveal()
          #expect(random.count >= 43)
          #expect(!seen.contains(random))
          seen.append(random)
        }
      }
      var bytes = Data()
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        bytes.append(try Data(contentsOf: file))
      }
      #expect(bytes.count > 10_000)
      for text in seen {
        #expect(bytes.range(of: Data(text.utf8)) == nil)
        #expect(!server.logs.text.contains(text))
      }
    }
  }

  @Test("OS14: a secret that is wrong by one character, missing, or another's is refused alike")
  func wrongSecrets() async throws {
    try await Tester.run { tester in
      let refresh = try await tester.signIn()["refresh_token"]?.string ?? ""
      let fields = ["grant_type": "refresh_token", "refresh_token": refresh]
      var wrong = fields
      wrong["client_secret"] = String(Tester.secret.dropLast()) + "9"
      for form in [wrong, fields] {
        let answer = try await tester.token(form, app: .web, sendsSecret: false)
        #expect(answer.status == 400 && answer.error == "invalid_client")
        #expect(answer.errorDescription == "invalid client credentials")
      }
      // A phone's app may leave it out, and may not have it wrong.
      #expect(try await tester.token(wrong, app: .mobile, sendsSecret: false).error == "invalid_client")
      var basic = fields
      basic["client_id"] = nil
      let pair = Data("\(Tester.App.web.key):\(Tester.secret)".utf8).base64EncodedString()
      let answer = try await tester.token(basic, headers: ["Authorization": "Basic " + pair])
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  @Test("OS16: a user who is kept out is told so, and let in again finds the tokens as they were")
  func inactiveUser() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn()
      let refresh = tokens["refresh_token"]?.string
      let code = try await tester.code()
      try await tester.server.identity.disableUser(named: "jane@example.com")
      let refused = try await tester.refresh(refresh)
      #expect(refused.status == 400 && refused.error == "inactive_user")
      #expect(try await tester.redeem(code).status == 400)
      #expect(try await tester.call(Self.limits, tokens["access_token"]?.string).status == 401)
      try await tester.server.identity.enableUser(named: "jane@example.com")
      #expect(try await tester.refresh(refresh).status == 200)
    }
  }

  @Test("What is asked wrongly is told in the vendor's words")
  func wrongRequests() async throws {
    try await Tester.run { tester in
      func error(_ fields: [String: String], app: Tester.App? = .web) async throws -> String? {
        let answer = try await tester.token(fields, app: app)
        #expect(answer.status == 400)
        return answer.error
      }
      #expect(try await error([:]) == "invalid_request")
      #expect(try await error(["grant_type": "password"]) == "unsupported_grant_type")
      #expect(try await error(["grant_type": "nonsense"]) == "unsupported_grant_type")
      #expect(try await error(["grant_type": "authorization_code"]) == "invalid_request")
      #expect(try await error(["grant_type": "refresh_token"]) == "invalid_request")
      #expect(try await error(["grant_type": "refresh_token", "client_id": "nobody"], app: nil) == "invalid_client_id")
      #expect(try await error(["grant_type": "refresh_token"], app: nil) == "invalid_request")
      let get = try await tester.server.client().get("/services/oauth2/token?grant_type=password")
      #expect(get.status == 400 && get.errorDescription == "must use HTTP POST")
    }
  }

  @Test("A token is nobody else's: not another app's, and not under another org's name")
  func others() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn()
      #expect(try await tester.refresh(tokens["refresh_token"]?.string, .rotating).error == "invalid_grant")
      #expect(try await tester.refresh(tokens["refresh_token"]?.string).status == 200, "nothing has happened to it")
      let access = try #require(tokens["access_token"]?.string)
      let bare = access.drop { $0 != "!" }
      for other in ["00D000000000062" + bare, String(bare.dropFirst()), "!" + bare, access + "x", ""] {
        #expect(try await tester.call(Self.limits, other).status == 401)
      }
    }
  }
}
