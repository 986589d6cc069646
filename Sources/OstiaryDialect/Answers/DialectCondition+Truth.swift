internal import Foundation
package import HTTPTypes
package import OstiaryCore

/// As much of an answer's body as conditions look at.
package struct DialectBodyView: Sendable {
  /// The body as JSON; `nil` for a body that is none.
  package let json: JSONValue?
  /// The body.
  private let data: Data

  /// The most bytes of a body that a text is looked for in.
  package static let textSize = 16 * 1024

  init(_ body: Data, json: JSONValue?) {
    self.json = json
    data = body
  }

  /// The beginning of the body, with ASCII letters in lower case. Most conditions do without.
  var beginning: [UInt8] {
    var bytes = Array(data.prefix(Self.textSize))
    for index in bytes.indices { bytes[index] = ASCII.lowercased(bytes[index]) }
    return bytes
  }
}

extension DialectCondition {
  /// Whether a condition holds of an answer of which only the head may be known.
  enum Truth: Sendable, Hashable {
    case holds, fails
    /// The body decides.
    case unknown
  }

  /// Whether the condition holds of an answer.
  package func holds(of head: HTTPResponse, _ body: DialectBodyView) -> Bool { truth(of: head, body) == .holds }

  /// Whether the condition holds.
  /// - Parameter body: what is known of the body; `nil` before it has been looked at.
  func truth(of head: HTTPResponse, _ body: DialectBodyView?) -> Truth {
    switch self {
    case .all(let conditions): return Self.joined(conditions, head, body, decisive: .fails, otherwise: .holds)
    case .any(let conditions): return Self.joined(conditions, head, body, decisive: .holds, otherwise: .fails)
    case .not(let condition):
      switch condition.truth(of: head, body) {
      case .holds: return .fails
      case .fails: return .holds
      case .unknown: return .unknown
      }
    case .status(let range): return range.contains(head.status.code) ? .holds : .fails
    case .header(let name, let test): return test.holds(of: head, field: name) ? .holds : .fails
    case .pointer(let pointer, let test):
      guard let body else { return .unknown }
      return test.holds(of: body.json?.value(at: pointer)) ? .holds : .fails
    case .bodyContains(let text):
      guard let body else { return .unknown }
      return body.beginning.containsText(text) ? .holds : .fails
    }
  }

  private static func joined(
    _ conditions: [DialectCondition], _ head: HTTPResponse, _ body: DialectBodyView?, decisive: Truth, otherwise: Truth
  ) -> Truth {
    var result = otherwise
    for condition in conditions {
      let truth = condition.truth(of: head, body)
      if truth == decisive { return decisive }
      if truth == .unknown { result = .unknown }
    }
    return result
  }
}

extension DialectCondition.TextTest {
  func holds(of head: HTTPResponse, field name: String) -> Bool {
    let values = HTTPField.Name(name).map { head.headerFields[values: $0] } ?? []
    switch self {
    case .exists(let isThere): return isThere != values.isEmpty
    case .equals(let text):
      return values.contains { ASCII.lowercased(ASCII.trimmed(Array($0.utf8))) == ASCII.lowercased(text.utf8) }
    case .contains(let text): return values.contains { $0.utf8.map(ASCII.lowercased).containsText(text) }
    }
  }
}

extension DialectCondition.ValueTest {
  func holds(of value: JSONValue?) -> Bool {
    switch self {
    case .exists(let isThere): return isThere == (value != nil && value != .null)
    case .equals(let wanted): return value?.isSameScalar(as: wanted) == true
    case .isOneOf(let wanted): return wanted.contains { value?.isSameScalar(as: $0) == true }
    case .contains(let text):
      guard let string = value?.string else { return false }
      return string.utf8.prefix(DialectBodyView.textSize).map(ASCII.lowercased).containsText(text)
    }
  }
}

extension [UInt8] {
  /// Whether these bytes, in lower case, have a text in them in any case of ASCII letters. An empty text is in none.
  fileprivate func containsText(_ text: String) -> Bool {
    let wanted = text.utf8.map(ASCII.lowercased)
    guard let first = wanted.first, wanted.count <= count else { return false }
    for start in 0...(count - wanted.count) where self[start] == first {
      if self[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
    }
    return false
  }
}
