internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// A form with files, as `--form` writes it (RFC 7578).
struct MultipartForm: Sendable {
  /// A field as it is written: `name=value`, `name=@FILE`, `name=@FILE;type=image/png;filename=photo.png`. Only `@` makes a file of a
  /// value, and only there a semicolon has a meaning.
  struct Field: Sendable, Equatable {
    var name: String
    /// The text; `nil` for a file.
    var value: String?
    /// The path of the file; `-` is standard input.
    var path: String?
    var type: String?
    var filename: String?

    var readsStandardInput: Bool { path == "-" }

    init(_ text: String) throws {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw OstiaryError.usage(RequestMessage.notAField(text))
      }
      name = String(text[..<equals])
      let rest = text[text.index(after: equals)...]
      guard rest.first == "@" else {
        value = String(rest)
        return
      }
      let (path, attributes) = Self.path(rest.dropFirst())
      guard !path.isEmpty else { throw OstiaryError.usage(RequestMessage.notAField(text)) }
      self.path = path
      for attribute in attributes.split(separator: ";") {
        let parts = attribute.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        switch (parts.first?.lowercased(), parts.count) {
        case ("type", 2):
          guard Self.isType(parts[1]) else { throw OstiaryError.usage(RequestMessage.notAType(parts[1])) }
          type = parts[1]
        case ("filename", 2): filename = parts[1]
        default: throw OstiaryError.usage(RequestMessage.unknownAttribute(String(attribute)))
        }
      }
    }

    /// The path, and what follows it. In quotation marks a path can have semicolons; a backslash stands before such a mark.
    private static func path(_ text: Substring) -> (String, Substring) {
      guard text.first == "\"" else {
        let path = text.prefix { $0 != ";" }
        return (String(path), text[path.endIndex...])
      }
      var (path, rest) = ("", text.dropFirst())
      while let character = rest.popFirst(), character != "\"" {
        path.append(character == "\\" ? rest.popFirst() ?? character : character)
      }
      return (path, rest)
    }

    private static func isType(_ text: String) -> Bool {
      text.prefixMatch(of: #/[!#$&^_.+\-A-Za-z0-9]+\/[!#$&^_.+\-A-Za-z0-9]+/#) != nil && HTTPField.isValidValue(text)
    }
  }

  /// What stands between the fields: no content has it but by a chance of one in 2^128.
  let boundary: String
  private let fields: [Field]

  init(_ arguments: [String]) throws {
    fields = try arguments.map { try Field($0) }
    boundary =
      "ostiary-" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
  }

  /// How often standard input is asked for.
  var standardInputs: Int { fields.count { $0.readsStandardInput } }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }  // data: a media type

  /// The body.
  /// - Parameter limit: the most bytes that are kept in memory.
  func body(_ environment: CommandEnvironment, upTo limit: Int) throws -> OutgoingBody {
    var parts: [BodyPart] = []
    for field in fields {
      // data: a part's header
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(field.name))\""
      if let path = field.path {
        let name = field.filename ?? (field.readsStandardInput ? nil : environment.url(path: path).lastPathComponent)
        // Without one it would be a text for the server.
        head +=
          "; filename=\"\(Self.escaped(name ?? "-"))\"\r\nContent-Type: \(field.type ?? "application/octet-stream")"
      }
      parts.append(.bytes(Data("\(head)\r\n\r\n".utf8)))
      parts.append(
        try field.path.map { try .named($0, environment, upTo: limit) } ?? .bytes(Data((field.value ?? "").utf8)))
      parts.append(.bytes(Data("\r\n".utf8)))
    }
    return OutgoingBody(parts + [.bytes(Data("--\(boundary)--\r\n".utf8))], upTo: limit)
  }

  /// A name between quotation marks, as browsers write it (HTML Standard, multipart/form-data encoding algorithm).
  private static func escaped(_ name: String) -> String {
    name.replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
  }
}
