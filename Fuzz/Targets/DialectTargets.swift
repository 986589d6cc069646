import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect

extension FuzzTarget {
  /// A dialect's document.
  static let dialectDocument = FuzzTarget(name: "dialect-document") { bytes in
    let dialect: Dialect
    do throws(DialectError) {
      dialect = try Dialect(json: Data(bytes))
    } catch {
      try require(!error.problems.isEmpty, "a refusal has a problem")
      try require(error.problems.count <= 1000, "problems are bounded")
      try require(error.description.utf8.count < 256 * 1024, "a refusal is short")
      return
    }
    try require(dialect.check().isEmpty, "what is read has no problem")
    let text = dialect.json()
    // Numbers may be longer than they were.
    guard text.count <= Dialect.maximumSize else { return }
    guard let again = try? Dialect(json: text) else { throw PropertyBroken("what is written can be read") }
    try require(again == dialect && again.json() == text, "a dialect comes back from its document")
    _ = dialect.notes()
    // Each call is filled with values that a user could have, and goes where its path says.
    var values = DialectValues(["username": "ann", "password": "p", "code": "1", "token": "t"])
    for setting in dialect.settings { values[setting.name] = "s" }
    let calls = dialect.prepare + dialect.signIn + dialect.continuations.map(\.call)
    for call in calls + [dialect.renew, dialect.verify, dialect.who, dialect.end].compactMap({ $0 }) {
      guard let filled = try? values.fill(call) else { continue }
      try require(filled.target.hasPrefix("/") && !filled.target.hasPrefix("//"), "a target is a path of its origin")
      try require(filled.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target can be sent")
    }
  }

  /// A template and the value that fills it, with a zero between them.
  static let dialectTemplate = FuzzTarget(name: "dialect-template") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let template = DialectTemplate(String(decoding: parts[0], as: UTF8.self))
    let value = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
    let names = Set(template.names)
    if template.fault == nil {
      try require(DialectTemplate(pieces: template.pieces) == template, "a template comes back from its pieces")
    }
    let values = DialectValues(Dictionary(uniqueKeysWithValues: names.map { ($0, Secret(value)) }))
    let fields = [DialectField("f", template), DialectField("g", "end")]

    if let target = try? values.fill(DialectCall(.get, template, query: fields)).target {
      let halves = target.split(separator: "?", omittingEmptySubsequences: false)
      try require(halves.count == 2 && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "one query")
      try require(FormEncoding.parse(String(halves[1])).map(\.name) == ["f", "g"], "two items")
      for segment in halves[0].split(separator: "/") {
        let names = (PercentEncoding.decode(String(segment)) ?? ".").split { "/\\".contains($0) }
        try require(names.allSatisfy { $0.prefix { $0 != ";" } != ".." }, "a path stays below its origin")
      }
    }
    if let form = try? values.form(fields) {
      let names = FormEncoding.parse(String(decoding: form, as: UTF8.self)).map(\.name)
      try require(names == ["f", "g"], "two fields")
    }
    if let json = try? values.json(.object([.init("f", .text(template)), .init("g", "end")])) {
      let members = try StrictJSON.object([UInt8](json))
      try require(Set(members.keys) == ["f", "g"] && members["g"] == "end", "two members")
    }
    if let header = try? values.headers(fields) {
      try require(header.count == 2, "two fields of a request")
      try require(header.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }, "a field is one line")
    }
    if let cookie = try? values.fill(template, in: .cookie)?.reveal() {
      try require(!cookie.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ";") }, "a cookie is one value")
    }
  }
}
