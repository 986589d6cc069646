import Foundation
import OstiaryCore

/// The answers that a vendor's documentation publishes, as the tests keep them.
struct VendorAnswers: Sendable {
  private let examples: [JSONValue]
  /// What the app has to set, as in the documentation.
  let settings: [String: String]

  init(named name: String) {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../PublishedExamples/\(name).json").standardizedFileURL
    let json = (try? Data(contentsOf: file)).flatMap { JSONValue(json: $0) }
    examples = json?["examples"]?.array ?? []
    settings = (json?["settings"]?.object ?? [:]).compactMapValues(\.string)
  }

  /// Whether any is published.
  var isEmpty: Bool { examples.isEmpty }

  /// The published answer to a call that means something.
  func answer(to call: String, index: Int = 0, means meaning: String) -> WireAnswer? {
    let found = examples.first {
      $0["call"]?.string == call && Int($0["index"]?.double ?? 0) == index && $0["means"]?.string == meaning
    }
    guard let found else { return nil }
    var answer = WireAnswer()
    answer.status = found["status"]?.double.map { Int($0) } ?? 200
    for (name, value) in (found["headers"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      // The server says these itself.
      if ["content-length", "date", "set-cookie", "transfer-encoding"].contains(name.lowercased()) { continue }
      if let text = value.wireText { answer.set(name, text) }
    }
    switch found["body"] {
    case .string(let text)?:
      answer.body = JSONValue(json: Data(text.utf8))
      if answer.body?.object == nil, answer.body?.array == nil { (answer.body, answer.text) = (nil, text) }
    case .object(let members)?: answer.body = .object(members)
    case .array(let elements)?: answer.body = .array(elements)
    default: break
    }
    return answer
  }
}
