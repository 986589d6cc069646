internal import OstiaryDialect

/// The result of checking a dialect's document.
struct DialectReport: Sendable, Encodable {
  struct Problem: Sendable, Encodable {
    let place: String
    let message: String
    let advice: String
  }

  struct Note: Sendable, Encodable {
    let place: String
    let message: String
  }

  /// The document's name on the command line.
  let file: String
  let isValid: Bool
  /// The dialect's name; nil if it can't be used.
  let name: String?
  let sha256: String
  let problems: [Problem]
  let notes: [Note]

  init(_ document: DialectDocument) {
    file = document.name
    sha256 = document.digest
    do {
      let dialect = try Dialect(json: document.json)
      isValid = true
      name = dialect.name
      problems = []
      notes = dialect.notes().map { Note(place: $0.place, message: $0.message) }
    } catch {
      isValid = false
      name = nil
      problems = error.problems.map { Problem(place: $0.place, message: $0.message, advice: $0.advice) }
      notes = []
    }
  }

  /// The report for people: one line for each problem, which begins with the place, as in compilers' messages.
  var lines: [Line] {
    var lines = problems.map { problem -> Line in
      "\(file): \(Self.shown(problem.place), .bold): \("error:", .failure) \(problem.message) \(problem.advice)"
    }
    lines += notes.map { "\(file): \(Self.shown($0.place), .bold): \("note:", .yellow) \($0.message)" }
    let conclusion: DialectMessage =
      if let name {
        .usable(file: file, name: name)
      } else {
        .unusableFile(file: file, problems: problems.count)
      }
    return lines + [conclusion.line]
  }

  private static func shown(_ place: String) -> String { place.isEmpty ? "/" : place }
}
