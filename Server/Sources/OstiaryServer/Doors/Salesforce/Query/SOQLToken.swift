import Foundation

/// A word of a query.
enum SOQLToken: Equatable, Sendable {
  case word(String)
  case text(String)
  case symbol(String)

  /// Cuts a query into its words.
  /// - Throws: `SalesforceDataFailure` `MALFORMED_QUERY`.
  static func scan(_ query: String) throws -> [SOQLToken] {
    guard query.utf8.count <= SOQLLimits.mostBytes else {
      throw SalesforceDataFailure.malformedQuery("the query is too long")
    }
    var tokens: [SOQLToken] = []
    var rest = Substring(query)
    while let character = rest.first {
      if character.isWhitespace {
        rest.removeFirst()
      } else if character == "'" {
        tokens.append(.text(try quoted(&rest)))
      } else if let symbol = symbols.first(where: { rest.hasPrefix($0) }) {
        rest.removeFirst(symbol.count)
        tokens.append(.symbol(symbol == "<>" ? "!=" : symbol))
      } else {
        let word = rest.prefix { isPartOfWord($0) }
        guard !word.isEmpty else {
          throw SalesforceDataFailure.malformedQuery("unexpected character “\(character)”")
        }
        rest.removeFirst(word.count)
        tokens.append(.word(String(word)))
      }
    }
    return tokens
  }

  private static let symbols = ["!=", "<>", "<=", ">=", "=", "<", ">", "(", ")", ","]

  /// Names, paths, numbers and times.
  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_.:+-".contains(character))
  }

  private static func quoted(_ rest: inout Substring) throws -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      switch character {
      case "'": return text
      case "\\":
        guard let escaped = rest.popFirst(), let meant = escapes[escaped] else {
          throw SalesforceDataFailure.malformedQuery("an unknown escape sequence in a string")
        }
        text += meant
      default: text.append(character)
      }
    }
    throw SalesforceDataFailure.malformedQuery("a string has no end")
  }

  /// `\_` and `\%` keep their backslash: LIKE interprets them.
  private static let escapes: [Character: String] = [
    "n": "\n", "N": "\n", "r": "\r", "R": "\r", "t": "\t", "T": "\t", "b": "\u{8}", "B": "\u{8}", "f": "\u{C}",
    "F": "\u{C}", "\"": "\"", "'": "'", "\\": "\\", "_": "\\_", "%": "\\%",
  ]

  /// Whether it is that keyword, ignoring case.
  func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = self { word.lowercased() == keyword } else { false }
  }
}
