import Foundation
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiarySealing
import OstiaryServer
import Testing

extension VendorSamplesTests {
  private static let otherKey = "9b1f0c4e7a2d4d6f8c3b5a7e9d1f2c4b"

  /// A door on which nothing has the vendor's name, and which shares no name with the client.
  private static var names: NewzuluDoorNames {
    var names = NewzuluDoorNames()
    names.servicesPath = "/api/v9/call"
    names.calls = [
      "users.confirmcredentials": "account.open", "users.getloggedinuser": "account.who",
      "media.getfiles": "stock.list",
      "media.getfileinfo": "stock.item", "media.createmultipartupload": "stock.begin",
      "media.completemultipartupload": "stock.finish", "media.abortmultipartupload": "stock.drop",
      "media.getmultipartupload": "stock.state",
    ]
    names.arguments = [
      "method": "do", "vhost": "site", "APIKEY": "app", "sessiontoken": "ticket", "username": "login",
      "password": "secret", "login": "enter", "returnUserInfo": "tell",
    ]
    names.answer = [
      "status": "ok", "result": "payload", "message": "why", "code": "nr", "totalCount": "n", "data": "rows",
    ]
    names.user = [
      "id": "uid", "user": "nick", "firstname": "given", "lastname": "family", "email": "mail",
      "sessiontoken": "ticket",
    ]
    names.file = [
      "id": "key", "title": "headline", "message": "text", "filename": "file", "type": "mime", "filesize": "bytes",
      "status": "state", "uid": "by", "channel": "lane",
    ]
    names.upload = [
      "fileData": "blob", "partSize": "chunk", "partUrls": "slots", "parts": "have", "part": "no", "url": "href",
      "size": "len", "etag": "sum",
    ]
    names.codes = [102: 401, 103: 402, 199: 900, 130: 901, 142: 902]
    return names
  }

  /// The app's file.
  private static func settings(at address: String) -> String {
    """
    {
      "server": "\(address)", "apiKey": "\(otherKey)", "vhost": 1161, "servicesPath": "api/v9/call", "encoding": "form",
      "signInArguments": {"enter": true, "tell": true},
      "arguments": {
        "method": "do", "vhost": "site", "key": "app", "token": "ticket", "username": "login", "password": "secret"
      },
      "calls": {
        "confirmCredentials": "account.open", "getLoggedInUser": "account.who", "getFiles": "stock.list",
        "getFileInfo": "stock.item", "createMultiPartUpload": "stock.begin", "completeMultiPartUpload": "stock.finish",
        "abortMultiPartUpload": "stock.drop"
      },
      "answer": {
        "status": "ok", "result": "payload", "message": "why", "code": "nr", "totalCount": "n", "items": "rows"
      },
      "user": {"id": "uid", "username": "nick", "firstName": "given", "lastName": "family", "email": "mail"},
      "file": {
        "id": "key", "title": "headline", "message": "text", "filename": "file", "contentType": "mime", "size": "bytes",
        "status": "state", "uploaderID": "by"
      },
      "failures": {"session": [401, 402], "unknownMethod": 900, "unknownItem": 901, "missingParts": 902},
      "uploads": {
        "partSize": 16, "maximumPartSize": 4096, "parallelParts": 2, "resumeCall": "stock.state",
        "keys": {
          "fileData": "blob", "partSize": "chunk", "addresses": "slots", "parts": "have", "number": "no",
          "address": "href", "size": "len", "tag": "sum"
        }
      }
    }
    """
  }

  /// Starts a server with other names and the user `ann`.
  private func withRenamedServer(
    _ body: (_ address: String, _ server: OstiaryApplication) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.newzulu?.vhosts = ["1161"]
    configuration.newzulu?.keys = [NewzuluKey(Secret(Self.otherKey))]
    configuration.newzulu?.leastFreeSpace = 0
    configuration.newzulu?.leastPartSize = 16
    configuration.newzulu?.names = Self.names
    let server = try OstiaryApplication(configuration)
    let address = try await server.start().origin.description
    try await server.identity.addUser(
      name: "ann", tenant: "1161", email: "ann@example.com", password: "apple",
      attributes: ["firstname": "Ann", "lastname": "Avery"])
    try await body(address, server)
    await server.stop()
    guard let files = KeychainStore(identifier: application).storage as? EncryptedFileStore else { return }
    try? FileManager.default.removeItem(at: files.folder.deletingLastPathComponent())
  }

  private func app(_ settings: String) throws -> SampleApp {
    let file = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString).json")
    try Data(settings.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let client = PlatformClient(configuration: try NewzuluPlatformConfiguration(contentsOf: file))
    client.completionQueue = DispatchQueue(label: "samples")
    return SampleApp(client)
  }

  @Test("Bug-D02 Newzulu: an app configured by a file alone lives at our server under other names")
  func renamed() async throws {
    try await withRenamedServer { address, server in
      let app = try app(Self.settings(at: address))
      app.setCredentials("ann@example.com", "pear", application)
      let refused = try #require(await authenticate(app).1)
      #expect(app.describe(refused) == "credentials")

      app.setCredentials("ann@example.com", "apple", application)
      let (session, error) = await authenticate(app)
      #expect(error == nil)
      #expect(session?.user.username == "ann" && session?.user.firstName == "Ann")
      #expect(session?.user.email == "ann@example.com")

      // The session ends at the server; the upload signs in again and sends four parts.
      _ = try await server.identity.setPassword("apple", forUserNamed: "ann", tenant: "1161")
      let content = Data("Fifty bytes or so of a photo, which are four parts.".utf8)
      let source = FileManager.default.temporaryDirectory.appending(path: "\(application).jpg")
      try content.write(to: source)
      defer { try? FileManager.default.removeItem(at: source) }
      #expect(await upload(app, source) == nil)
      let files = try #require(try await server.door(NewzuluDoor.self)?.content(ofFile: 1))
      #expect(files.count == 4)
      #expect(try files.map { try Data(contentsOf: $0) }.reduce(Data(), +) == content)
      await withCheckedContinuation { continuation in
        app.platformClient.clearCredentials { _ in continuation.resume() }
      }
    }
  }

  @Test(
    "Bug-D02 Newzulu: one name of the file that is not the server's is told, and nobody is signed in",
    arguments: [
      ("account.open", "users.confirmCredentials"), ("\"payload\"", "\"result\""), ("\"app\"", "\"APIKEY\""),
      ("api/v9/call", "services/json"), ("\"do\"", "\"method\""),
    ])
  func misfit(name: String, other: String) async throws {
    try await withRenamedServer { address, _ in
      let app = try app(Self.settings(at: address).replacingOccurrences(of: name, with: other))
      app.setCredentials("ann@example.com", "apple", application)
      let error = try #require(await authenticate(app).1)
      #expect(app.describe(error) != "credentials")
      #expect(app.currentUser() == nil)
    }
  }
}
