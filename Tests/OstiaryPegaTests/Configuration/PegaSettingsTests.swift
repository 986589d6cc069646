import Foundation
import OstiaryCore
import OstiaryPega
import TestSupport
import Testing

@Suite("The settings of a Pega server")
struct PegaSettingsTests {
  func read(_ text: String) throws -> PegaSettings { try PegaSettings(json: Data(text.utf8), from: "pega.json") }

  func refusal(_ json: Data) -> OstiaryError? {
    #expect(throws: OstiaryError.self) { _ = try PegaSettings(json: json, from: "pega.json") }
  }

  func refusal(_ text: String) -> OstiaryError? { refusal(Data(text.utf8)) }

  /// The members of a value, in the spelling of a file, with a value that differs from the default.
  static func changed(_ value: Any) -> [String: Any] {
    var members: [String: Any] = [:]
    for case (let name?, let value) in Mirror(reflecting: value).children {
      switch (name, value) {
      case ("server", _): members[name] = "https://other.test/prweb"
      case ("signIn", _): members[name] = "query"
      case ("loginActivity", _): members[name] = "accessGroupDetails"
      case (_, let text as String):
        members[name] = name == "contextPath" ? "/other" : "X-" + text.filter { $0 != "/" } + "X"
      case (_, let number as Int): members[name] = number + 100
      case (_, is Duration): members[name] = 1.5
      case (_, let flag as Bool): members[name] = !flag
      case (_, is [String]): members[name] = ["x"]
      case (_, is Set<String>): members[name] = ["x"]
      default: members[name] = changed(value)
      }
    }
    return members
  }

  @Test("Bug-D02: every name, activity, key, number and way of signing in can be set by a file, and by a property list")
  func everything() throws {
    let defaults = PegaSettings()
    // The names are those of the properties; `names` are members of the file itself.
    var members = Self.changed(defaults)
    for (name, value) in Self.changed(defaults.names) { members[name] = value }
    members["names"] = nil
    #expect(members.count >= 30)
    let json = try JSONSerialization.data(withJSONObject: members)
    let settings = try PegaSettings(json: json)
    #expect(try PegaSettings(propertyList: members) == settings)
    // Nothing has kept its default.
    func same(_ one: Any, _ other: Any, _ path: String) {
      let (one, other) = (Mirror(reflecting: one), Mirror(reflecting: other))
      for (child, old) in zip(one.children, other.children) {
        let name = "\(path).\(child.label ?? "?")"
        if old.value is String || old.value is Int || old.value is Bool
          || Mirror(reflecting: old.value).displayStyle != .struct
        {
          #expect("\(child.value)" != "\(old.value)", "\(name) keeps its default")
        } else if old.value is Duration {
          #expect(child.value as? Duration == .milliseconds(1_500), "\(name)")
        } else {
          same(child.value, old.value, name)
        }
      }
    }
    same(settings, defaults, "settings")
    #expect(settings.signIn == .query)
    #expect(settings.names.keys.accessGroup == "X-accessGroupX")
    #expect(settings.errorNumbers.accountLocked == 107)
  }

  @Test("Bug-D02: what a file leaves out keeps the default that the caller has")
  func defaults() throws {
    var defaults = PegaSettings()
    defaults.names.isProduction = false
    defaults.names.realmMark = "mine"
    let settings = try PegaSettings(json: Data(#"{"signIn":"form"}"#.utf8), defaults: defaults)
    #expect(settings.signIn == .form)
    #expect(settings.names == defaults.names)
    #expect(try read("{}") == PegaSettings())
  }

  @Test(
    "Bug-D02: a mistake is told by the member's name, and its value is not shown",
    arguments: [
      (
        #"{"loginActivty":"s3cret"}"#, "“loginActivty” in pega.json is no setting (is “loginActivity” meant?)",
        "loginActivity"
      ),
      (#"{"keys":{"acessGroup":"s3cret"}}"#, "(is “keys.accessGroup” meant?)", "accessGroup"),
      (#"{"wholly":{"other":"s3cret"}}"#, "“wholly” in pega.json is no setting", "Settings here are: "),
      (#"{"realmMark":7}"#, "“realmMark” in pega.json must be a text, not a number", "quotation marks"),
      (
        #"{"containerVersion":8.10}"#, "“containerVersion” in pega.json must be a text, not a number", "quotation marks"
      ),
      (#"{"realmMark":null}"#, "not null", "Correct"),
      (#"{"realmMark":["s3cret"]}"#, "not a list", "Correct"),
      (#"{"realmMark":" "}"#, "must not be empty", "Correct"),
      (#"{"realmMark":"s3cret\u0000"}"#, "without control characters", "Correct"),
      (#"{"keys":"s3cret"}"#, "“keys” in pega.json must be an object, not a text", "Correct"),
      (#"{"isProduction":"yes"}"#, "must be true or false, not a text", "Correct"),
      (#"{"lockoutWait":-1}"#, "“lockoutWait” in pega.json must be a number of seconds", "Correct"),
      (#"{"lockoutWait":1e30}"#, "must be a number of seconds", "Correct"),
      (#"{"emptyFormFields":"s3cret"}"#, "must be a list", "Correct"),
      (#"{"emptyFormFields":[1]}"#, "must be a list of texts", "Correct"),
      (#"{"sessionCookieNames":[]}"#, "must name at least one cookie", "Correct"),
      (#"{"signIn":"s3cret"}"#, "must be one of “basic”, “query”, “form”", "Correct"),
      (#"{"errorNumbers":{"network":1.5}}"#, "“errorNumbers.network” in pega.json must be a whole number", "Correct"),
      (#"{"errorNumbers":{"network":1}}"#, "“errorNumbers” in pega.json must all be different", "Correct"),
      (#"{"server":"ftp://s3cret"}"#, "“server” in pega.json must be an http or https address", "Correct"),
      (#"{"server":"https://s3cret:s3cret@host"}"#, "“server” in pega.json", "Correct"),
      (#"{"containerVersionField":"Authorization"}"#, "a header field that has no other use", "Correct"),
      (#"{"containerVersionField":"a b"}"#, "a header field that has no other use", "Correct"),
      (#"{"contextPath":"prweb"}"#, "must be a path such as /prweb", "Correct"),
      (#"{"contextPath":"//s3cret.test"}"#, "must be a path such as /prweb", "Correct"),
      (#"{"contextPath":"/../x"}"#, "must be a path such as /prweb", "Correct"),
      (#"{"contextPath":"/@s3cret.test"}"#, "must be a path such as /prweb", "Correct"),
      (#"{"servletName":"//s3cret.test"}"#, "must be a name such as PRServlet", "Correct"),
      (#"{"servletName":"https://s3cret.test/x"}"#, "must be a name such as PRServlet", "Correct"),
      (#"["s3cret"]"#, "pega.json holds a list in place of an object", "{"),
      (#"{"a":"#, "pega.json is not JSON", "commas"),
      ("", "pega.json is not JSON", "commas"),
      (#"<plist>s3cret</plist>"#, "pega.json is not JSON", "commas"),
    ])
  func mistakes(_ text: String, _ message: String, _ advice: String) throws {
    let error = try #require(refusal(text))
    #expect(error.code == .invalidInput)
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.advice.contains(advice), "\(error.advice)")
    #expect(!"\(error)".contains("s3cret"))
  }

  @Test("Bug-D02: a byte-order mark is no obstacle in UTF-8, and the other encodings are named")
  func encodings() throws {
    let text = #"{"realmMark":"mine"}"#
    #expect(try PegaSettings(json: [0xEF, 0xBB, 0xBF] + Data(text.utf8)).names.realmMark == "mine")
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
      let error = try #require(refusal(text.data(using: encoding) ?? Data()))
      #expect(error.message.contains("is not in UTF-8"))
      #expect(error.advice == "Save it as UTF-8.")
    }
  }

  @Test("Bug-D02: 10 MB are refused by their size, and not read to their end")
  func size() async throws {
    let json = Data(#"{"realmMark":""#.utf8) + Data(repeating: 0x78, count: 10 << 20) + Data(#""}"#.utf8)
    #expect(refusal(json)?.message == "pega.json is larger than 1 MiB.")
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "big.json")
      try json.write(to: file)
      let error = #expect(throws: OstiaryError.self) { _ = try PegaSettings(contentsOf: file) }
      #expect(error?.message == "big.json is larger than 1 MiB.")
      let missing = #expect(throws: OstiaryError.self) {
        _ = try PegaSettings(contentsOf: folder.appending(path: "no.json"))
      }
      #expect(missing?.message == "no.json can't be read.")
    }
    #expect(refusal(#"{"realmMark":"\#(String(repeating: "x", count: 3_000))"}"#)?.message.contains("shorter") == true)
    #expect(refusal(String(repeating: "[", count: 100_000)) != nil)
  }

  @Test("Bug-D02: dates and data in a property list are refused, numbers are no texts there either")
  func propertyLists() {
    for list in [["realmMark": Data()], ["realmMark": Date()], ["realmMark": 7], ["other": true]] as [[String: Any]] {
      let error = #expect(throws: OstiaryError.self) { _ = try PegaSettings(propertyList: list) }
      #expect(error?.code == .invalidInput)
      #expect(error?.message.contains("Info.plist") == true)
    }
  }

  @Test("Bug-D02: the article lists every member of a file")
  func article() throws {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/OstiaryPega/Documentation.docc/SettingsOfAPegaServer.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    func check(_ members: [String: Any]) {
      for (name, value) in members {
        #expect(text.contains("`\(name)`"), "\(name)")
        if let members = value as? [String: Any] { check(members) }
      }
    }
    var members = Self.changed(PegaSettings())
    for (name, value) in Self.changed(PegaConfiguration()) { members[name] = value }
    members["names"] = nil
    check(members)
  }
}
