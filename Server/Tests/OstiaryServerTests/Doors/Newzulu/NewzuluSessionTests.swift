import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: keys and sessions", .timeLimit(.minutes(10)))
struct NewzuluSessionTests {
  private let password = NewzuluTester.janesPassword

  @Test("A token says who is signed in", arguments: NewzuluTester.Transport.allCases)
  func loggedInUser(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let tester = tester.with(transport)
      let token = try await tester.token()
      for method in ["users.getLoggedInUser", "users.getUserBySessionToken"] {
        for key in [NewzuluTester.appKey, nil] {
          let user = try await tester.call(method, key: key, token: token).result
          #expect(user?["user"] == "jane")
          #expect(user?["vhost"] == "1281")
          #expect(user?["lastlogin"]?.string != nil)
          #expect(user?.object?.keys.contains("sessiontoken") == false)
        }
      }
      #expect(try await tester.call("users.getLoggedInUser").code == 103)
    }
  }

  @Test("NS5: an idle session ends, and so does one in use at its absolute limit; the answer is code 102")
  func expiry() async throws {
    try await NewzuluTester.run({
      $0.newzulu?.sessionLimits.idle = .seconds(3600)
      $0.newzulu?.sessionLimits.absolute = .seconds(3 * 3600)
    }) { tester in
      let idle = try await tester.token()
      let busy = try await tester.token()
      for _ in 0..<5 {
        tester.server.clock.advance(by: 1800)
        #expect(try await tester.call("users.getLoggedInUser", token: busy).result?["user"] == "jane")
      }
      for token in [idle, busy] {
        let isBusy = token == busy
        if isBusy { tester.server.clock.advance(by: 1801) }
        for method in ["users.getLoggedInUser", "media.getFiles", "media.createMultiPartUpload"] {
          let answer = try await tester.call(method, ["vhost": "1281"], token: token)
          #expect(answer.status == 200)
          #expect(answer.body == #"{"code":102,"message":"Invalid session token","status":false}"#)
        }
      }
    }
  }

  @Test("NS5: a token that was never given is code 102 everywhere, never the anonymous mode")
  func madeUp() async throws {
    try await NewzuluTester.run { tester in
      for token in ["", "x", String(repeating: "A", count: 60), String(repeating: "A", count: 43)] {
        for method in ["users.getLoggedInUser", "media.getFiles"] {
          #expect(try await tester.call(method, ["vhost": "1281"], token: token).code == 102)
        }
      }
      let wrongKind = try await tester.call("media.getFiles", ["vhost": "1281", "sessiontoken": true])
      #expect(wrongKind.code == 120)
    }
  }

  @Test("NS5: a key that nobody has, or of another tenant, is code 100; none will do with a token or anonymously")
  func keys() async throws {
    try await NewzuluTester.run { tester in
      let login: [String: JSONValue] = ["vhost": "1281", "username": "jane", "password": .string(password)]
      for key in [String(repeating: "f", count: 32), "x", NewzuluTester.otherTenantsKey, nil] {
        #expect(try await tester.call("users.confirmCredentials", login, key: key).code == 100)
      }
      #expect(try await tester.call("media.getFiles", ["vhost": "1281"], key: "x").code == 100)
      #expect(try await tester.call("media.getFiles", ["vhost": "1281"], key: nil).result != nil)
      let upper = NewzuluTester.appKey.uppercased()
      #expect(try await tester.call("users.confirmCredentials", login, key: upper).result?["user"] == "jane")
      let token = try await tester.token()
      #expect(try await tester.call("users.getLoggedInUser", key: "x", token: token).code == 100)
    }
  }

  @Test("An unknown tenant is code 110, a missing one 120, an unknown method 199")
  func tenantAndMethod() async throws {
    try await NewzuluTester.run { tester in
      for vhost in ["999", "", "a b", "1281\u{0}"] {
        #expect(try await tester.confirm("jane", password, vhost: vhost).code == 110)
      }
      let without = try await tester.call("users.confirmCredentials", ["username": "jane", "password": "x"])
      #expect(without.code == 120)
      for method in ["users.dropEverything", "", "users"] { #expect(try await tester.call(method).code == 199) }
    }
  }

  @Test("SE-06: disabling a user, or a new password, ends the sessions")
  func ended() async throws {
    try await NewzuluTester.run { tester in
      let identity = tester.server.identity
      var token = try await tester.token()
      try await identity.disableUser(named: "jane", tenant: "1281")
      #expect(try await tester.call("users.getLoggedInUser", token: token).code == 102)
      try await identity.enableUser(named: "jane", tenant: "1281")
      token = try await tester.token()
      try await identity.setPassword("something new and long", forUserNamed: "jane", tenant: "1281")
      #expect(try await tester.call("users.getLoggedInUser", token: token).code == 102)
      token = try await tester.token("jane", "something new and long")
      let count = try await tester.server.application.dropSessions(ofUserNamed: "jane", tenant: "1281")
      #expect(count == 1)
      #expect(try await tester.call("users.getLoggedInUser", token: token).code == 102)
    }
  }

  @Test("SE-10: a token is no proof at another door, nor another door's cookie here")
  func notInterchangeable() async throws {
    try await NewzuluTester.run { tester in
      try await tester.server.identity.addUser(name: "jdoe", password: Secret(password))
      let token = try await tester.token("jdoe", password)
      let digest = try #require(NewzuluToken(token)).sessionID.reveal()
      let thief = tester.server.client()
      for value in [token, String(token.prefix(43))] {
        await thief.setCookie("Pega-RULES", "%09%7Bpd%7D\(value)%3D%3DA%7Bapp%7D")
        #expect(try await thief.whoAmI() == nil)
      }
      let client = tester.server.client()
      try await client.login("jdoe", password)
      let cookie = try #require(await client.cookies["Pega-RULES"])
      let id = String(cookie.dropFirst("%09%7Bpd%7D".count).prefix(43))
      for proof in [id, digest, id + String(repeating: "A", count: 17)] {
        #expect(try await tester.call("users.getLoggedInUser", token: proof).code == 102)
      }
    }
  }

  @Test("Newzulu-N13: somebody of one tenant may use another's media; their session stays their own tenant's")
  func otherProject() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token("jane", NewzuluTester.otherPassword, vhost: "206")
      #expect(try await tester.call("media.getFiles", ["vhost": "1281"], token: token).result?["totalCount"] == 0)
      #expect(
        try await tester.call("users.getLoggedInUser", ["vhost": "1281"], token: token).result?["vhost"] == "206")
    }
  }

  @Test("Sessions outlive a restart of the server")
  func restart() async throws {
    let folder = TemporaryFolder()
    let token = try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { try await $0.token() }
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }, addsUsers: false) { tester in
      let user = try await tester.call("users.getLoggedInUser", token: token).result?["user"]
      #expect(user == "jane")
    }
  }

  @Test("OP-06: a storage that fails is 503 with a time to come back, never a sign-out")
  func storageDown() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      try await tester.server.application.storage.close()
      for answer in [
        try await tester.call("users.getLoggedInUser", token: token), try await tester.confirm("jane", password),
        try await tester.call("media.getFiles", ["vhost": "1281"]),
      ] {
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") != nil)
        #expect(answer.code == 150)
      }
    }
  }
}
