import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("The table of a configuration file", .timeLimit(.minutes(20)))
struct ConfigurationTableTests {
  private static let table = ConfigurationTable(settings: [
    FileSetting("on", "on", .flag()), FileSetting("sign", "allow", .flag(off: "no")),
    FileSetting("text", "text", .text), FileSetting("a.texts", "a-texts", .texts),
    FileSetting("a.file", "a-file", .file),
    FileSetting("a.b.files", "a-files", .files), FileSetting("starter", "starter", .fileOrWord("starter")),
    FileSetting("number", "number", .number(1...10)), FileSetting("word", "word", .word(["x", "y"])),
    FileSetting("secret", "secret", .secretFile), FileSetting("secrets", "secrets", .secretsFile),
  ])

  private static func read(_ text: String) throws -> ConfigurationTable.Reading {
    table.read(try #require(JSONValue(json: Data(text.utf8))))
  }

  /// Good values, and bad ones, of each setting.
  private static let values: [(path: [String], good: [JSONValue], bad: [JSONValue])] = [
    (["on"], [true, false], [1, "true", .null, .array([])]), (["sign"], [true, false], ["yes"]),
    (["text"], ["x"], ["", 1, true, .null, .array(["x"])]),
    (["a", "texts"], [.array([]), .array(["x", "y"])], ["x", .array([""]), .array([1]), .object([:])]),
    (["a", "file"], ["x"], ["", 1]), (["a", "b", "files"], [.array(["x"])], ["x", .array([.null])]),
    (["starter"], ["starter", "x.json"], ["", false]), (["number"], [1, 10], [0, 11, "1", .number(1.5)]),
    (["word"], ["x", "y"], ["z", "", 1]), (["secret"], ["x"], ["", .object([:])]),
    (["secrets"], ["x"], [.array(["x"])]),
  ]

  private static func nested(_ path: [String], _ value: JSONValue) -> JSONValue {
    path.reversed().reduce(value) { .object([$1: $0]) }
  }

  @Test(
    "configuration: a value of its type is taken, and any other is a problem with the path; the schema says the same")
  func types() throws {
    let schema = Self.table.schema(title: "test", descriptions: [:])
    for (path, good, bad) in Self.values {
      let name = path.joined(separator: ".")
      for value in good {
        let reading = Self.table.read(Self.nested(path, value))
        #expect(reading.problems.isEmpty && reading.accepted.map(\.setting.name) == [name], "\(name) \(value)")
        #expect(SmallSchema(schema).accepts(Self.nested(path, value)), "\(name) \(value)")
      }
      for value in bad {
        let reading = Self.table.read(Self.nested(path, value))
        #expect(reading.accepted.isEmpty && reading.problems.compactMap(\.setting) == [name], "\(name) \(value)")
        #expect(!SmallSchema(schema).accepts(Self.nested(path, value)), "\(name) \(value)")
      }
    }
    #expect(Set(Self.values.map { $0.path.joined(separator: ".") }) == Set(Self.table.settings.map(\.name)))
  }

  @Test(
    "configuration: names that there are not are problems, each with those that there are",
    arguments: [
      (#"{"ona": true}"#, "ona", "starter"), (#"{"a": {"text": []}}"#, "a.text", "texts"),
      (#"{"a": {"b": {"c": 1}}}"#, "a.b.c", "files"), (#"{"a.file": "x"}"#, "a.file", "number"),
      (#"{"a": {"$schema": "x"}}"#, "a.$schema", "file"),
    ])
  func unknown(text: String, name: String, known: String) throws {
    let problems = try Self.read(text).problems
    #expect(problems.compactMap(\.setting) == [name])
    #expect(problems.first?.advice.contains(known) == true)
    #expect(
      !SmallSchema(Self.table.schema(title: "", descriptions: [:])).accepts(
        try #require(JSONValue(json: Data(text.utf8)))))
  }

  @Test("configuration: all problems are found at once, and what is right is taken")
  func all() throws {
    let reading = try Self.read(
      #"{"$schema": "x", "on": 1, "other": 2, "text": "x", "a": {"texts": "x", "nothing": 1, "b": []}, "number": 11}"#)
    #expect(
      Set(reading.problems.compactMap(\.setting)) == ["on", "other", "a.texts", "a.nothing", "a.b", "number"])
    #expect(reading.accepted.map(\.setting.name) == ["text"])
    #expect(
      try Self.read("[]").problems.map(\.whole.plain) == ["The file must be an object with settings, not a list."])
  }

  @Test("configuration: no problem tells a value, which may be a secret in a wrong place")
  func values() throws {
    let text = #"{"on": "CANARY", "number": "CANARY", "word": "CANARY", "a": "CANARY", "secrets": ["CANARY"]}"#
    for problem in try Self.read(text).problems { #expect(!problem.whole.plain.contains("CANARY")) }
  }

  @Test("configuration: options in a text get the names of their settings")
  func renamed() {
    #expect(
      Self.table.renamed("--a-texts goes with --no, not with --else.") == "“a.texts” goes with “sign”, not with --else."
    )
  }
}

/// As much of JSON Schema as the schemas of configuration files have.
struct SmallSchema {
  private let schema: JSONValue

  init(_ schema: JSONValue) { self.schema = schema }

  func accepts(_ value: JSONValue) -> Bool {
    if let words = schema["enum"]?.array { return words.contains(value) }
    switch (schema["type"]?.string, value) {
    case ("boolean", .bool): return true
    case ("string", .string(let text)): return text.count >= Int(schema["minLength"]?.double ?? 0)
    case ("integer", .integer(let number)):
      let (least, most) = (schema["minimum"]?.double ?? -.infinity, schema["maximum"]?.double ?? .infinity)
      return (least...most).contains(Double(number))
    case ("array", .array(let values)):
      return schema["items"].map { items in values.allSatisfy { SmallSchema(items).accepts($0) } } ?? false
    case ("object", .object(let members)):
      return members.allSatisfy { name, member in
        schema["properties"]?[name].map { SmallSchema($0).accepts(member) } ?? (schema["additionalProperties"] != false)
      }
    default: return false
    }
  }
}
