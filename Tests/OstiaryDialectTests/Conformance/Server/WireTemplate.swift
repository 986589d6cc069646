/// A template of a document, read from the server's side: what stands in a request is taken apart again.
///
/// It shares no code with the module under test, so that both have to read the format alike.
struct WireTemplate: Sendable {
  enum Piece: Sendable, Equatable {
    case text(String)
    case value(name: String, isOptional: Bool)
  }

  let pieces: [Piece]

  init(_ text: String) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.first {
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        literal.append(character)
        rest = rest.dropFirst(2)
      } else if character == "{", let end = rest.firstIndex(of: "}") {
        var name = rest[rest.index(after: rest.startIndex)..<end]
        if let colon = name.firstIndex(of: ":") { name = name[..<colon] }
        let isOptional = name.hasSuffix("?")
        if isOptional { name = name.dropLast() }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(.value(name: String(name), isOptional: isOptional))
        rest = rest[rest.index(after: end)...]
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
  }

  /// The names of its values.
  var names: [String] {
    pieces.compactMap { piece in
      if case .value(let name, _) = piece { name } else { nil }
    }
  }

  /// Whether the member that it is the value of may be left out.
  var isOptional: Bool {
    pieces.contains { piece in
      if case .value(_, true) = piece { true } else { false }
    }
  }

  /// The values that a text was made with.
  /// - Returns: `nil` where the text is none of this template's.
  func values(in text: String) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = Substring(text)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let literal):
        guard rest.hasPrefix(literal) else { return nil }
        rest = rest.dropFirst(literal.count)
      case .value(let name, _):
        var value = rest
        if index + 1 < pieces.count, case .text(let next) = pieces[index + 1] {
          guard let range = rest.firstRange(of: next) else { return nil }
          value = rest[..<range.lowerBound]
        }
        values[name] = String(value)
        rest = rest[value.endIndex...]
      }
    }
    return rest.isEmpty ? values : nil
  }
}
