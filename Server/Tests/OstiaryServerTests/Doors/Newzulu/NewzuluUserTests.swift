import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: users", .timeLimit(.minutes(10)))
struct NewzuluUserTests {
  private let password = "a password for newcomers"

  @Test("A developer key registers users, who sign in at once", arguments: NewzuluTester.Transport.allCases)
  func register(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let tester = tester.with(transport)
      let answer = try await tester.call(
        "users.register",
        [
          "vhost": "1281",
          "userData": .object([
            "email": "new@example.com", "password": .string(password), "firstname": "Nina", "city": "Oslo",
            "meta": .object(["tag": "a"]), "accessGroup": "Admins", "id": "1", "active": "0",
          ]),
        ], key: NewzuluTester.developerKey)
      let id = try #require(answer.result?.string)
      let user = try #require(try await tester.confirm("new@example.com", password).result?.object)
      #expect(user["id"] == .string(id))
      #expect(user["user"] == "new@example.com")
      #expect(user["firstname"] == "Nina")
      #expect(user["city"] == "Oslo")
      #expect(user["meta"]?["tag"] == "a")
      let kept = try await tester.server.identity.user(named: "new@example.com", tenant: "1281")
      #expect(kept?.attributes["accessGroup"] == nil)
    }
  }

  @Test("A name or an address that is taken, by whichever of the two, is code 121; in another tenant it is free")
  func taken() async throws {
    try await NewzuluTester.run { tester in
      try await tester.server.identity.addUser(name: "ada", email: "ada@example.com")
      func register(_ user: String, _ email: String, vhost: String = "1281") async throws -> JSONValue? {
        let answer = try await tester.call(
          "users.register",
          [
            "vhost": .string(vhost),
            "userData": .object(["user": .string(user), "email": .string(email), "password": .string(password)]),
          ], key: NewzuluTester.developerKey)
        return answer.code ?? (answer.result == nil ? nil : "ok")
      }
      #expect(try await register("JANE", "other@example.com") == 121)
      #expect(try await register("other", "Jane@Example.com") == 121)
      #expect(try await register("jane@example.com", "other@example.com") == 121)
      #expect(try await register("other", "bob@bob") == "ok")
      #expect(try await register("bob@bob", "more@example.com") == 121)
      #expect(try await register("ada", "more@example.com") == 121)
      #expect(try await register("more", "ADA@example.com") == 121)
      #expect(try await register("ada", "ada@example.com", vhost: "206") == "ok")
    }
  }

  @Test("FL-03: of many who register the same name at once, one gets it")
  func race() async throws {
    try await NewzuluTester.run { tester in
      let codes = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
        for number in 0..<12 {
          group.addTask {
            try await tester.call(
              "users.register",
              [
                "vhost": "206",
                "userData": .object([
                  "user": .string(number.isMultiple(of: 2) ? "me@example.com" : "u\(number)"),
                  "email": "me@example.com", "password": .string(password),
                ]),
              ], key: NewzuluTester.developerKey
            ).code
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.count { $0 == 121 } == 11)
    }
  }

  @Test("Bad data is refused by name, a bad password by its own code, anybody without the permission by theirs")
  func refused() async throws {
    try await NewzuluTester.run({ $0.development?.passwordPolicy = .standard }) { tester in
      func register(_ data: [String: JSONValue]?, key: String = NewzuluTester.developerKey) async throws -> Answer {
        var arguments: [String: JSONValue] = ["vhost": "1281"]
        if let data { arguments["userData"] = .object(data) }
        return try await tester.call("users.register", arguments, key: key)
      }
      let good: [String: JSONValue] = ["email": "x@example.com", "password": .string(password)]
      #expect(try await register(good, key: NewzuluTester.appKey).code == 101)
      #expect(try await register(nil).code == 120)
      for (name, value) in [
        ("email", "no address"), ("email", "a@b@c"), ("email", "@"), ("email", 5), ("user", "bad\u{1b}[0m"),
        ("password", ""), ("firstname", .string(String(repeating: "x", count: 600))), ("meta", "text"),
      ] as [(String, JSONValue)] {
        let answer = try await register(good.merging([name: value]) { $1 })
        #expect(answer.code == 120, "\(name)")
        #expect(answer.json["message"] == .string("Invalid argument: userData[\(name)]"))
      }
      #expect(try await register(good.merging(["password": "short"]) { $1 }).code == 122)
      #expect(try await tester.server.identity.user(named: "x@example.com", tenant: "1281") == nil)
    }
  }

  @Test("Who is registered without being activated can't sign in yet")
  func inactive() async throws {
    try await NewzuluTester.run { tester in
      let data: JSONValue = .object(["user": "later", "password": .string(password)])
      let answer = try await tester.call(
        "users.register", ["vhost": "1281", "userData": data, "activate": false], key: NewzuluTester.developerKey)
      #expect(answer.result != nil)
      #expect(try await tester.confirm("later", password).result == false)
    }
  }

  @Test("One may read about oneself; a key with the permission about anybody, in its own tenant")
  func userInfo() async throws {
    try await NewzuluTester.run { tester in
      let own = try await tester.token()
      let jane = try #require(try await tester.call("users.getLoggedInUser", token: own).result?["id"])
      let other = try #require(
        try await tester.confirm("jane", NewzuluTester.otherPassword, vhost: "206").result?["id"])
      let lookups: [(String, [String: JSONValue])] = [
        ("users.getUserInfo", ["id": jane]),
        ("users.getUserInfo", ["username": "jane", "vhost": "1281"]),
        ("users.getUserInfoByEmail", ["email": "jane@example.com", "vhost": "1281"]),
        ("users.getUserInfoByUserName", ["username": "JANE", "vhost": "1281"]),
      ]
      for (method, arguments) in lookups {
        #expect(try await tester.call(method, arguments, token: own).result?["user"] == "jane")
        #expect(try await tester.call(method, arguments, key: NewzuluTester.developerKey).result?["user"] == "jane")
        #expect(try await tester.call(method, arguments).code == 103)
      }
      for (method, arguments) in [
        ("users.getUserInfo", ["id": other]), ("users.getUserInfo", ["id": 999_999]),
        ("users.getUserInfo", ["username": "bob", "vhost": "1281"]),
        ("users.getUserInfo", ["username": "nobody", "vhost": "1281"]),
        ("users.getUserInfoByUserName", ["username": "jane@example.com", "vhost": "1281"]),
        ("users.getUserInfoByEmail", ["email": "jane", "vhost": "1281"]),
        ("users.getUserInfoByEmail", ["email": "jane@example.com", "vhost": "206"]),
      ] as [(String, [String: JSONValue])] {
        #expect(try await tester.call(method, arguments, token: own).code == 101, "\(method) \(arguments)")
      }
      let nobody = try await tester.call("users.getUserInfo", ["id": 999_999], key: NewzuluTester.developerKey)
      #expect(nobody.body == #"{"result":false,"status":true}"#)
      #expect(
        try await tester.call("users.getUserInfo", ["id": jane], key: NewzuluTester.otherTenantsKey).result == false)
      #expect(
        try await tester.call("users.getUserInfo", ["id": other], key: NewzuluTester.otherTenantsKey).result?["vhost"]
          == "206")
    }
  }

  @Test("verifyUserEmail: 1 where nobody has it, for a developer key")
  func verifyUserEmail() async throws {
    try await NewzuluTester.run { tester in
      func verify(_ arguments: [String: JSONValue], key: String = NewzuluTester.developerKey) async throws -> Answer {
        try await tester.call("users.verifyUserEmail", arguments.merging(["vhost": "1281"]) { $1 }, key: key)
      }
      let known = try await verify(["email": "jane@example.com"])
      #expect(known.result == 0)
      #expect(try await verify(["user": "Bob"]).result == 0)
      #expect(try await verify(["user": "free", "email": "free@example.com"]).result == 1)
      #expect(try await verify([:]).code == 120)
      #expect(try await verify(["user": "bob"], key: NewzuluTester.appKey).code == 101)
    }
  }
}
