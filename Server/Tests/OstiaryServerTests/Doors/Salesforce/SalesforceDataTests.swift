import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: an org's data", .timeLimit(.minutes(20)))
struct SalesforceDataTests {
  private typealias Tester = SalesforceTester
  private static let base = "/services/data/v59.0"

  private static func query(_ text: String) -> String { base + "/query?q=" + Client.encode(text) }

  @Test("OS7: the data answers 401 with a list, in JSON or XML; identity answers 403 with a word")
  func failures() async throws {
    try await Tester.run { tester in
      for path in ["", "/customers"] {
        for token in [nil, "00Dx0000000BV7z!dead"] {
          let data = try await tester.call(path + Self.base + "/sobjects/Case", token)
          #expect(data.status == 401)
          #expect(data.header("content-type") == "application/json;charset=UTF-8")
          #expect(data.body == "[{\"errorCode\":\"INVALID_SESSION_ID\",\"message\":\"Session expired or invalid\"}]")
          let xml = try await tester.call(
            path + Self.base + "/limits", token, headers: ["Accept": "application/xml"])
          #expect(xml.body.contains("<Error><errorCode>INVALID_SESSION_ID</errorCode><message>"))
          let word = token == nil ? "Missing_OAuth_Token" : "Bad_OAuth_Token"
          for target in ["/services/oauth2/userinfo", "/id/00Dx0000000BV7zEAG/005x00000012Q9PAAU"] {
            let identity = try await tester.call(path + target, token)
            #expect(identity.status == 403 && identity.body == word)
            #expect(identity.header("content-type")?.hasPrefix("text/plain") == true)
          }
        }
      }
    }
  }

  @Test("The identity document and userinfo say who it is, to them alone")
  func identity() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn()
      let access = tokens["access_token"]?.string
      let address = try #require(tokens["id"]?.string)
      let document = try await tester.call(address, access).json
      #expect(document["id"]?.string == address && document["username"] == "jane@example.com")
      #expect(document["display_name"] == "Jane Doe" && document["last_name"] == "Doe")
      #expect(document["urls"]?["query"]?.string == tester.server.origin + "/services/data/v{version}/query/")
      let user = try #require(document["user_id"]?.string)
      let org = try #require(document["organization_id"]?.string)
      #expect(address.hasSuffix("/id/\(org)/\(user)"))
      // The 15 characters are the same, and so is the older name of the scheme.
      let short = "/id/\(org.prefix(15))/\(user.prefix(15))"
      #expect(
        try await tester.call(short, nil, headers: ["Authorization": "OAuth " + (access ?? "")]).status == 200)
      let xml = try await tester.call(short + "?format=xml", access)
      #expect(xml.body.contains("<username>jane@example.com</username>"))
      #expect(try await tester.call("/id/00Dx0000000BV7zEAG/\(user)", access).body == "Wrong_Org")
      #expect(try await tester.call("/id/\(org)/005x00000012Q9PAAU", access).body == "No_Access")
      #expect(try await tester.call("/id/\(org)/nonsense", access).body == "Bad_Id")
      for method in ["GET", "POST"] {
        let info = try await tester.call(method, "/services/oauth2/userinfo", access).json
        #expect(info["sub"]?.string == address && info["preferred_username"] == "jane@example.com")
        #expect(info["user_id"]?.string == user && info["given_name"] == "Jane")
      }
    }
  }

  @Test("The versions are public, everything else is not")
  func versions() async throws {
    try await Tester.run { tester in
      let versions = try await tester.server.client().get("/services/data/")
      let list = try #require(versions.value?.array)
      let entry: JSONValue = .object([
        "label": "Winter '24", "url": "/services/data/v59.0", "version": "59.0",
      ])
      #expect(list.contains(entry))
      let access = try await tester.signIn()["access_token"]?.string
      let resources = try await tester.call(Self.base, access)
      #expect(resources.json["sobjects"]?.string == Self.base + "/sobjects")
      for version in ["v19.0", "v99.0", "v59", "59.0", "v059.0", "vx.0"] {
        let answer = try await tester.call("/services/data/\(version)/limits", access)
        #expect(answer.status == 404 && answer.dataError == "NOT_FOUND", "\(version)")
      }
    }
  }

  @Test("A case is made, found, listed, changed and deleted")
  func cases() async throws {
    try await Tester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let made = try await tester.call(
        "POST", Self.base + "/sobjects/Case/", access,
        body: "{\"Subject\":\"A lamp\",\"priority\":\"High\",\"Description\":\"<it> & \\\"that\\\"\"}")
      #expect(made.status == 201 && made.json["success"] == true && made.json["errors"] == .array([]))
      let id = try #require(made.json["id"]?.string)
      #expect(SalesforceRecordID(id)?.long == id && id.hasPrefix("500"))
      #expect(made.header("location") == Self.base + "/sobjects/Case/" + id)
      let record = try await tester.call(Self.base + "/sobjects/Case/" + id.prefix(15), access)
      #expect(record.status == 200)
      #expect(record.json["Subject"] == "A lamp" && record.json["Priority"] == "High")
      #expect(record.json["Status"] == "New" && record.json["CaseNumber"] == "00000001")
      #expect(record.json["CreatedDate"] == "2027-01-15T08:00:00.000+0000")
      #expect(record.json["attributes"]?["type"] == "Case")
      let some = try await tester.call(Self.base + "/sobjects/Case/\(id)?fields=Subject,status", access)
      #expect(Set(some.json.keys) == ["attributes", "Subject", "Status"])
      let xml = try await tester.call(
        Self.base + "/sobjects/Case/" + id, access, headers: ["Accept": "application/xml"])
      #expect(xml.body.contains("<Description>&lt;it&gt; &amp; &quot;that&quot;</Description>"))
      #expect(xml.body.contains("<Case ") && xml.body.contains("type=\"Case\""))
      let found = try await tester.call(Self.query("SELECT Id, Subject FROM Case WHERE Priority = 'High'"), access)
      #expect(found.json["totalSize"] == 1 && found.json["done"] == true)
      #expect(found.json["records"]?.array?.first?["Subject"] == "A lamp")
      tester.server.clock.advance(by: 60)
      let changed = try await tester.call(
        "PATCH", Self.base + "/sobjects/Case/" + id, access, body: "{\"Status\":\"Closed\"}")
      #expect(changed.status == 204)
      let closed = try await tester.call(Self.base + "/sobjects/Case/" + id, access).json
      #expect(closed["IsClosed"] == true && closed["ClosedDate"] == "2027-01-15T08:01:00.000+0000")
      #expect(closed["Subject"] == "A lamp")
      #expect(try await tester.call("DELETE", Self.base + "/sobjects/Case/" + id, access).status == 204)
      let gone = try await tester.call(Self.base + "/sobjects/Case/" + id, access)
      #expect(gone.status == 404 && gone.dataError == "NOT_FOUND")
      #expect(try await tester.call("DELETE", Self.base + "/sobjects/Case/" + id, access).status == 404)
    }
  }

  @Test("What is said wrongly of a record is told")
  func wrongRecords() async throws {
    try await Tester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      func code(_ body: String, object: String = "Case", type: String = "application/json") async throws -> String? {
        let answer = try await tester.call(
          "POST", Self.base + "/sobjects/" + object, access, body: body, headers: ["Content-Type": type])
        #expect(answer.status >= 400)
        return answer.dataError
      }
      #expect(try await code("{") == "JSON_PARSER_ERROR")
      #expect(try await code("[]") == "JSON_PARSER_ERROR")
      #expect(try await code("{\"Subject\":7}") == "JSON_PARSER_ERROR")
      #expect(try await code("{\"Nonsense\":\"x\"}") == "INVALID_FIELD")
      #expect(try await code("{\"CaseNumber\":\"7\"}") == "INVALID_FIELD_FOR_INSERT_UPDATE")
      #expect(try await code("{\"OwnerId\":\"005x00000012Q9PAAU\"}") == "INVALID_FIELD_FOR_INSERT_UPDATE")
      #expect(try await code("{\"ContactId\":\"x\"}") == "MALFORMED_ID")
      #expect(
        try await code("{\"Subject\":\"\(String(repeating: "x", count: 256))\"}") == "STRING_TOO_LONG")
      #expect(try await code("{}", object: "MobilePushServiceDevice") == "REQUIRED_FIELD_MISSING")
      #expect(try await code("{}", object: "Nonsense") == "NOT_FOUND")
      #expect(try await code("{}", object: "User") == "METHOD_NOT_ALLOWED")
      #expect(try await code("<Case/>", type: "application/xml") == "UNSUPPORTED_MEDIA_TYPE")
    }
  }

  @Test("Queries: counting, sorting, users, the org, and what isn't there")
  func queries() async throws {
    try await Tester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      for subject in ["b", "a", "c"] {
        try await tester.call("POST", Self.base + "/sobjects/Case", access, body: "{\"Subject\":\"\(subject)\"}")
      }
      func ask(_ text: String) async throws -> Answer { try await tester.call(Self.query(text), access) }
      let sorted = try await ask("SELECT Subject FROM Case ORDER BY Subject DESC LIMIT 2 OFFSET 1")
      #expect(sorted.json["records"]?.array?.compactMap { $0["Subject"]?.string } == ["b", "a"])
      let count = try await ask("SELECT COUNT() FROM Case WHERE Subject > 'a'")
      #expect(count.json["totalSize"] == 2 && count.json["records"] == .array([]))
      let users = try await ask("SELECT Username FROM User ORDER BY Username")
      #expect(
        users.json["records"]?.array?.compactMap { $0["Username"]?.string } == ["bob@example.com", "jane@example.com"])
      #expect(
        try await ask("SELECT IsSandbox, Name FROM Organization").json["records"]?.array?.first?["Name"] == "Acme")
      for (text, code) in [
        ("SELECT Nonsense FROM Case", "INVALID_FIELD"), ("SELECT Id FROM Nonsense", "INVALID_TYPE"),
        ("SELECT Id FROM Case WHERE Nonsense = 1", "INVALID_FIELD"), ("nonsense", "MALFORMED_QUERY"),
        ("", "MALFORMED_QUERY"),
      ] {
        let answer = try await ask(text)
        #expect(answer.status == 400 && answer.dataError == code, "\(text)")
      }
    }
  }

  @Test("A long result comes in batches")
  func batches() async throws {
    try await Tester.run { tester in
      let door = try tester.door
      let access = try await tester.signIn()["access_token"]?.string
      let user = try #require(try await tester.server.identity.user(named: "jane@example.com"))
      let place = SalesforceRecords.Place(org: door.configuration.orgs[0], object: .theCase, userID: nil)
      for number in 0..<450 {
        _ = try await door.records.insert(["Subject": .string("\(number)")], of: user, in: place)
      }
      var target = Self.query("SELECT Subject FROM Case")
      var sizes: [Int] = []
      var seen: Set<String> = []
      while true {
        let answer = try await tester.call(target, access, headers: ["Sforce-Query-Options": "batchSize=200"])
        let records = try #require(answer.json["records"]?.array)
        sizes.append(records.count)
        seen.formUnion(records.compactMap { $0["Subject"]?.string })
        #expect(answer.json["totalSize"] == 450)
        guard let next = answer.json["nextRecordsUrl"]?.string else { break }
        #expect(answer.json["done"] == false)
        target = next
      }
      #expect(sizes == [200, 200, 50] && seen.count == 450)
      for locator in ["nonsense", "a.b.c", "YQ.-1.200", "YQ.0.1", "_w.0.200"] {
        #expect(try await tester.call(Self.base + "/query/" + locator, access).status == 400)
      }
    }
  }

  @Test("A phone is registered for news, and taken off by its owner alone")
  func pushDevices() async throws {
    try await Tester.run { tester in
      let jane = try await tester.signIn()["access_token"]?.string
      let bob = try await tester.signIn(user: "bob@example.com")["access_token"]?.string
      let path = Self.base + "/sobjects/MobilePushServiceDevice"
      let made = try await tester.call(
        "POST", path, jane,
        body: "{\"ConnectionToken\":\"a1b2\",\"ServiceType\":\"Apple\",\"ApplicationBundle\":\"com.example.app\"}")
      #expect(made.status == 201 && made.json["success"] == true)
      let id = try #require(made.json["id"]?.string)
      #expect(try await tester.call(path + "/" + id, bob).status == 404)
      #expect(try await tester.call("DELETE", path + "/" + id, bob).status == 404)
      #expect(try await tester.call(path + "/" + id, jane).json["ConnectionToken"] == "a1b2")
      #expect(try await tester.call("DELETE", path + "/" + id, jane).status == 204)
      #expect(try await tester.call(path + "/" + id, jane).status == 404)
    }
  }

  @Test("Salesforce-E8, OAuth-O8: limits and permissions are 403, and never the answer of a dead session")
  func limits() async throws {
    try await Tester.run({ $0.dailyRequests = 3 }) { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let first = try await tester.call(Self.base + "/limits", access)
      #expect(first.json["DailyApiRequests"] == .object(["Max": 3, "Remaining": 2]))
      #expect(first.header("sforce-limit-info") == "api-usage=1/3")
      for _ in 0..<2 { #expect(try await tester.call(Self.base + "/limits", access).status == 200) }
      let refused = try await tester.call(Self.base + "/limits", access)
      #expect(refused.status == 403 && refused.dataError == "REQUEST_LIMIT_EXCEEDED")
      #expect(try await tester.call(Self.base + "/limits", "dead").status == 401)
      for _ in 0..<24 {
        tester.server.clock.advance(by: 3601)
        _ = try await tester.call("/services/oauth2/userinfo", access)
      }
      #expect(try await tester.call(Self.base + "/limits", access).status == 200)
    }
    try await Tester.run({ $0.orgs[0].allowsAPI = false }) { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let refused = try await tester.call(Self.base + "/limits", access)
      #expect(refused.status == 403 && refused.dataError == "API_DISABLED_FOR_ORG")
    }
    try await Tester.run({ $0.mostRecords = 1 }) { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let path = Self.base + "/sobjects/Case"
      #expect(try await tester.call("POST", path, access, body: "{}").status == 201)
      #expect(try await tester.call("POST", path, access, body: "{}").dataError == "STORAGE_LIMIT_EXCEEDED")
    }
  }

  @Test("A token without the scope for data opens none")
  func scopes() async throws {
    try await Tester.run { tester in
      let tokens = try await tester.signIn(scope: "id")
      #expect(tokens["refresh_token"] == nil)
      let access = tokens["access_token"]?.string
      let data = try await tester.call(Self.base + "/limits", access)
      #expect(data.status == 401 && data.dataError == "INVALID_SESSION_ID")
      #expect(data.body.contains("This session is not valid for use with the REST API"))
      #expect(try await tester.call("/services/oauth2/userinfo", access).status == 200)
    }
  }

  @Test("OS15: customers see their own cases, and find the same addresses below their community's path")
  func customers() async throws {
    try await Tester.run { tester in
      let agent = try await tester.signIn(user: "bob@example.com")["access_token"]?.string
      let jane = try await tester.signIn(at: "/customers")["access_token"]?.string
      let bob = try await tester.signIn(user: "bob@example.com", at: "/customers")["access_token"]?.string
      let path = "/customers" + Self.base
      let id = try await tester.call("POST", path + "/sobjects/Case", jane, body: "{}").json["id"]?.string ?? ""
      #expect(id.hasPrefix("500"))
      func count(_ token: String?, at base: String) async throws -> JSONValue? {
        let answer = try await tester.call(base + "/query?q=SELECT+COUNT()+FROM+Case", token)
        return answer.json["totalSize"]
      }
      #expect(try await count(jane, at: path) == 1)
      #expect(try await count(bob, at: path) == 0)
      #expect(try await count(bob, at: Self.base) == 0)
      #expect(try await count(agent, at: Self.base) == 1)
      #expect(try await tester.call(path + "/sobjects/Case/" + id, bob).status == 404)
      #expect(try await tester.call("DELETE", path + "/sobjects/Case/" + id, bob).status == 404)
      #expect(try await tester.call(path + "/query?q=SELECT+Id+FROM+User", jane).json["totalSize"] == 1)
    }
  }

  @Test("Orgs are strangers to each other")
  func orgs() async throws {
    try await Tester.run({ $0.orgs.append(SalesforceOrg(tenant: "other", name: "Other")) }) { tester in
      try await tester.server.identity.addUser(
        name: "ann@example.com", tenant: "other", password: Secret(Tester.password))
      let jane = try await tester.signIn()
      let ann = try await tester.signIn(user: "ann@example.com")
      let (janes, anns) = (jane["access_token"]?.string ?? "", ann["access_token"]?.string ?? "")
      #expect(janes.prefix(15) != anns.prefix(15))
      let id = try await tester.call("POST", Self.base + "/sobjects/Case", janes, body: "{}").json["id"]?.string ?? ""
      #expect(try await tester.call(Self.base + "/sobjects/Case/" + id, anns).status == 404)
      #expect(try await tester.call(Self.query("SELECT Id FROM User"), anns).json["totalSize"] == 1)
      #expect(try await tester.call(jane["id"]?.string ?? "", anns).body == "Wrong_Org")
      // The other org's user is unknown at this one's community.
      let swapped = anns.prefix(15) + janes.dropFirst(15)
      #expect(try await tester.call(Self.base + "/limits", String(swapped)).status == 401)
      #expect(try await tester.call("/customers" + Self.base + "/limits", anns).status == 401)
    }
  }

  @Test("Objects are described as they are")
  func describe() async throws {
    try await Tester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let all = try await tester.call(Self.base + "/sobjects", access)
      #expect(
        all.json["sobjects"]?.array?.compactMap { $0["name"]?.string } == [
          "Case", "MobilePushServiceDevice", "User", "Organization",
        ])
      let one = try await tester.call(Self.base + "/sobjects/case/describe", access).json
      #expect(one["name"] == "Case" && one["keyPrefix"] == "500")
      let status = one["fields"]?.array?.first { $0["name"] == "Status" }
      #expect(status?["picklistValues"]?.array?.compactMap { $0["value"]?.string }.contains("New") == true)
      let recent = try await tester.call(Self.base + "/sobjects/Case", access).json
      #expect(recent["recentItems"] == .array([]) && recent["objectDescribe"]?["name"] == "Case")
    }
  }
}
