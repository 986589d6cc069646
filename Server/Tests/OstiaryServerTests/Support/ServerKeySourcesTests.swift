import Foundation
import OstiaryPrivateFiles
import Testing

@testable import OstiaryServer

@Suite("The places that have the server's key")
struct ServerKeySourcesTests {
  private static let (one, two) = (ServerKey.newText(), ServerKey.newText())

  /// A folder for data, and one for other files.
  private struct Place {
    let whole = TemporaryFolder()
    var data: URL { whole.url.appending(path: "data", directoryHint: .isDirectory) }
    var credentials: URL { whole.url.appending(path: "credentials", directoryHint: .isDirectory) }
    var file: URL { whole.url.appending(path: "a.key") }
    var own: URL { data.appending(path: ServerKey.fileName) }
    var credential: URL { credentials.appending(path: ServerKey.fileName) }

    func write(_ text: String, to url: URL, mode: Int = 0o600) throws {
      try PrivateFile(url: url).replace(with: Data(text.utf8))
      try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: mode)], ofItemAtPath: url.path)
    }

    /// The key's text; nil for one that has been made.
    func load(file hasFile: Bool = false, _ variables: [String: String] = [:]) throws -> String? {
      var variables = variables
      if FileManager.default.fileExists(atPath: credentials.path) {
        variables["CREDENTIALS_DIRECTORY"] = credentials.path
      }
      let key = try ServerKeySources(file: hasFile ? file : nil, variables: variables).load(from: data)
      return [one, two].first { ServerKey(text: $0, place: "")?.isSame(as: key) == true }
    }
  }

  @Test("key: a file, the variable, systemd's credential and the folder's own file each give it")
  func each() throws {
    let named = Place()
    try named.write(Self.one + "\n", to: named.file)
    #expect(try named.load(file: true) == Self.one)
    #expect(try Place().load([ServerKeySources.variable: Self.one]) == Self.one)
    let service = Place()
    // Rights for the service's user show as rights of the group.
    try service.write(Self.one, to: service.credential, mode: 0o440)
    #expect(try service.load() == Self.one)
    let folder = Place()
    try folder.write(Self.one, to: folder.own)
    #expect(try folder.load() == Self.one)
    for place in [named, service] { #expect(!FileManager.default.fileExists(atPath: place.own.path)) }
  }

  @Test("key: without any the folder's own is made, once")
  func made() throws {
    let place = Place()
    #expect(try place.load() == nil)
    let text = try String(contentsOf: place.own, encoding: .utf8)
    let again = try ServerKeySources().load(from: place.data)
    #expect(try #require(ServerKey(text: text, place: "")).isSame(as: again))
  }

  @Test("key: the first place gives it, and all may have the same")
  func order() throws {
    let place = Place()
    for url in [place.file, place.credential, place.own] { try place.write(Self.one, to: url) }
    let sources = ServerKeySources(
      file: place.file,
      variables: [ServerKeySources.variable: Self.one, "CREDENTIALS_DIRECTORY": place.credentials.path])
    #expect(try sources.load(from: place.data).place == place.file.path)
    let rest = ServerKeySources(
      variables: [ServerKeySources.variable: Self.one, "CREDENTIALS_DIRECTORY": place.credentials.path])
    #expect(try rest.load(from: place.data).place == ServerKeySources.variable)
    let last = ServerKeySources(variables: ["CREDENTIALS_DIRECTORY": place.credentials.path])
    #expect(try last.load(from: place.data).place == place.credential.path)
  }

  /// Where two keys are that differ.
  enum Pair: CaseIterable {
    case fileAndVariable, fileAndCredential, fileAndFolder, variableAndCredential, variableAndFolder,
      credentialAndFolder
  }

  @Test("key: two places with different keys are an error that names both, and no key", arguments: Pair.allCases)
  func differ(pair: Pair) throws {
    let place = Place()
    var variables: [String: String] = [:]
    var names: [String] = []
    func put(_ text: String, _ url: URL) throws {
      try place.write(text, to: url)
      names.append(url.path)
    }
    switch pair {
    case .fileAndVariable, .fileAndCredential, .fileAndFolder: try put(Self.one, place.file)
    case .variableAndCredential, .variableAndFolder:
      variables[ServerKeySources.variable] = Self.one
      names.append(ServerKeySources.variable)
    case .credentialAndFolder: try put(Self.one, place.credential)
    }
    switch pair {
    case .fileAndVariable:
      variables[ServerKeySources.variable] = Self.two
      names.append(ServerKeySources.variable)
    case .fileAndCredential, .variableAndCredential: try put(Self.two, place.credential)
    case .fileAndFolder, .variableAndFolder, .credentialAndFolder: try put(Self.two, place.own)
    }
    let error = #expect(throws: ServerError.self) {
      try place.load(file: names[0] == place.file.path, variables)
    }
    #expect(error?.code == .serverKeysDiffer)
    for name in names { #expect(error?.message.contains(name) == true, "\(name)") }
    for text in [Self.one, Self.two] { #expect(error?.errorDescription?.contains(text) == false) }
  }

  @Test("key: what is no key is refused, and not told", arguments: ["", "x", String(one.dropLast()), one + "AAAA"])
  func noKey(text: String) throws {
    let place = Place()
    let variable = #expect(throws: ServerError.self) { try place.load([ServerKeySources.variable: text]) }
    #expect(variable?.code == .serverKeyRefused && variable?.message.contains(ServerKeySources.variable) == true)
    try place.write(text, to: place.file)
    let file = #expect(throws: ServerError.self) { try place.load(file: true) }
    #expect(file?.code == .serverKeyRefused && file?.message.contains(place.file.path) == true)
    if text.count > 1 {
      for error in [variable, file] { #expect(error?.errorDescription?.contains(text) == false) }
    }
  }

  @Test("key: a file that is named and not there is an error, and none is made in its place")
  func missing() throws {
    let place = Place()
    let error = #expect(throws: ServerError.self) { try place.load(file: true) }
    #expect(error?.code == .serverKeyMissing && error?.advice.contains("ostiary key new") == true)
    #expect(!FileManager.default.fileExists(atPath: place.file.path))
    #expect(!FileManager.default.fileExists(atPath: place.own.path))
  }

  @Test("key: a file that others may read is refused", arguments: [0o644, 0o640, 0o604])
  func exposed(mode: Int) throws {
    let place = Place()
    try place.write(Self.one, to: place.file, mode: mode)
    let error = #expect(throws: ServerError.self) { try place.load(file: true) }
    #expect(error?.code == .serverKeyRefused && error?.advice.contains("chmod 600") == true)
  }
}
