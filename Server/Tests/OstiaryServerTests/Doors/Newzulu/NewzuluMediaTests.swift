import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: media", .timeLimit(.minutes(10)))
struct NewzuluMediaTests {
  private func titles(_ answer: Answer) -> [String] {
    answer.result?["data"]?.array?.compactMap { $0["title"]?.string } ?? ["no list"]
  }

  @Test("NS7: who sees what: everybody the moderated, users their own as well, a key with the permission all")
  func visibility() async throws {
    try await NewzuluTester.run { tester in
      let jane = try await tester.token()
      let bob = try await tester.token("bob")
      let open = try await tester.file("1", title: "open", token: jane)
      let own = try await tester.file("2", title: "own", token: jane)
      let half = try await tester.upload(size: 20, title: "half", token: jane)
      let janeElsewhere = try await tester.token("jane", NewzuluTester.otherPassword, vhost: "206")
      try await tester.file("3", title: "elsewhere", vhost: "206", token: janeElsewhere)
      let openID = try #require(open.string.flatMap { Int64($0) })
      try await tester.server.application.door(NewzuluDoor.self)?.moderate(file: openID)
      try await tester.server.application.door(NewzuluDoor.self)?.moderate(file: half.number)

      let views: [(key: String?, token: String?, sees: Set<String>)] = [
        (nil, nil, ["open"]), (NewzuluTester.appKey, nil, ["open"]), (nil, bob, ["open"]),
        (NewzuluTester.appKey, jane, ["open", "own", "half"]), (NewzuluTester.editorKey, nil, ["open", "own", "half"]),
        (NewzuluTester.editorKey, bob, ["open", "own", "half"]),
      ]
      for view in views {
        let answer = try await tester.call("media.getFiles", ["vhost": "1281"], key: view.key, token: view.token)
        #expect(Set(titles(answer)) == view.sees)
        #expect(answer.result?["totalCount"]?.double == Double(view.sees.count))
        for (id, title) in [(open, "open"), (own, "own"), (half.id, "half")] {
          let info = try await tester.call("media.getFileInfo", ["id": id], key: view.key, token: view.token)
          if view.sees.contains(title) {
            #expect(info.result?["title"] == .string(title))
          } else {
            #expect(info.code == 130)
          }
        }
      }
      #expect(try await tester.call("media.getFileInfo", ["id": open, "vhost": "206"]).code == 130)
      try await tester.server.application.door(NewzuluDoor.self)?.moderate(file: openID, isVisible: false)
      #expect(titles(try await tester.call("media.getFiles", ["vhost": "1281"], key: nil)) == [])
      #expect(try await tester.server.application.door(NewzuluDoor.self)?.moderate(file: 9999) == false)
    }
  }

  @Test("NS7: a door that publishes uploads shows everybody what is complete, and nothing before")
  func published() async throws {
    try await NewzuluTester.run({ $0.newzulu?.publishesUploads = true }) { tester in
      let token = try await tester.token()
      try await tester.file("1", title: "done", token: token)
      _ = try await tester.upload(size: 20, title: "half", token: token)
      #expect(titles(try await tester.call("media.getFiles", ["vhost": "1281"], key: nil)) == ["done"])
    }
  }

  @Test("An item has the vendor's members, its numbers as text")
  func item() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let id = try await tester.file("hello", title: "Größe \"1\"", token: token)
      let item = try #require(try await tester.call("media.getFileInfo", ["id": id], token: token).result?.object)
      #expect(item["id"] == id)
      #expect(item["title"] == "Größe \"1\"")
      #expect(item["message"] == "Hello")
      #expect(item["filename"] == "a.mp4")
      #expect(item["type"] == "video/mp4")
      #expect(item["filetype"] == "2")
      #expect(item["filesize"] == 5)
      #expect(item["status"] == "1")
      #expect(item["moderationstatus"] == "0")
      #expect(item["user_firstname"] == "Jane")
      let user = try await tester.call("users.getLoggedInUser", token: token).result
      #expect(item["uid"] == user?["id"])
      #expect(item["upload"]?.string?.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) == true)
    }
  }

  @Test("Lists are sorted, cut into pages and filtered", arguments: NewzuluTester.Transport.allCases)
  func lists(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      for title in ["b", "C", "a", "100%_x"] {
        try await tester.file("x", title: title, token: token)
        tester.server.clock.advance(by: 60)
      }
      let tester = tester.with(transport)
      func list(_ arguments: [String: JSONValue]) async throws -> Answer {
        try await tester.call("media.getFiles", arguments.merging(["vhost": "1281"]) { $1 }, token: token)
      }
      #expect(titles(try await list([:])) == ["100%_x", "a", "C", "b"])
      #expect(titles(try await list(["sort": "upload ASC"])) == ["b", "C", "a", "100%_x"])
      #expect(titles(try await list(["sort": "TITLE asc"])) == ["100%_x", "a", "b", "C"])
      #expect(titles(try await list(["sort": "id desc", "limit": 2])) == ["100%_x", "a"])
      let page = try await list(["start": 1, "limit": 2])
      #expect(titles(page) == ["a", "C"])
      #expect(page.result?["totalCount"] == 4)
      #expect(titles(try await list(["limit": 0])) == [])
      #expect(titles(try await list(["limit": 100_000])).count == 4)
      #expect(titles(try await list(["start": 9])) == [])
      #expect(titles(try await list(["filters": .object(["title": "%_"])])) == ["100%_x"])
      #expect(titles(try await list(["filters": .object(["title": "c", "status": 1, "channel": "0"])])) == ["C"])
      #expect(titles(try await list(["filters": .object(["status": 5])])) == [])
      let id = try #require(try await tester.call("users.getLoggedInUser", token: token).result?["id"])
      #expect(titles(try await list(["filters": .object(["uid": id])])).count == 4)
      #expect(titles(try await list(["filters": .object(["uid": 12345])])) == [])
      let narrow = try await list(["fields": .array(["title", "unknown"]), "limit": 1])
      #expect(narrow.result?["data"]?.array?.first?.object?.keys.sorted() == ["id", "title"])
    }
  }

  @Test(
    "Arguments that can't be are refused by name",
    arguments: [
      (["sort": "upload sideways"], "sort"), (["sort": "password"], "sort"), (["sort": "id asc; DROP"], "sort"),
      (["start": -1], "start"), (["limit": -1], "limit"), (["limit": "many"], "limit"),
      (["limit": .number(1.5)], "limit"),
      (["filters": "x"], "filters"), (["filters": .object(["owner": "1"])], "filters[owner]"),
      (["filters": .object(["uid": .object([:])])], "filters[uid]"), (["fields": "x"], "fields"),
      (["start": "99999999999999999999"], "start"),
    ] as [([String: JSONValue], String)])
  func refused(arguments: [String: JSONValue], name: String) async throws {
    try await NewzuluTester.run(addsUsers: false) { tester in
      let answer = try await tester.call("media.getFiles", arguments.merging(["vhost": "1281"]) { $1 })
      #expect(answer.status == 200)
      #expect(answer.code == 120)
      #expect(answer.json["message"] == .string("Invalid argument: \(name)"))
    }
  }
}
