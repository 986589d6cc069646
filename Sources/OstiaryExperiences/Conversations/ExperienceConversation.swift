public import Foundation
public import OstiaryCore

/// An experience between two requests, as a value: what a server keeps while a person reads a page.
///
/// It is an ``ExperienceRunner`` without tasks and locks. ``record(keeping:)`` writes it down without its document and without
/// any secret, and ``init(_:record:properties:)`` reads it in another process, so that any server can go on with it.
///
/// ```swift
/// var conversation = ExperienceConversation(experience, record: row.record) ?? ExperienceConversation(experience)
/// if let input = ExperienceInput(pairs, for: conversation.snapshot.screen) {
///   await conversation.submit(input, asking: app)
/// }
/// row.record = try conversation.record()
/// ```
public struct ExperienceConversation: Sendable {
  private var machine: RunnerMachine
  private let languages: [String]
  /// The address that the last submission asks to open.
  public private(set) var opened: URL?

  /// Begins an experience. The app is not told of its first screen.
  /// - Parameters:
  ///   - kind: which of the experience's flows comes first: see ``Experience/startingFlow(for:)``. By default the
  ///     experience's own type decides.
  ///   - languages: what the user reads, the best first (BCP 47).
  ///   - properties: the user's properties, for texts and for filling in fields that are not secure.
  public init(
    _ experience: Experience, as kind: Experience.Kind? = nil, languages: [String] = [],
    properties: [String: JSONValue] = [:]
  ) {
    self.languages = Array(languages.prefix(RunnerRecord.mostLanguages))
    machine = RunnerMachine(
      experience, as: kind, flow: nil, screen: nil, languages: self.languages, properties: properties)
    _ = machine.present()
    _ = machine.takeOutputs()
  }

  /// Goes on with an experience.
  /// - Returns: `nil` for what is no record, and where the document has no such screen any more: begin again.
  public init?(_ experience: Experience, record: Data, properties: [String: JSONValue] = [:]) {
    guard let record = try? JSONDecoder().decode(RunnerRecord.self, from: record),
      let machine = record.machine(of: experience, properties: properties)
    else { return nil }
    self.machine = machine
    languages = record.languages
  }

  /// This moment.
  public var snapshot: ExperienceSnapshot { machine.snapshot() }

  /// Fills in a field of the screen, as far as the user may: what was typed on a page that is too old need not be typed again.
  /// - Returns: Whether the screen has such a field. A secure one is not filled in.
  @discardableResult
  public mutating func enter(_ entry: String, in key: String) -> Bool {
    guard machine.screen.field(key)?.isSecure == false else { return false }
    defer { _ = machine.takeOutputs() }
    return machine.enter(entry, in: key)
  }

  /// Does what a form asks for, and asks the app what has to be asked, one question after another. Nothing is done for a form
  /// that was drawn for another showing.
  /// - Parameter delegate: the app. It is told, too, what the submission has caused.
  public mutating func submit(_ input: ExperienceInput, asking delegate: any ExperienceDelegate) async {
    opened = nil
    machine.submit(input.entries, with: input.action, drawnIn: input.turn)
    while let (ticket, question) = await carryOut(delegate), machine.mayAsk(ticket) {
      machine.receive(await question.answer(from: delegate), for: ticket)
    }
  }

  /// Tells the app what the machine has decided. Returns the question that is open now.
  private mutating func carryOut(_ delegate: any ExperienceDelegate) async -> (UInt64, RunnerQuestion)? {
    var open: (ticket: UInt64, question: RunnerQuestion)?
    for output in machine.takeOutputs() {
      switch output {
      case .ask(let ticket, let question): open = (ticket, question)
      case .cancel(let ticket): if open?.ticket == ticket { open = nil }
      case .tell(.open(let url)):
        opened = url
        await delegate.open(url)
      case .tell(let notice): await notice.tell(delegate)
      case .answered, .finish, .draw: break
      }
    }
    return open.map { ($0.ticket, $0.question) }
  }

  /// What has to be kept until the next request. It holds what was entered, but no value of a secure field: after that a password
  /// counts as entered only if the caller has kept something in its place. A secret that another screen repeats can't be
  /// compared with it then: draw documents only that ask for a secret and its repetition on one screen.
  /// - Parameter isKept: whether the caller has kept something, such as a hash, for a secure field of a flow. The field then counts
  ///   as accepted, with an empty value, until the user enters another.
  /// - Returns: `nil` once the experience is over: nothing of the user is needed then.
  public func record(
    keeping isKept: (_ flow: String, _ field: Experience.Field) -> Bool = { _, _ in false }
  ) throws -> Data? {
    guard machine.isShown else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(RunnerRecord(machine, languages: languages, keeping: isKept))
  }
}

extension ExperienceConversation: CustomStringConvertible, CustomReflectable {
  /// The showing of the screen; nothing that was entered.
  public var description: String { "ExperienceConversation(\(snapshot.screen.turn))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
