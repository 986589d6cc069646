/// What is wrong with a dialect, at one place.
public struct DialectProblem: Sendable, Hashable, CustomStringConvertible {
  /// The place in the document, as a JSON Pointer (RFC 6901); empty for the whole.
  public let place: String
  /// What is wrong: a sentence. It has no value of the document in it.
  public let message: String
  /// What to do next: a sentence.
  public let advice: String

  /// Makes a problem.
  public init(at place: String, _ message: String, advice: String) {
    self.place = place
    self.message = message
    self.advice = advice
  }

  /// One line, which a terminal can show.
  public var description: String { Self.shown(place, "\(message) \(advice)") }

  /// A place has names of the author's in it.
  static func shown(_ place: String, _ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in "\(place.isEmpty ? "/" : place): \(text)".unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(line)
  }
}

/// What the author of a dialect and the app should know, though nothing is wrong.
public struct DialectNote: Sendable, Hashable, CustomStringConvertible {
  /// The place in the document, as a JSON Pointer (RFC 6901); empty for the whole.
  public let place: String
  /// What to know: a sentence.
  public let message: String

  /// Makes a note.
  public init(at place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  public var description: String { DialectProblem.shown(place, message) }
}

/// Why a dialect is refused: everything that is wrong with it.
public struct DialectError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in the order of the document.
  public let problems: [DialectProblem]

  /// Makes an error.
  public init(_ problems: [DialectProblem]) {
    self.problems = problems
  }

  public var description: String {
    let shown = problems.prefix(20).map(\.description).joined(separator: "\n")
    return problems.count > 20 ? "\(shown)\n(\(problems.count - 20) more)" : shown
  }
}
