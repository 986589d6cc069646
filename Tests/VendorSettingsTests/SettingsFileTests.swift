import Foundation
import OstiaryCore
import TestSupport
import Testing

@Suite("Settings of every vendor are read in one way")
struct SettingsFileTests {
  @Test("Bug-D02 settings: a byte-order mark is no obstacle, in bytes and in a file", arguments: Vendor.all)
  func byteOrderMark(_ vendor: Vendor) throws {
    let text = Data([0xEF, 0xBB, 0xBF]) + Data(#"{"\#(vendor.text)":"mine"}"#.utf8)
    #expect(try vendor.read(json: text) == "mine")
    let folder = try TemporaryFolder()
    try text.write(to: folder.file("acme.json"))
    #expect(try vendor.read(contentsOf: folder.file("acme.json")) == "mine")
    #expect(try vendor.refusal(Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0])).message.contains("looks like UTF-16"))
  }

  @Test("Bug-D02 settings: 10 MB are refused by their size; a folder and no file are told", arguments: Vendor.all)
  func size(_ vendor: Vendor) throws {
    let text = Data(#"{"\#(vendor.text)":""#.utf8) + Data(repeating: 0x78, count: 10 << 20) + Data(#""}"#.utf8)
    #expect(try vendor.refusal(text).message == "acme.json is larger than 1 MiB.")
    #expect(throws: OstiaryError.self) { try vendor.read(json: text) }
    let folder = try TemporaryFolder()
    try text.write(to: folder.file("big.json"))
    #expect(try vendor.refusal(file: folder.file("big.json")).message == "big.json is larger than 1 MiB.")
    #expect(try vendor.refusal(file: folder.file("none.json")).message == "none.json can't be read.")
    #expect(try vendor.refusal(file: folder.url).message.hasSuffix("can't be read."))
  }

  @Test(
    "Bug-D02 settings: a wrong type is named with what is expected, in JSON and in an Info.plist", arguments: Vendor.all
  )
  func types(_ vendor: Vendor) throws {
    for (value, kind) in [
      ("7", "a number"), ("true", "true or false"), ("[\"s3cret\"]", "a list"), ("{}", "an object"),
    ] {
      let message = try vendor.refusal(#"{"\#(vendor.text)":\#(value)}"#).message
      #expect(message.hasPrefix("“\(vendor.text)” in acme.json must be a "), "\(message)")
      #expect(message.hasSuffix(", not \(kind)."), "\(message)")
    }
    for (value, text) in [
      (7 as Any, ", not a number."), (true, ", not true or false."), (["s3cret"], ", not a list."),
      (Date(), " is neither text, number, boolean, list nor dictionary."),
      (Data("s3cret".utf8), " is neither text, number, boolean, list nor dictionary."),
    ] {
      let message = try vendor.refusal(propertyList: [vendor.text: value]).message
      #expect(message.hasPrefix("“\(vendor.text)” in Info.plist ") && message.hasSuffix(text), "\(message)")
    }
    let inside = #"{"\#(vendor.group.name)":{"\#(vendor.group.text)":7}}"#
    #expect(
      try vendor.refusal(inside).message.hasPrefix(
        "“\(vendor.group.name).\(vendor.group.text)” in acme.json must be a "))
    #expect(try vendor.refusal(#"{"\#(vendor.group.name)":"s3cret"}"#).message.contains("must be an object"))
  }

  @Test(
    "Bug-D02 settings: an unknown name is refused with the nearest known one and the list of them",
    arguments: Vendor.all)
  func unknown(_ vendor: Vendor) throws {
    let slip = vendor.text.lowercased()
    let error = try vendor.refusal(#"{"\#(slip)":"s3cret"}"#)
    #expect(error.message == "“\(slip)” in acme.json is no setting (is “\(vendor.text)” meant?).")
    #expect(error.advice.hasPrefix("Settings here are: ") && error.advice.contains(vendor.text))
    #expect(try vendor.refusal(#"{"zzzzzzzz":1}"#).message == "“zzzzzzzz” in acme.json is no setting.")
    #expect(
      try vendor.refusal(#"{"zzz1":1,"zzz2":1}"#).message
        == "“zzz1” in acme.json is no setting; “zzz2” is no setting.")
    let strange = try vendor.refusal("{\"\\u001b[31m\\u202e\(String(repeating: "x", count: 5_000))\":1}")
    #expect(!strange.message.contains("\u{1B}") && !strange.message.contains("\u{202E}"))
    #expect(strange.message.utf8.count < 200)
    let many = (0..<5_000).map { "\"zzz\($0)\":1" }.joined(separator: ",")
    #expect(try vendor.refusal("{\(many)}").message.hasSuffix("; and 12 more."))
  }

  @Test(
    "Bug-D02 settings: what is no object is told as what it is; malformed text with its line", arguments: Vendor.all)
  func shape(_ vendor: Vendor) throws {
    for (text, kind) in [
      ("[1]", "a list"), ("\"s3cret\"", "a text"), ("7", "a number"), ("null", "null"), ("true", "true or false"),
    ] {
      #expect(try vendor.refusal(text).message == "acme.json holds \(kind) in place of an object.")
    }
    for text in ["", "{", "{}{}", "{'a':1}", "<plist>s3cret</plist>"] {
      #expect(try vendor.refusal(text).message == "acme.json is not JSON in line 1.")
    }
    #expect(try vendor.refusal("{\n\"\(vendor.text)\": \"s3cret\"\n\"b\": 1\n}").message.contains("in line 3"))
  }

  @Test("Bug-D02 settings: deep nesting is refused as such, in bounded time and memory", arguments: Vendor.all)
  func nesting(_ vendor: Vendor) throws {
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
      #"{"a":"# + String(repeating: "[", count: 16) + "1" + String(repeating: "]", count: 16) + "}",
    ] {
      #expect(try vendor.refusal(text).message == "acme.json is nested more than 16 deep in line 1.")
    }
    var list: Any = "s3cret"
    for _ in 0..<1_000 { list = [list] }
    #expect(try vendor.refusal(propertyList: [vendor.text: list]).message.contains("is nested too deep"))
  }

  @Test("Bug-D02 settings: a name that is there twice is refused, however it is written", arguments: Vendor.all)
  func duplicates(_ vendor: Vendor) throws {
    let first = try #require(vendor.text.unicodeScalars.first)
    let escaped = "\\u00" + String(first.value, radix: 16) + vendor.text.dropFirst()
    for second in [vendor.text, escaped] {
      let error = try vendor.refusal(#"{"\#(vendor.text)":"s3cret", "\#(second)":"b"}"#)
      #expect(error.message == "“\(vendor.text)” in acme.json is there twice.")
    }
    let (group, text) = vendor.group
    let inside = #"{"\#(group)":{"\#(text)":"a","\#(text)":"a"}}"#
    #expect(try vendor.refusal(inside).message == "“\(group).\(text)” in acme.json is there twice.")
  }

  @Test("Bug-D02 settings: bytes that are not UTF-8 are told with their line", arguments: Vendor.all)
  func invalidUTF8(_ vendor: Vendor) throws {
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]] {
      let error = try vendor.refusal(Data("{\n\n\"\(vendor.text)\":\"".utf8) + Data(bytes) + Data("\"}".utf8))
      #expect(error.message == "acme.json is not in UTF-8 in line 3." && error.advice == "Save it as UTF-8.")
    }
  }

  @Test(
    "Bug-D02 settings: addresses are judged in one way: no user, no password, no other scheme", arguments: Vendor.all)
  func addresses(_ vendor: Vendor) throws {
    let (name, good) = vendor.address
    func text(_ address: String) -> String { #"{"\#(name)":"\#(address)"}"# }
    _ = try vendor.read(text(good))
    for address in [
      "https://s3cret@home.test/", "https://s3cret:s3cret@home.test/", "https://@home.test/",
      "https://home.test\\\\@evil.test/", "https://ho me.test/", "//evil.test/",
    ] {
      let message = try vendor.refusal(text(address)).message
      #expect(message.hasPrefix("“\(name)” in acme.json must be "), "\(address): \(message)")
      #expect(message.contains("without a user name"), "\(message)")
    }
    // An app's own scheme opens the app, and is no server.
    if name != "callback" { _ = try vendor.refusal(text("ftp://home.test/")) }
  }

  @Test("Bug-D02 settings: an Info.plist has the settings, or the name of a file in the bundle", arguments: Vendor.all)
  func information(_ vendor: Vendor) throws {
    #expect(try vendor.read(information: [vendor.text: "mine"]) { _ in nil } == "mine")
    let folder = try TemporaryFolder()
    let file = folder.file("acme.json")
    try Data(#"{"\#(vendor.text)":"file"}"#.utf8).write(to: file)
    #expect(try vendor.read(information: "acme.json") { $0 == "acme.json" ? file : nil } == "file")
    for (value, message) in [
      ("other.json" as Any, "The app's bundle has no file other.json, which Key of Info.plist names."),
      (7, "Key of Info.plist is neither a dictionary nor the name of a file."),
      ([vendor.text.lowercased(): "x"], "“\(vendor.text.lowercased())” in Key of Info.plist is no setting"),
    ] {
      let error = try vendor.refusal(information: value)
      #expect(error.message.hasPrefix(message), "\(error.message)")
    }
  }
}
