import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Newzulu: a platform with other names, over real HTTP")
struct RenamedPlatformTests {
  let platform: RenamedPlatform
  let transport = PlatformTransport()

  init() throws {
    platform = try RenamedPlatform()
  }

  /// A client that knows the names, but for what `change` makes of them.
  private func client(_ change: (inout NewzuluConfiguration) -> Void = { _ in }) throws -> NewzuluClient {
    var file = try NewzuluPlatformConfiguration(contentsOf: ConfigurationFileTests.example)
    change(&file.names)
    let server = try #require(URL(string: platform.address))
    var sessions = SessionConfiguration()
    sessions.retry = .none
    let client = try NewzuluClient(
      server: server, apiKey: try #require(file.apiKey), vhost: try #require(file.vhost), transport: transport,
      configuration: file.names, sessions: sessions)
    client.setCredentials(email: "ann@example.com", password: "apple")
    return client
  }

  @Test(
    "Bug-D02 Newzulu: with its file's names everything works: signing in, lists, uploads in parts, resuming, expiry")
  func works() async throws {
    let client = try client()
    let session = try await client.authenticate()
    #expect(
      session.user.id == "4711" && client.currentUser?.username == "ann" && client.currentUser?.lastName == "Avery")
    #expect(client.currentUser?.email == "ann@example.com" && client.currentUser?.attributes["ticket"] == nil)
    let text = "forty-two bytes of a photo, in three parts."
    let file = try await client.startUpload(
      NewzuluUpload(data: Data(text.utf8), filename: "a.jpg", title: "The harbour"), journal: EphemeralStore()
    ) { _ in }
    #expect(
      platform.items["The harbour"] == Data(text.utf8) && file.title == "The harbour"
        && file.size == Int64(text.utf8.count))
    platform.forgetTickets()
    let files = try await client.getFiles()
    #expect(
      files.totalCount == 1 && files.files.first?.title == "The harbour" && files.files.first?.uploaderID == "4711")
    #expect(platform.logins == 2)
    #expect(try await client.getFileInfo(id: file.id).title == "The harbour")
    #expect(try await client.getLoggedInUser().id == "4711")
    let error = await failure { try await client.getFileInfo(id: "none") }
    #expect(error?.code == .newzuluRefused && error?.message.contains("“stock.item”") == true)
    // Parts carry no session, and the file's default names appear nowhere.
    for name in ["sessiontoken", "APIKEY", "vhost", "confirmCredentials", "returnUserInfo"] {
      #expect(!platform.received.contains(name))
    }
  }

  @Test(
    "Bug-D02 Newzulu: a name that does not fit is told with its setting and what the server has instead",
    arguments: [
      ("answer.status", ["“status”", "“ok”", "“payload”"]), ("answer.result", ["“result”", "“payload”"]),
      ("arguments.token", ["“sessiontoken”", "“ticket”"]), ("user.id", ["“id”", "“uid”", "“nick”"]),
      ("user.username", ["“user”", "“nick”"]), ("answer.items", ["“data”", "“rows”"]),
      ("answer.totalCount", ["“totalCount”", "“n”"]), ("file.id", ["“id”", "“key”", "“headline”"]),
      ("servicesPath", ["404", "“services/json”"]), ("calls", ["“users.confirmCredentials”", "no such verb"]),
      ("arguments.key", ["unknown app"]),
    ])
  func misfits(_ setting: String, _ words: [String]) async throws {
    let usual = NewzuluConfiguration()
    let client = try client { names in
      switch setting {
      case "answer.status": names.answerKeys.status = usual.answerKeys.status
      case "answer.result": names.answerKeys.result = usual.answerKeys.result
      case "arguments.token": names.tokenName = usual.tokenName
      case "user.id": names.userKeys.id = usual.userKeys.id
      case "user.username": names.userKeys.username = usual.userKeys.username
      case "answer.items": names.answerKeys.items = usual.answerKeys.items
      case "answer.totalCount": names.answerKeys.totalCount = usual.answerKeys.totalCount
      case "file.id": names.fileKeys.id = usual.fileKeys.id
      case "servicesPath": names.servicesPath = usual.servicesPath
      case "calls": names.calls.confirmCredentials = usual.calls.confirmCredentials
      default: names.keyArgument = usual.keyArgument
      }
    }
    if ["answer.items", "answer.totalCount", "file.id"].contains(setting) {
      let other = try self.client()
      _ = try await other.startUpload(NewzuluUpload(data: Data("x".utf8), filename: "a", title: "A"), journal: nil) {
        _ in
      }
    }
    let error = try #require(await failure { try await client.getFiles() })
    let text = "\(error.message) \(error.advice)"
    for word in words { #expect(text.contains(word), "\(text)") }
    if setting.contains("."), setting != "arguments.key" { #expect(text.contains("“\(setting)”"), "\(text)") }
    #expect(!text.contains("apple") && !text.contains(RenamedPlatform.key) && !text.contains("ticket-1"))
  }

  @Test(
    "Bug-D02 Newzulu: an upload's name that does not fit is told, too",
    arguments: [
      ("uploads.keys.addresses", ["“partUrls”", "“slots”"]), ("uploads.keys.address", ["“url”", "“href”"]),
      ("file.id", ["“id”", "“key”"]),
    ])
  func uploads(_ setting: String, _ words: [String]) async throws {
    let usual = NewzuluConfiguration()
    let client = try client { names in
      switch setting {
      case "uploads.keys.addresses": names.uploads.keys.addresses = usual.uploads.keys.addresses
      case "uploads.keys.address": names.uploads.keys.address = usual.uploads.keys.address
      default: names.fileKeys.id = usual.fileKeys.id
      }
    }
    let error = try #require(
      await failure {
        try await client.startUpload(NewzuluUpload(data: Data("x".utf8), filename: "a", title: "A"), journal: nil) {
          _ in
        }
      })
    for word in words + ["“\(setting)”"] { #expect(error.message.contains(word), "\(error.message)") }
    #expect(!error.message.contains("/slots/"))
  }

  @Test(
    "Bug-D02 Newzulu: HTML with 200, names that are none and too many of them are told in one plain line",
    arguments: 0..<4)
  func strange(_ way: Int) async throws {
    let client = try client()
    _ = try await client.authenticate()
    let members = (0..<40).map { "\"m\($0)\": 1" }.joined(separator: ",")
    platform.answerNext(
      ["<html>apple</html>", #"{"\u001b[31mred": 1, "a b": 2}"#, "{\(members)}", #"{"apple": true, "fine": 1}"#][way])
    let error = try #require(await failure { try await client.getFiles() })
    #expect(error.code == .unexpectedResponse)
    #expect(!error.message.contains("\u{1B}") && !error.message.contains("apple") && error.message.utf8.count < 600)
    let expected = ["not a JSON object", "but 2", "and 28 more", "“fine” and 1 more"][way]
    #expect(error.message.contains(expected), "\(error.message)")
  }
}
