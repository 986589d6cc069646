internal import Foundation

/// Looks once over JSON text, to refuse what would take too much before anything is made of it.
///
/// It keeps a few numbers for a text of any length. It does not check the grammar: the parser does that afterwards.
struct DocumentScan {
  private let limits: ExperienceLimits
  private var depth = 0
  private var values = 0
  private var length = 0
  private var state = State.between

  private enum State {
    case between
    case string
    case escape
    case word
  }

  init(_ limits: ExperienceLimits) {
    self.limits = limits
  }

  /// The first limit that the text is beyond, or `nil`.
  static func problem(in json: Data, limits: ExperienceLimits) -> ExperienceProblem? {
    guard json.count <= limits.bytes else {
      return problem("The document has \(json.count) bytes; \(limits.bytes) are allowed.")
    }
    var scan = DocumentScan(limits)
    // By regions, so that data in pieces is not copied together.
    for region in json.regions {
      let found = region.withUnsafeBytes { bytes -> ExperienceProblem? in
        for byte in bytes { if let problem = scan.read(byte) { return problem } }
        return nil
      }
      if let found { return found }
    }
    return nil
  }

  private static func problem(_ message: String) -> ExperienceProblem {
    ExperienceProblem(path: "$", code: .tooLarge, message: message)
  }

  private mutating func read(_ byte: UInt8) -> ExperienceProblem? {
    switch state {
    case .string:
      length += 1
      guard length <= limits.stringBytes else { return tooLong }
      if byte == UInt8(ascii: "\\") {
        state = .escape
      } else if byte == UInt8(ascii: "\"") {
        state = .between
      }
      return nil
    case .escape:
      length += 1
      state = .string
      return nil
    case .word, .between:
      return readStructure(byte)
    }
  }

  private mutating func readStructure(_ byte: UInt8) -> ExperienceProblem? {
    switch byte {
    case UInt8(ascii: "\""):
      state = .string
      length = 0
      return countValue()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      state = .between
      depth += 1
      guard depth <= limits.depth else {
        return Self.problem("Arrays and objects are nested more than \(limits.depth) deep.")
      }
      return countValue()
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      state = .between
      depth = max(0, depth - 1)
    case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
      state = .between
    default:
      guard state == .word else {
        state = .word
        length = 1
        return countValue()
      }
      length += 1
      guard length <= limits.stringBytes else { return tooLong }
    }
    return nil
  }

  private var tooLong: ExperienceProblem {
    Self.problem("A string or number takes more than \(limits.stringBytes) bytes.")
  }

  private mutating func countValue() -> ExperienceProblem? {
    values += 1
    guard values <= limits.values else {
      return Self.problem("There are more than \(limits.values) values and names.")
    }
    return nil
  }
}
