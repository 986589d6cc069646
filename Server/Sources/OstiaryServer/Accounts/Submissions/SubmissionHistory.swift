import Foundation

/// The submissions of one flow that have been acted upon, the oldest first. What it says about a new one depends on nothing else.
struct SubmissionHistory: Sendable {
  /// One submission.
  struct Entry: Sendable {
    /// The turn that its form had.
    let turn: Int
    let digest: Data
    let form: String
    let isAccepted: Bool
    /// How often its form was sent with another content since.
    let misses: Int
    /// The turn of the forms that were drawn after it.
    let nextTurn: Int
    /// Sealed; nil within the transaction that makes the entry.
    let outcome: Data?
  }

  private static let mostMisses = 5

  let flow: Data
  private let entries: [Entry]

  init(flow: Data, _ entries: [Entry]) {
    self.flow = flow
    self.entries = entries
  }

  /// The history of a flow, as the database has it.
  init(ofFlow flow: Data, in db: StorageConnection) throws {
    self.init(
      flow: flow,
      try db.all(SubmissionStatements.sql.ofFlow, flow) { reader in
        Entry(
          turn: reader.next(), digest: reader.next(), form: reader.next(), isAccepted: reader.next(),
          misses: reader.next(), nextTurn: reader.next(), outcome: reader.next())
      })
  }

  var count: Int { entries.count }

  /// The turn of a form that is drawn now.
  var turn: Int { entries.last?.nextTurn ?? 0 }

  /// What became of a submission before; nil if nothing has been done with it.
  ///
  /// A form that has been accepted since it was drawn can't be sent with another content. Of another form of the same page the flow
  /// decides. After some other contents the first one is not recognised either: a password can't be guessed by repeats, which no
  /// limit of guesses counts.
  func earlier<Outcome: Decodable & Sendable>(_ mark: SubmissionMark) -> SubmissionStore.Handled<Outcome>? {
    if let same = entries.first(where: { $0.turn == mark.turn && ConstantTime.isEqual($0.digest, mark.digest) }) {
      guard same.misses < Self.mostMisses else { return .sentOtherwise }
      // An outcome that can't be read any more is told like one of another content.
      return Self.outcome(of: same.outcome.flatMap(mark.open)).map { .again($0) } ?? .sentOtherwise
    }
    let isSent = entries.contains { $0.isAccepted && $0.form == mark.form && $0.nextTurn > mark.turn }
    return isSent ? .sentOtherwise : nil
  }

  /// The outcome of the last submission that was accepted.
  func last<Outcome: Decodable>(_ type: Outcome.Type = Outcome.self, keys: SubmissionKeys) -> Outcome? {
    guard let entry = entries.last(where: \.isAccepted) else { return nil }
    return Self.outcome(of: entry.outcome.flatMap { keys.open($0, digest: entry.digest) })
  }

  private static func outcome<Outcome: Decodable>(of data: Data?) -> Outcome? {
    data.flatMap { try? JSONDecoder().decode(Outcome.self, from: $0) }
  }
}
