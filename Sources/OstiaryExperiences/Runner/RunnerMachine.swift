internal import Foundation
internal import OstiaryCore

/// The rules of an experience, as a value: inputs change it and leave outputs to be carried out. It never waits and
/// never calls the app.
struct RunnerMachine: Sendable {
  typealias Place = Experience.Place

  /// A field's place in the document.
  struct FieldPlace: Hashable, Sendable {
    var place: Place
    var key: String
  }

  /// What was entered.
  struct Entry: Sendable {
    enum Content: Sendable {
      case text(String)
      case secret(Secret)
      /// A secret that was accepted before the machine was written down. It is not here any more.
      case kept
    }
    var content: Content
    /// Whether the user entered it; otherwise it was filled in beforehand.
    var isTouched: Bool
    /// Grows from entry to entry; 0 for what was filled in beforehand.
    var order = 0

    var reveal: String {
      switch content {
      case .text(let text): text
      case .secret(let secret): secret.reveal()
      case .kept: ""
      }
    }

    var isKept: Bool { if case .kept = content { true } else { false } }
  }

  /// Why a field is not accepted.
  enum Fault: Sendable {
    /// It breaks one of its own rules.
    case broken(FieldIssue)
    /// The app refused it: its own message, and the one for all.
    case refused(String?, String?)
  }

  /// What is going on.
  enum Phase: Sendable {
    case idle
    case shown
    case finished(ExperienceOutcome)
  }

  /// A question that is open, and what its answer leads to.
  struct Pending: Sendable {
    enum Purpose: Sendable {
      case screen(submitsFlow: Bool)
      case flow
      case fields(Experience.Move?)
      case trigger(Experience.Move?, Experience.Move?)
      case provider(String)
      case permission(String, Experience.Move?, Experience.Move?)
    }
    let ticket: UInt64
    let purpose: Purpose
    /// Whether the app is being asked.
    var isAsked = false
  }

  let experience: Experience
  let wording: Wording
  /// The screens that the document leads to no end from: see ``DocumentWays``.
  let trapped: Set<Place>
  var properties: [String: JSONValue]
  /// What was entered for a property, by the property; never a secret. An empty text where it was cleared.
  var entered: [String: JSONValue] = [:]
  var phase = Phase.idle
  var isPaused = false
  var place: Place
  var history: [Place] = []
  var entries: [FieldPlace: Entry] = [:]
  var visited: Set<Place> = []
  /// The screens that were submitted and accepted, and not changed since.
  var completed: Set<Place> = []
  var faults: [FieldPlace: Fault] = [:]
  var messages: [String] = []
  var pending: Pending?
  var revision = 0
  /// Grows when a screen appears and when the user has done something on it: what was drawn before is out of date then.
  var turn = 0
  /// The turn of the last refusal. A turn has one at most.
  var refusal = 0
  /// The order of the last entry.
  var lastOrder = 0
  private var lastTicket: UInt64 = 0
  private var outputs: [RunnerOutput] = []

  /// A user does not go back further.
  var longestHistory = 200

  init(
    _ experience: Experience, as kind: Experience.Kind?, flow: String?, screen: String?, languages: [String],
    properties: [String: JSONValue]
  ) {
    self.experience = experience
    self.properties = properties
    wording = Wording(experience, languages: languages)
    trapped = experience.trapped
    let first = flow.flatMap { experience.flow($0) } ?? experience.startingFlow(for: kind ?? experience.type)
    let flowIndex = experience.flows.firstIndex { $0.id == first?.id } ?? 0
    let screenIndex = screen.flatMap { id in first?.screens.firstIndex { $0.id == id } } ?? 0
    place = Place(flow: flowIndex, screen: screenIndex)
  }

  // MARK: The document

  /// A flow that nothing leads out of, for an experience without flows, which no valid document makes.
  private static let nothing = Experience.Flow(id: "", kind: .custom, screens: [Experience.Screen(id: "")])

  func flow(at place: Place) -> Experience.Flow {
    let flows = experience.flows
    return flows.indices.contains(place.flow) && !flows[place.flow].screens.isEmpty
      ? flows[place.flow] : Self.nothing
  }

  func screen(at place: Place) -> Experience.Screen {
    let screens = flow(at: place).screens
    return screens[screens.indices.contains(place.screen) ? place.screen : 0]
  }

  var flow: Experience.Flow { flow(at: place) }
  var screen: Experience.Screen { screen(at: place) }
  var isLastScreen: Bool { place.screen >= flow.screens.count - 1 }
  var isShown: Bool { if case .shown = phase { true } else { false } }
  /// Whether the user can do something.
  var isActive: Bool { isShown && !isPaused && pending == nil }

  // MARK: Outputs

  mutating func takeOutputs() -> [RunnerOutput] {
    defer { outputs = [] }
    return outputs
  }

  private mutating func put(_ output: RunnerOutput) { outputs.append(output) }

  mutating func changed() {
    revision += 1
    put(.draw)
  }

  mutating func record(_ name: ExperienceEvent.Name, _ parameters: [String: String] = [:]) {
    var all = ["experience": experience.id, "flow": flow.id]
    all.merge(parameters) { $1 }
    put(.tell(.event(ExperienceEvent(name, all))))
  }

  mutating func tell(_ notice: RunnerNotice) { put(.tell(notice)) }

  mutating func ask(_ question: RunnerQuestion, _ purpose: Pending.Purpose) {
    lastTicket += 1
    pending = Pending(ticket: lastTicket, purpose: purpose)
    put(.ask(lastTicket, question))
    changed()
  }

  // MARK: From beginning to end

  mutating func present() -> Bool {
    guard case .idle = phase else { return false }
    phase = .shown
    record(.flowStarted)
    appear()
    return true
  }

  mutating func pause() -> Bool {
    guard isShown, !isPaused else { return false }
    isPaused = true
    changed()
    return true
  }

  mutating func resume() -> Bool {
    guard isShown, isPaused else { return false }
    isPaused = false
    changed()
    return true
  }

  mutating func dismiss() -> Bool {
    guard isShown else { return false }
    close(.dismissed)
    return true
  }

  /// The user has logged out. Nothing of them stays, and what was asked about them is not answered any more.
  mutating func logOut() {
    properties = [:]
    guard isShown else { return }
    if let pending { put(.cancel(pending.ticket)) }
    pending = nil
    forgetEntries()
    completed = []
    visited = [place]
    beginTurn()
    fillIn()
    changed()
  }

  /// Removes what was entered and what is said about it.
  private mutating func forgetEntries() {
    entries = [:]
    entered = [:]
    faults = [:]
    messages = []
  }

  mutating func addProperties(_ more: [String: JSONValue]) {
    properties.merge(more) { $1 }
    changed()
  }

  /// Closes the experience and says so beforehand.
  mutating func close(_ outcome: ExperienceOutcome) {
    tell(.willClose(fieldsSoFar))
    finish(outcome)
  }

  mutating func finish(_ outcome: ExperienceOutcome) {
    if let pending { put(.cancel(pending.ticket)) }
    pending = nil
    isPaused = false
    phase = .finished(outcome)
    // The entries are not needed any more; passwords must not be kept.
    forgetEntries()
    changed()
    put(.finish(outcome))
  }

  // MARK: Screens

  /// Goes to a screen, forward.
  mutating func go(to next: Place) {
    history.append(place)
    if history.count > longestHistory { history.removeFirst() }
    let isNewFlow = next.flow != place.flow
    place = next
    messages = []
    if isNewFlow { record(.flowStarted) }
    appear()
  }

  /// Goes back to a screen, or to it as if it were the next.
  mutating func goBack(to earlier: Place) {
    if let index = history.lastIndex(of: earlier) {
      history.removeSubrange(index...)
      place = earlier
      messages = []
      appear()
    } else {
      go(to: earlier)
    }
  }

  private mutating func appear() {
    visited.insert(place)
    beginTurn()
    fillIn()
    tell(.appeared(screen: screen.id, triggers: screen.triggers.map(\.name)))
    record(.screenDisplayed, ["screen": screen.id])
    changed()
  }

  /// What was drawn of the screen before is out of date.
  mutating func beginTurn() { turn += 1 }

  // MARK: Questions

  /// Whether a question may be asked now: once, and only while its answer can count.
  mutating func mayAsk(_ ticket: UInt64) -> Bool {
    guard let open = pending, open.ticket == ticket, !open.isAsked else { return false }
    pending?.isAsked = true
    return true
  }

  mutating func receive(_ answer: RunnerAnswer, for ticket: UInt64) {
    put(.answered(ticket))
    guard let pending, pending.ticket == ticket else { return }
    self.pending = nil
    settle(answer, pending.purpose)
    changed()
  }
}

/// What the machine has decided.
enum RunnerOutput: Sendable {
  case ask(UInt64, RunnerQuestion)
  case cancel(UInt64)
  /// A question is closed.
  case answered(UInt64)
  case tell(RunnerNotice)
  case finish(ExperienceOutcome)
  /// There is something new to draw.
  case draw
}
