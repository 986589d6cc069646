import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Media items and users of a Newzulu platform")
struct MediaTests {
  func stub() -> NewzuluStub {
    let stub = NewzuluStub()
    stub.addFile("1", "Public", isModerated: true)
    stub.addFile("2", "Ann's", isModerated: false, owner: "11")
    stub.addFile("3", "Ben's", isModerated: false, owner: "12")
    return stub
  }

  @Test("NS7: anonymously, and with a key without permission, there are moderated items only")
  func anonymous() async throws {
    let stub = stub()
    let client = try stub.client()
    #expect(try await client.getFiles(as: .anonymous).files.map(\.title) == ["Public"])
    #expect(stub.calls.last?.arguments["APIKEY"] == nil)
    #expect(stub.calls.last?.arguments["sessiontoken"] == nil)
    #expect(try await client.getFiles().files.map(\.title) == ["Public"])
    #expect(stub.calls.last?.arguments["APIKEY"] != nil)
    #expect(try await stub.client(key: NewzuluStub.developerKey).getFiles().totalCount == 3)
    #expect(try await client.getFileInfo(id: "1").title == "Public")
    let error = await failure { try await client.getFileInfo(id: "3") }
    #expect((error?.underlying as? NewzuluRefusal)?.number == 130)
  }

  @Test("NS7: a user sees their own as well")
  func own() async throws {
    let stub = stub()
    let client = try stub.ann()
    #expect(try await client.getFiles().files.map(\.title) == ["Public", "Ann's"])
    #expect(try await client.getFileInfo(id: "2").uploaderID == "11")
    // Even with credentials set, a list can be asked for without them.
    #expect(try await client.getFiles(as: .anonymous).totalCount == 1)
  }

  @Test("NS1: sorting, filters, pages and fields travel by JSON and by form", arguments: NewzuluEncoding.allCases)
  func queries(_ encoding: NewzuluEncoding) async throws {
    let stub = stub()
    var configuration = NewzuluConfiguration()
    configuration.encoding = encoding
    let client = try stub.client(configuration, key: NewzuluStub.developerKey)
    var query = NewzuluFileQuery()
    query.filters = ["title": "Ann's"]
    query.fields = ["title"]
    let found = try await client.getFiles(query)
    #expect(found.totalCount == 1)
    #expect(found.files.map(\.attributes) == [["id": "2", "title": "Ann's"]])
    query = NewzuluFileQuery()
    query.start = 1
    query.limit = 1
    let page = try await client.getFiles(query)
    #expect(page.totalCount == 3 && page.files.map(\.id) == ["2"])
  }

  @Test("An item's parts are what they are, or nil")
  func item() throws {
    let file = try #require(
      NewzuluFile([
        "id": 9, "title": "T", "message": "", "type": "video/mp4", "filesize": "12", "status": "5",
        "thumbUrl": "http://x/t",
      ]))
    #expect(file.id == "9" && file.title == "T" && file.message == nil && file.contentType == "video/mp4")
    #expect(file.size == 12 && file.status == .incomplete && file.thumbnailURL?.host() == "x")
    let hostile = try #require(NewzuluFile(["id": "1", "status": 1e300, "filesize": "many", "thumbUrl": [1]]))
    #expect(hostile.status == nil && hostile.size == nil && hostile.thumbnailURL == nil)
    #expect(NewzuluFile(["title": "T"]) == nil)
  }

  @Test(
    "A list that is none is unexpected",
    arguments: [
      "[]", "{}", "{\"data\":[]}", "{\"totalCount\":1}", "{\"totalCount\":1,\"data\":[{}]}", "false",
      "{\"totalCount\":\"x\",\"data\":[]}", "{\"totalCount\":1,\"data\":[7]}",
    ])
  func hostile(_ result: String) async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in response("{\"status\":true,\"result\":\(result)}") }
    #expect(await failure { try await stub.client().getFiles() }?.code == .unexpectedResponse)
  }

  @Test("A count that no integer holds is cut, not trapped on")
  func hugeCount() async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in
      response("{\"status\":true,\"result\":{\"totalCount\":9223372036854775807,\"data\":[]}}")
    }
    #expect(try await stub.client().getFiles().totalCount == Int.max)
  }

  @Test(
    "NS4: a developer's key registers users, each once per tenant; an app's key can't",
    arguments: NewzuluEncoding.allCases)
  func register(_ encoding: NewzuluEncoding) async throws {
    let stub = NewzuluStub()
    var configuration = NewzuluConfiguration()
    configuration.encoding = encoding
    let carl = NewzuluRegistration(username: "carl", password: "cherry", email: "carl@example.com", firstName: "Carl")
    let app = try stub.client(configuration)
    #expect((await failure { try await app.register(carl) }?.underlying as? NewzuluRefusal)?.number == 101)
    #expect(try await app.isAvailable(email: "carl@example.com"))
    let developer = try stub.client(configuration, key: NewzuluStub.developerKey)
    let id = try await developer.register(carl)
    #expect((await failure { try await developer.register(carl) }?.underlying as? NewzuluRefusal)?.number == 121)
    #expect(try await !app.isAvailable(email: "carl@example.com"))
    #expect(try await stub.client(configuration, vhost: "1281").isAvailable(username: "carl"))
    app.setCredentials(email: "carl@example.com", password: "cherry")
    #expect(try await app.authenticate().user.id == id)
  }

  @Test("Users are found by identifier, name and address; oneself needs no permission")
  func users() async throws {
    let stub = NewzuluStub()
    let developer = try stub.client(key: NewzuluStub.developerKey)
    #expect(try await developer.getUserInfo(id: "12")?.username == "ben")
    #expect(try await developer.getUserInfo(username: "ann1281", vhost: "1281")?.id == "21")
    #expect(try await developer.getUserInfo(email: "ann@example.com")?.id == "11")
    #expect(try await developer.getUserInfo(email: "ann@example.com", vhost: "1281")?.id == "21")
    #expect(try await developer.getUserInfo(id: "999") == nil)
    let ann = try stub.ann()
    #expect(try await ann.getUserInfo(id: "11")?.firstName == "Ann")
    #expect(await failure { try await ann.getUserInfo(id: "12") }?.code == .newzuluRefused)
  }
}
