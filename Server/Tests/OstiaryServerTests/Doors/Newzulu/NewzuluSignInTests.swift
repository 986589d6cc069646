import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: signing in", .timeLimit(.minutes(10)))
struct NewzuluSignInTests {
  private let password = NewzuluTester.janesPassword

  @Test("NS1: both transports sign in and give the same user", arguments: NewzuluTester.Transport.allCases)
  func transports(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let answer = try await tester.with(transport).confirm("jane@example.com", password)
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "application/json")
      #expect(answer.header("Cache-Control") == "no-store")
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.header("Set-Cookie") == nil)
      #expect(answer.header("Date") != nil)
      let user = try #require(answer.result)
      #expect(user["user"] == "jane")
      #expect(user["firstname"] == "Jane")
      #expect(user["lastname"] == .null)
      #expect(user["email"] == "jane@example.com")
      #expect(user["vhost"] == "1281")
      #expect(user["active"] == "1")
      #expect(user["meta"]?["colour"] == "blue")
      #expect(user["created"]?.string?.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) == true)
      #expect(user["id"]?.string.flatMap { Int($0) } != nil)
      #expect(user["sessiontoken"]?.string?.contains(/^[A-Za-z0-9]{60}$/) == true)
    }
  }

  @Test("NS2: whatever is wrong, the answer is false, with HTTP 200", arguments: NewzuluTester.Transport.allCases)
  func wrong(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      try await tester.server.identity.addUser(name: "bare", tenant: "1281")
      try await tester.server.identity.addUser(name: "off", tenant: "1281", password: Secret(password))
      try await tester.server.identity.disableUser(named: "off", tenant: "1281")
      for (name, attempt) in [
        ("jane", "wrong"), ("nobody", password), ("jane", ""), ("bare", "x"), ("off", password),
        ("jane", password + " "),
      ] {
        let answer = try await tester.with(transport).confirm(name, attempt)
        #expect(answer.status == 200, "\(name)")
        #expect(answer.body == #"{"result":false,"status":true}"#, "\(name)")
      }
    }
  }

  @Test("NS3: a token only with login=true, only the id with returnUserInfo=false")
  func shapes() async throws {
    try await NewzuluTester.run { tester in
      let info = try await tester.confirm("jane", password, login: false)
      #expect(info.result?["user"] == "jane")
      #expect(info.result?.object?.keys.contains("sessiontoken") == false)
      let id = try await tester.confirm("jane", password, login: false, returnUserInfo: false)
      #expect(id.result == info.result?["id"])
      let both = try await tester.confirm("jane", password, login: true, returnUserInfo: false)
      #expect(both.result == id.result)
      let short = try await tester.call(
        "users.confirmCredentials", ["vhost": "1281", "username": "jane", "password": .string(password)])
      #expect(short.result?["user"] == "jane")
      #expect(short.result?.object?.keys.contains("sessiontoken") == false)
    }
  }

  @Test("NS4: the same address in two tenants is two accounts, with passwords and sessions of their own")
  func tenants() async throws {
    try await NewzuluTester.run { tester in
      let one = try await tester.confirm("jane@example.com", password)
      let other = try await tester.confirm("jane@example.com", NewzuluTester.otherPassword, vhost: "206")
      #expect(one.result?["vhost"] == "1281")
      #expect(other.result?["vhost"] == "206")
      #expect(one.result?["id"] != other.result?["id"])
      #expect(try await tester.confirm("jane@example.com", password, vhost: "206").result == false)
      #expect(try await tester.confirm("jane", NewzuluTester.otherPassword).result == false)
      #expect(try await tester.confirm("bob", password, vhost: "206").result == false)
    }
  }

  @Test("NS4: wrong passwords in one tenant keep nobody in the other waiting")
  func countsApart() async throws {
    try await NewzuluTester.run({ $0.loginLimits.freeFailures = 2 }) { tester in
      for _ in 0..<2 { _ = try await tester.confirm("jane@example.com", "wrong") }
      #expect(try await tester.confirm("jane@example.com", password).status == 429)
      #expect(try await tester.confirm("jane", NewzuluTester.otherPassword, vhost: "206").status == 200)
    }
  }

  @Test("Users of the server at large are the first tenant's, by name and by address, and no other's")
  func atLarge() async throws {
    try await NewzuluTester.run { tester in
      try await tester.server.identity.addUser(
        name: "ada", email: "ada@example.com", password: Secret(password))
      #expect(try await tester.confirm("ada", password).result?["user"] == "ada")
      #expect(try await tester.confirm("Ada@Example.com", password).result?["vhost"] == "1281")
      #expect(try await tester.confirm("ada", password, vhost: "206").result == false)
    }
  }

  @Test("A tenant's users are nobody at another kind of door")
  func noOtherDoor() async throws {
    try await NewzuluTester.run { tester in
      for name in ["jane", "jane@example.com"] {
        let status = try await tester.server.client().login(name, password).status
        #expect(status == 401)
      }
    }
  }

  @Test("A tenant that has users needs no configuration")
  func tenantByUser() async throws {
    try await NewzuluTester.run { tester in
      #expect(try await tester.confirm("eve", password, vhost: "509").code == 110)
      try await tester.server.identity.addUser(name: "eve", tenant: "509", password: Secret(password))
      #expect(try await tester.confirm("eve", password, vhost: "509").result?["vhost"] == "509")
    }
  }

  @Test("An address that two users of the server at large share is nobody's name")
  func ambiguous() async throws {
    try await NewzuluTester.run { tester in
      for name in ["one", "two"] {
        try await tester.server.identity.addUser(name: name, email: "we@example.com", password: Secret(password))
      }
      #expect(try await tester.confirm("we@example.com", password).result == false)
      #expect(try await tester.confirm("one", password).result?["user"] == "one")
    }
  }

  @Test("NS6: the case of a method's name means nothing")
  func methodCase() async throws {
    try await NewzuluTester.run { tester in
      for name in ["Users.ConfirmCredentials", "users.confirmcredentials", "USERS.CONFIRMCREDENTIALS"] {
        let answer = try await tester.call(
          name, ["vhost": "1281", "username": "jane", "password": .string(password)])
        #expect(answer.result?["user"] == "jane", "\(name)")
      }
    }
  }

  @Test("Switches, numbers and names come as they like", arguments: NewzuluTester.Transport.allCases)
  func looseTypes(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let tester = tester.with(transport)
      for (yes, no) in [("1", "0"), ("true", "false"), ("TRUE", "")] as [(JSONValue, JSONValue)] {
        let base: [String: JSONValue] = ["vhost": 1281, "username": "jane", "password": .string(password)]
        let signedIn = try await tester.call(
          "users.confirmCredentials", base.merging(["login": yes, "returnUserInfo": yes]) { $1 })
        #expect(signedIn.result?["sessiontoken"] != nil)
        let id = try await tester.call(
          "users.confirmCredentials", base.merging(["login": no, "returnUserInfo": no]) { $1 })
        #expect(id.result?.string != nil)
      }
      let bad = try await tester.call(
        "users.confirmCredentials",
        ["vhost": "1281", "username": "jane", "password": .string(password), "login": "perhaps"])
      #expect(bad.code == 120)
      #expect(bad.json["message"] == "Invalid argument: login")
    }
  }

  @Test(
    "LO-02, LO-06: too many wrong passwords are 429, by name and by address alike, each by itself (EN-05); time helps")
  func lockOut() async throws {
    try await NewzuluTester.run({ $0.loginLimits.freeFailures = 2 }) { tester in
      for (name, spelling) in [("jane", "JANE"), ("jane@example.com", "JANE@example.com")] {
        #expect(try await tester.confirm(name, "wrong").result == false)
        #expect(try await tester.with(.form).confirm(spelling, "wrong").result == false)
        let answer = try await tester.confirm(name, password)
        #expect(answer.status == 429)
        #expect(answer.header("Retry-After") == "30")
        #expect(answer.code == 150)
      }
      tester.server.clock.advance(by: 31)
      #expect(try await tester.confirm("jane", password).result?["user"] == "jane")
    }
  }

  @Test("EN-05: names that nobody has are throttled alike")
  func unknownThrottled() async throws {
    try await NewzuluTester.run({ $0.loginLimits.freeFailures = 2 }) { tester in
      var histories: Set<[String]> = []
      for name in ["jane", "nobody", "nobody@example.com"] {
        var history: [String] = []
        for _ in 0..<4 {
          let answer = try await tester.confirm(name, "wrong")
          history.append("\(answer.status) \(answer.body) \(answer.header("Retry-After") ?? "")")
        }
        histories.insert(history)
      }
      #expect(histories.count == 1)
    }
  }

  @Test("Ids can be numbers, and missing names empty or absent, for clients that must bear it")
  func styles() async throws {
    try await NewzuluTester.run({
      $0.newzulu?.idStyle = .numbers
      $0.newzulu?.missingNames = .absent
    }) { tester in
      let user = try #require(try await tester.confirm("bob", password).result?.object)
      #expect(user["id"]?.double != nil)
      #expect(Set(user.keys).isDisjoint(with: ["firstname", "lastname", "email"]))
    }
    try await NewzuluTester.run({ $0.newzulu?.missingNames = .empty }) { tester in
      let name = try await tester.confirm("bob", password).result?["firstname"]
      #expect(name == "")
    }
  }

  @Test("A server without configured keys makes one, keeps it, and shows it in the command to paste")
  func ownKey() async throws {
    let folder = TemporaryFolder()
    var keys: Set<String> = []
    for _ in 0..<2 {
      let key = try await TestServer.run({ $0.storage = .folder(folder.url) }) { server in
        let door = try #require(server.running.doors.compactMap { $0 as? NewzuluDoor }.first)
        let key = try #require(door.apiKey?.reveal())
        #expect(door.signIn(as: "o'neil").contains("--option api-key=\(key)"))
        #expect(door.signIn(as: "o'neil").contains(#"'o'\''neil'"#))
        let answer = try await NewzuluTester(server: server).call(
          "users.confirmCredentials", ["vhost": "1", "username": "x", "password": "y"], key: key)
        #expect(answer.result == false)
        return key
      }
      keys.insert(key)
    }
    #expect(keys.count == 1)
  }

  @Test("A configuration that can't be is refused with everything that is wrong")
  func configuration() {
    var configuration = ServerConfiguration()
    configuration.newzulu?.vhosts = ["a b"]
    configuration.newzulu?.keys = [NewzuluKey("short")]
    configuration.newzulu?.leastPartSize = 0
    configuration.newzulu?.mostUnfinishedUploads = 0
    configuration.newzulu?.partTime = .zero
    configuration.newzulu?.largestFile = -1
    #expect(configuration.problems.count == 6)
    let key = Secret(NewzuluTester.appKey)
    for (keys, count) in [
      ([NewzuluKey(key)], 0), ([NewzuluKey(key, vhost: "a b")], 1),
      ([NewzuluKey(key), NewzuluKey(Secret(key.reveal().uppercased()), vhost: "206")], 1),
    ] {
      var configuration = ServerConfiguration()
      configuration.newzulu?.keys = keys
      #expect(configuration.problems.count == count)
    }
  }

  @Test("The command to paste has a key for an app of the first tenant, never one with permissions")
  func exampleKey() {
    let (app, developer, other) = (
      NewzuluKey(Secret(NewzuluTester.appKey)),
      NewzuluKey(Secret(NewzuluTester.developerKey), permissions: [.registerUsers]),
      NewzuluKey(Secret(NewzuluTester.otherTenantsKey), vhost: "206")
    )
    #expect(NewzuluKeys([developer, other, app]).example(for: "1281")?.key == app.key)
    #expect(NewzuluKeys([developer, other, app]).example(for: "206")?.key == other.key)
    #expect(NewzuluKeys([developer, other]).example(for: "1281") == nil)
  }
}
