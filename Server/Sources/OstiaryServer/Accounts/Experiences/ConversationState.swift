import Crypto
import Foundation

/// What the server keeps of a person on pages that are drawn from a document: where the person is, what was entered, and what
/// the person was told. No password, code or other secret is in it; of a new account's password it has the hash.
struct ConversationState: Codable, Sendable {
  /// More is not kept: a person who enters so much is asked again.
  static let mostBytes = 16 << 10

  /// A recovery that has mailed a code.
  struct Recovery: Codable, Sendable {
    /// Which of the conversation's recoveries: see ``FlowSeal/inner(_:of:_:)``.
    let name: String
    /// The address that was typed.
    let address: String
  }

  /// A success that the page tells.
  struct News: Codable, Sendable {
    let code: String
    let parameters: [String: Int]
  }

  /// The runner's machine, as the SDK writes it down.
  var record = Data()
  /// The hashes of new passwords, by the flow of the document.
  var passwords: [String: PendingPassword] = [:]
  var recovery: Recovery?
  /// The turn of the forms that are drawn now: see ``SubmissionStore``.
  var turn = 0
  private var told: [News] = []

  var news: [FlowIssue] {
    get { told.compactMap { news in FlowIssue.Code(rawValue: news.code).map { FlowIssue($0, news.parameters) } } }
    set { told = newValue.map { News(code: $0.code.rawValue, parameters: $0.parameters) } }
  }
}

extension FlowSeal {
  private static func context(_ flow: Data) -> Data { Data("ostiary.conversation.1.".utf8) + flow }

  /// Seals a state for the row of its flow: in no other row it is one.
  func seal(_ state: ConversationState, for flow: Data) throws -> Data {
    let content = try JSONEncoder().encode(state)
    guard content.count <= ConversationState.mostBytes else {
      throw ServerError(.conversationTooLarge, "Too much was entered.", advice: "Enter less.")
    }
    guard let box = try AES.GCM.seal(content, using: stateKeys.current.key, authenticating: Self.context(flow)).combined
    else {
      throw ServerError(.storageFailed, "A flow can't be sealed.", advice: "Report this.")
    }
    return box
  }

  /// The state of a flow's row; nil if it was sealed for another row, or by another server.
  func open(state sealed: Data, of flow: Data) -> ConversationState? {
    opened(state: sealed, of: flow).flatMap { try? JSONDecoder().decode(ConversationState.self, from: $0.content) }
  }

  private func opened(state sealed: Data, of flow: Data) -> (content: Data, isCurrent: Bool)? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
    let keys = stateKeys
    for key in keys.all {
      guard let content = try? AES.GCM.open(box, using: key.key, authenticating: Self.context(flow)) else { continue }
      return (content, key.number == keys.current.number)
    }
    return nil
  }

  /// Seals states again that were sealed with another key than the current one.
  /// - Parameters:
  ///   - place: the flow after which to begin; empty for all.
  ///   - most: how many to look at.
  /// - Returns: the last one; nil if there was none.
  func resealStates(after place: Data, most: Int, in db: StorageConnection) throws -> Data? {
    let rows = try db.all(FlowStatements.sql.conversationsAfter, place, most) { reader -> (Data, Data) in
      (reader.next(), reader.next())
    }
    for (flow, sealed) in rows {
      guard let (content, isCurrent) = opened(state: sealed, of: flow), !isCurrent else { continue }
      let box = try AES.GCM.seal(content, using: stateKeys.current.key, authenticating: Self.context(flow))
      try db.run(FlowStatements.sql.resealConversation, box.combined, flow)
    }
    return rows.last?.0
  }

  /// A flow that a conversation begins for a person, to check a password or a code. A second submission of the same page begins
  /// the same one, on every server: its number is derived from the conversation's.
  /// - Parameter name: which of the conversation's flows of this kind.
  func inner(_ kind: FlowKind, of outer: FlowToken, _ name: String) -> FlowToken {
    let text = Data("ostiary.inner.\(kind.rawValue).\(outer.number).\(name)".utf8)
    let number = Array(HMAC<SHA256>.authenticationCode(for: text, using: numberKey(of: outer))).prefix(16)
    var inner = FlowToken(
      kind: kind, number: Array(number).base64URL, browser: outer.browser, returnTo: outer.returnTo,
      language: outer.language, expiresAt: outer.expiresAt)
    inner.key = outer.key
    return inner
  }
}

extension ServerError.Code {
  /// A person has entered more than is kept between two pages.
  static let conversationTooLarge = Self("conversation_too_large")
}
