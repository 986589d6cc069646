import Dispatch
import Foundation
import NewzuluCore
import NewzuluPlatform
import Ostiary
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Newzulu's platform client: its configuration")
struct ConfigurationTests {
  /// The settings of the example, with a server's address.
  static func settings(_ address: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/Migrations/Newzulu/newzulu.json")
    return try String(contentsOf: file, encoding: .utf8).replacing("https://media.example.com", with: address)
  }

  /// A client of an app whose Info.plist says `information`.
  private func client(
    _ information: Any?, baseURL: URL? = nil, resource: (String) -> URL? = { _ in nil }
  ) -> PlatformClient {
    var environment = NewzuluEnvironment()
    environment.platform = Result {
      try NewzuluPlatformConfiguration(information: information, resource: resource) ?? NewzuluPlatformConfiguration()
    }.mapError { $0 as? OstiaryError ?? OstiaryError(.internalError, "\($0)") }
    let client = NewzuluEnvironment.$replacement.withValue(environment) {
      PlatformClient(apiKey: "key-in-code", vhost: "206", baseURL: baseURL)
    }
    client.completionQueue = DispatchQueue(label: "completions")
    client.setAnn()
    return client
  }

  private func underlying(_ result: Result<NewzuluCore.Session, NewzuluError>?) -> OstiaryError? {
    guard case .failure(let error) = result else { return nil }
    return error.underlyingError as? OstiaryError
  }

  @Test("Bug-D02 Newzulu: an Info.plist that names a file moves an app to another platform without code")
  func file() async throws {
    let platform = try RenamedPlatform()
    let settings = try Self.settings(platform.address)
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "newzulu.json")
      try Data(settings.utf8).write(to: file)
      let client = client("newzulu.json") { $0 == "newzulu.json" ? file : nil }
      #expect(try await client.authenticated()?.value?.user.username == "ann")
      #expect(try await client.listed()?.value?.totalCount == 0)
      #expect(platform.logins == 1 && !platform.received.contains("key-in-code"))
    }
  }

  @Test("Bug-D02 Newzulu: an Info.plist that has the settings themselves does, too; a bundle's own is read")
  func dictionary() async throws {
    let platform = try RenamedPlatform()
    let json = try #require(JSONValue(json: Data(try Self.settings(platform.address).utf8)))
    let list = ["NewzuluPlatform": Self.propertyList(json)]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    let client = client(try #require(read?[NewzuluPlatformConfiguration.infoKey]))
    #expect(try await client.authenticated()?.value?.user.username == "ann")
    try await withTemporaryFolder { folder in
      let contents = folder.appending(path: "An.bundle/Contents")
      try FileManager.default.createDirectory(
        at: contents.appending(path: "Resources"), withIntermediateDirectories: true)
      let information: [String: Any] = ["CFBundleIdentifier": "an.app", "NewzuluPlatform": ["vhost": "77"]]
      try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
        .write(to: contents.appending(path: "Info.plist"))
      let bundle = try #require(Bundle(url: folder.appending(path: "An.bundle")))
      #expect(try NewzuluPlatformConfiguration(bundle: bundle)?.vhost == "77")
    }
    #expect(try NewzuluPlatformConfiguration(bundle: .main) == nil)
  }

  private static func propertyList(_ value: JSONValue) -> Any {
    switch value {
    case .null: ""
    case .bool(let value): value
    case .integer(let value): Int(value)
    case .number(let value): value
    case .string(let value): value
    case .array(let values): values.map(propertyList)
    case .object(let members): members.mapValues(propertyList)
    }
  }

  @Test(
    "Bug-D02 Newzulu: what an Info.plist has wrong fails every call with its name, and nothing is sent",
    arguments: [
      (["calls": ["getFile": "a"]] as [String: any Sendable], "“calls.getFile”"),
      (["encoding": "xml"], "“encoding”"),
      (["vhost": Date(timeIntervalSince1970: 0)], "“vhost” in NewzuluPlatform of Info.plist"),
      (["uploads": ["partSize": true]], "“uploads.partSize”"),
    ] as [([String: any Sendable], String)])
  func wrong(_ information: [String: any Sendable], _ expected: String) async throws {
    let client = client(information)
    let result = try await client.authenticated()
    #expect(result?.reason == .unknown && client.currentSession == nil)
    let error = try #require(underlying(result))
    #expect(error.code == .newzuluConfiguration && error.message.contains(expected), "\(error)")
    #expect(try await client.listed()?.reason == .unknown)
  }

  @Test("Bug-D02 Newzulu: a file that is not in the bundle, or is no text, fails every call in words")
  func missingFile() async throws {
    let error = try #require(underlying(try await client("newzulu.json").authenticated()))
    #expect(error.message.contains("bundle has no file newzulu.json"))
  }

  @Test(
    "Bug-D02 Newzulu: a file that points to another origin than the code fails every call; the password goes to neither"
  )
  func anotherOrigin() async throws {
    let platform = try RenamedPlatform()
    let own = try LoopbackServer(answering: [.response(200, body: "{}")])
    defer { own.stop() }
    let client = client(["server": platform.address], baseURL: own.url())
    let error = try #require(underlying(try await client.authenticated()))
    #expect(error.code == .newzuluConfiguration && error.message.contains("“server”"))
    #expect(try await client.listed()?.reason == .unknown)
    #expect(platform.requestCount == 0 && own.requests.isEmpty)
    // The same origin with another path is the same server.
    let same = self.client(["server": own.url().absoluteString + "media"], baseURL: own.url())
    _ = try await same.authenticated()
    #expect(own.requests.first?.path == "/media/services/json")
  }

  @Test("Bug-D02 Newzulu: a path in a file can't lead the password to another server")
  func anotherPath() async throws {
    let thief = try LoopbackServer(answering: [.response(200, body: "{}")])
    defer { thief.stop() }
    let own = try LoopbackServer(answering: [.response(200, body: "{}")])
    defer { own.stop() }
    for path in [thief.url("/x").absoluteString, "//127.0.0.1:\(thief.port)/x", "..//127.0.0.1:\(thief.port)/x"] {
      let client = client(["servicesPath": path], baseURL: own.url())
      let error = try #require(underlying(try await client.authenticated()))
      #expect(error.code == .newzuluConfiguration && error.message.contains("“servicesPath”"), "\(error)")
      // Code that sets the same is refused as well, or stays at the server.
      var names = NewzuluConfiguration()
      names.servicesPath = path
      let other = PlatformClient(
        apiKey: "k", vhost: "1", baseURL: own.url(), environment: NewzuluEnvironment(configuration: names))
      other.completionQueue = DispatchQueue(label: "completions")
      other.setAnn()
      _ = try await other.authenticated()
    }
    #expect(thief.requests.isEmpty)
  }

  @Test("Bug-D02 Newzulu: code can say all of it, too: for one client, or for those that are made from now on")
  func code() async throws {
    let platform = try RenamedPlatform()
    let configuration = try NewzuluPlatformConfiguration(json: Data(try Self.settings(platform.address).utf8))
    let client = PlatformClient(configuration: configuration)
    client.completionQueue = DispatchQueue(label: "completions")
    client.setAnn()
    #expect(try await client.authenticated()?.value?.user.id == "4711")
    let bare = PlatformClient(configuration: NewzuluPlatformConfiguration())
    bare.completionQueue = DispatchQueue(label: "completions")
    bare.setAnn()
    #expect(underlying(try await bare.authenticated())?.message.contains("“apiKey”") == true)
    PlatformClient.setConfiguration(configuration)
    let later = PlatformClient(apiKey: "key-in-code", vhost: 206)
    PlatformClient.setConfiguration(nil)
    later.completionQueue = DispatchQueue(label: "completions")
    later.setAnn()
    #expect(try await later.authenticated()?.value?.user.id == "4711")
    #expect(platform.logins == 2)
  }
}
