import Foundation
import OstiaryCore
import OstiaryNewzulu
import TestSupport
import Testing

@Suite("Newzulu: the configuration in a file")
struct ConfigurationFileTests {
  static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Examples/Migrations/Newzulu/newzulu.json")

  private func read(_ text: String) throws -> NewzuluPlatformConfiguration {
    try NewzuluPlatformConfiguration(json: Data(text.utf8))
  }

  /// What a text is refused with.
  private func refusal(_ text: String) -> OstiaryError? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return error as? OstiaryError
    }
  }

  @Test("Bug-D02 Newzulu: every name, key, number and path of a file is taken, and what is left out stays")
  func taken() throws {
    let found = try NewzuluPlatformConfiguration(contentsOf: Self.example)
    #expect(found.server?.absoluteString == "https://media.example.com" && found.vhost == "1161")
    #expect(found.apiKey?.reveal() == RenamedPlatform.key)
    let names = found.names
    #expect(names.servicesPath == "api/v9/call" && names.encoding == .form && names.loginTimeout == .seconds(20))
    #expect(names.callTimeout == NewzuluConfiguration().callTimeout)
    #expect(names.signInArguments == ["want": "profile", "remember": 1])
    #expect(names.methodArgument == "do" && names.vhostArgument == "site" && names.keyArgument == "app")
    #expect(names.tokenName == "ticket" && names.usernameArgument == "login" && names.passwordArgument == "secret")
    #expect(names.calls.confirmCredentials == "account.open" && names.calls.register == "users.register")
    #expect(names.answerKeys.status == "ok" && names.answerKeys.items == "rows" && names.userKeys.email == "mail")
    #expect(names.fileKeys.size == "bytes" && names.sessionFailureNumbers == [401, 402])
    #expect(names.sessionFailurePhrases == ["ticket is over"] && names.missingPartsNumber == 902)
    #expect(names.uploads.partSize == 16 && names.uploads.resumeMethod == "stock.state")
    #expect(names.uploads.incompleteStatus == 17 && names.uploads.keys.tag == "sum")
    #expect(try read("{}") == NewzuluPlatformConfiguration())
    #expect(try read(#"{"uploads": {"resumeCall": null, "journalDelay": 0}}"#).names.uploads.resumeMethod == nil)
  }

  @Test("Bug-D02 Newzulu: the article lists every setting, with its default, and no other")
  func article() throws {
    let text = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/OstiaryNewzulu/Documentation.docc/Settings.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    var listed: [String] = []
    for row in rows where row.count == 3 {
      let name = row[0].replacing("`", with: "")
      listed.append(name)
      // Each is known, with its default as its value.
      var value = row[1].hasPrefix("`") ? row[1].replacing("`", with: "") : "\"x\""
      if name == "server" { value = "\"https://a.example\"" }
      for step in name.split(separator: ".").reversed() { value = "{\"\(step)\": \(value)}" }
      let found = try? read(value)
      #expect(found != nil, "\(name): \(String(describing: refusal(value)))")
      if row[1].hasPrefix("`") { #expect(found == NewzuluPlatformConfiguration(), "\(name) has another default") }
    }
    #expect(Set(listed).count == listed.count && listed.count == NewzuluPlatformConfiguration.settingNames.count)
    #expect(Set(listed) == Set(NewzuluPlatformConfiguration.settingNames))
  }

  @Test(
    "Bug-D02 Newzulu: what does not fit is refused, by name, with what was meant",
    arguments: [
      (
        #"{"calls": {"getFile": "a"}}"#,
        "“calls.getFile” in The configuration is no setting (is “calls.getFiles” meant?)"
      ),
      (#"{"servicespath": "a"}"#, "“servicespath” in The configuration is no setting (is “servicesPath” meant?)"),
      (#"{"colour": 1}"#, "“colour” in The configuration is no setting;"),
      (#"{"colour": 1, "keyArgument": 2}"#, "“keyArgument” is no setting"),
      (#"{"arguments": "username"}"#, "“arguments” in The configuration must be an object, not a text"),
      (#"{"arguments": {"username": 7}}"#, "“arguments.username” in The configuration must be a name"),
      (#"{"arguments": {"username": ""}}"#, "must be a name of 1 to 100 letters"),
      (#"{"arguments": {"username": "a b"}}"#, "must be a name of 1 to 100 letters"),
      (
        #"{"arguments": {"username": "password"}}"#,
        "“arguments.password” in The configuration has the name of “arguments.username”"
      ),
      (
        #"{"signInArguments": {"password": 1}}"#,
        "“signInArguments.password” in The configuration has the name of “arguments.password”"
      ),
      (
        #"{"signInArguments": {"a": [1]}}"#,
        "“signInArguments” in The configuration must be an object of texts, numbers and booleans"
      ),
      (#"{"encoding": "xml"}"#, "“encoding” in The configuration must be one of “json”, “form”"),
      (#"{"loginTimeout": -1}"#, "“loginTimeout” in The configuration must be a number of seconds"),
      (#"{"loginTimeout": "15"}"#, "not a text"),
      (
        #"{"failures": {"session": ["102"]}}"#,
        "“failures.session” in The configuration must be a list of whole numbers"
      ),
      (
        #"{"failures": {"session": [199]}}"#,
        "“failures.unknownMethod” in The configuration is a number of “failures.session” too"
      ),
      (#"{"failures": {"sessionPhrases": [""]}}"#, "“failures.sessionPhrases” in The configuration must be a list"),
      (#"{"failures": {"unknownItem": 1.5}}"#, "“failures.unknownItem” in The configuration must be a whole number"),
      (#"{"uploads": {"partSize": 0}}"#, "“uploads.partSize” in The configuration must be a whole number from 1"),
      (
        #"{"uploads": {"partSize": 99999999}}"#,
        "“uploads.partSize” in The configuration is more than “uploads.maximumPartSize”"
      ),
      (
        #"{"uploads": {"keys": {"tagg": "x"}}}"#,
        "“uploads.keys.tagg” in The configuration is no setting (is “uploads.keys.tag” meant?)"
      ),
      (#"{"vhost": true}"#, "“vhost” in The configuration must be"),
      (#"{"apiKey": 5}"#, "“apiKey” in The configuration must be"),
      ("[]", "holds a list in place of an object"), (#""x""#, "holds a text in place of an object"),
      (#"{"user": {"id": "e", "email": "e"}}"#, "“user.email” in The configuration has the name of “user.id”"),
      ("{,}", "is not JSON"), ("", "is not JSON"), (String(repeating: "[", count: 100_000), "nested more than 16 deep"),
    ])
  func misfits(_ text: String, _ expected: String) throws {
    let error = try #require(refusal(text), "\(text)")
    #expect(error.code == .newzuluConfiguration && error.disposition == .misuse)
    // A sentence that is the only one ends with a point.
    let message = error.message.replacing(".", with: ";")
    #expect(message.contains(expected.replacing(".", with: ";")), "\(error.message)")
    #expect(!error.advice.isEmpty)
  }

  @Test("Bug-D02 Newzulu: all problems are told at once, and the number of those that there is no room for")
  func many() throws {
    let error = try #require(refusal(#"{"a": 1, "b": 2, "vhost": [], "calls": {"c": 3}}"#))
    for name in ["“a”", "“b”", "“vhost”", "“calls.c”"] { #expect(error.message.contains(name)) }
    let members = (0..<5000).map { "\"unknown\($0)\": 1" }.joined(separator: ",")
    let long = try #require(refusal("{\(members)}"))
    #expect(long.message.contains("and 12 more") && long.message.utf8.count < 2000)
  }

  @Test(
    "Bug-D02 Newzulu: a path that leads elsewhere is refused, so that the password stays home",
    arguments: [
      "https://evil.example/collect", "//evil.example/x", "\\\\evil.example\\x", "../../x", "a/../../b", "a//b", "a?b",
      "a#b",
      "a%2e%2e/b", "user@evil.example", "a:b", "", "/",
    ])
  func paths(_ path: String) throws {
    let json = try JSONEncoder().encode(["servicesPath": path])
    #expect(throws: OstiaryError.self) { try NewzuluPlatformConfiguration(json: json) }
    // Code can't do it either: what it appends stays at the server.
    var names = NewzuluConfiguration()
    names.servicesPath = path
    let server = try #require(URL(string: "https://platform.example"))
    let authenticator = try? NewzuluAuthenticator(server: server, apiKey: "k", vhost: "1", configuration: names)
    #expect(authenticator.map { $0.description.contains("platform.example") } ?? true)
  }

  @Test(
    "Bug-D02 Newzulu: a server is an http or https address with a host, without a user or a query",
    arguments: [
      "ftp://a.example", "a.example", "https://", "https://u:p@a.example", "https://a.example?x=1", "https://a b", "",
    ])
  func servers(_ address: String) throws {
    let json = try JSONEncoder().encode(["server": address])
    let error = #expect(throws: OstiaryError.self) { try NewzuluPlatformConfiguration(json: json) }
    #expect(error?.message.contains("“server”") == true && error?.message.contains("u:p") == false)
  }

  @Test(
    "Bug-D02 Newzulu: a byte-order mark is no obstacle in UTF-8; other encodings, 10 MB and a missing file are refused in words",
    arguments: 0..<5)
  func files(_ way: Int) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "names.json")
      let contents = [
        Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8), Data([0xFF, 0xFE]) + Data("{\0}\0".utf8),
        Data([0xFE, 0xFF, 0, 0x7B]),
        Data("{\"vhost\": \"".utf8) + Data(repeating: 0x61, count: 10_000_000) + Data("\"}".utf8),
      ]
      if way < 4 { try contents[way].write(to: file) }
      if way == 0 {
        #expect(try NewzuluPlatformConfiguration(contentsOf: file) == NewzuluPlatformConfiguration())
        return
      }
      let error = #expect(throws: OstiaryError.self) { try NewzuluPlatformConfiguration(contentsOf: file) }
      let expected = way < 3 ? "is not in UTF-8" : way == 3 ? "is larger than 1 MiB" : "can't be read"
      #expect(error?.message.hasPrefix("names.json \(expected)") == true, "\(error?.message ?? "")")
      if way < 4 { #expect(throws: OstiaryError.self) { try NewzuluPlatformConfiguration(json: contents[way]) } }
    }
  }

  @Test("Bug-D02 Newzulu: neither a configuration nor a refusal shows the key or another value")
  func secrecy() throws {
    let good = try read(#"{"apiKey": "hush-hush", "server": "https://a.example/x"}"#)
    var text = "\(good)"
    dump(good, to: &text)
    let bad = try #require(
      refusal(#"{"apiKey": "hush hush", "arguments": {"password": "hush hush"}, "\u001b[31m": 1}"#))
    text += "\(bad) \(String(reflecting: bad))"
    dump(bad, to: &text)
    #expect(!text.contains("hush") && !text.contains("\u{1B}"))
    #expect(text.contains("a.example"))
  }
}
