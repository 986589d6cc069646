import Foundation
import OstiaryCore
import OstiaryExperiences

/// A script: how an experience goes, for every way to draw it. What a person enters and what the app answers, in order.
struct Conversation: Sendable, Decodable {
  struct Step: Sendable, Decodable {
    /// The action that is chosen in the end.
    let action: String
    /// What is entered before.
    let entries: [String: String]
    /// The same on a terminal, which asks field by field, and for no more than it needs.
    let lines: [String]
  }

  /// What the app says to a question.
  struct Answer: Sendable, Decodable {
    var fields: [String: String?]?
    var message: String?
    var decision: Bool?
    var user: String?
    /// Whether the experience is hidden and shown again before the answer.
    var pauses: Bool?
    /// Whether the experience is closed in place of an answer.
    var closes: Bool?

    var result: ValidationResult {
      var result = ValidationResult()
      for (key, message) in fields ?? [:] { result.invalidate(field: key, message: message) }
      if let message { result.invalidate(message: message) }
      return result
    }
  }

  let name: String
  let flow: String
  let answers: [Answer]
  let steps: [Step]

  /// The file: the document, what is known of the user, and the scripts.
  struct Book: Sendable, Decodable {
    let document: Experience
    let properties: [String: JSONValue]
    let conversations: [Conversation]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    init() throws {
      let file = Self.folder.appending(path: "conversations.json")
      self = try JSONDecoder().decode(Book.self, from: Data(contentsOf: file))
    }

    /// What each conversation is to come to.
    static func golden() throws -> String {
      String(decoding: try Data(contentsOf: folder.appending(path: "conversations.txt")), as: UTF8.self)
    }

    func runner(_ conversation: Conversation, _ app: ScriptedApp) -> ExperienceRunner {
      let runner = ExperienceRunner(document, flow: conversation.flow, properties: properties, delegate: app)
      app.follow(runner)
      return runner
    }
  }
}
