import Foundation
import OstiaryCore
import Testing

/// What the pages of one API publish of its answers: a file of `PublishedExamples`, named as the dialect. The members, types
/// and marks are the published ones; the values are this repository's.
struct PublishedExamples: Decodable, Sendable {
  let dialect: String
  let settings: [String: String]
  let examples: [PublishedExample]

  static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "PublishedExamples", directoryHint: .isDirectory)
  }

  /// The names of the files.
  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(".json".count)) }.sorted()
  }

  static func of(_ name: String) throws -> PublishedExamples {
    try JSONDecoder().decode(PublishedExamples.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  /// The examples of a call, such as `signIn`, `continue:totp`, `before:email` or `request`.
  func of(_ call: String, index: Int = 0) -> [PublishedExample] {
    examples.filter { $0.call == call && $0.index == index }
  }
}

/// One published answer.
struct PublishedExample: Decodable, Sendable, CustomTestStringConvertible {
  let call: String
  let name: String
  /// The page, or the file of the product, that shows it.
  let source: String
  /// Which of several calls of a list.
  let index: Int
  let status: Int
  let headers: [String: String]
  /// The body: JSON, or a text that is the body itself.
  let body: JSONValue
  /// `success`, or the meaning's name in a document; `accepted` and `doubtful` of a request.
  let means: String
  let expects: Expected?

  /// What has to be read of it.
  struct Expected: Decodable, Sendable {
    let token: String?
    let renewalToken: String?
    /// Seconds from the answer on.
    let expiresIn: Int?
    /// A date as RFC 3339 has it.
    let expiresAt: String?
    let userID: String?
    let userName: String?
    let handle: String?
    let kind: String?
    /// Seconds to wait.
    let after: Int?
  }

  var testDescription: String { "\(call) \(index): \(name)" }
}
