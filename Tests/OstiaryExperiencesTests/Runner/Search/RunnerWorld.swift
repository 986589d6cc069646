import OstiaryCore

@testable import OstiaryExperiences

/// A runner's machine, a person, an app, and what must be true of them: a model that knows only what was entered last.
struct RunnerWorld: Sendable {
  /// Something that can happen.
  struct Choice {
    let label: String
    /// Whether a person who wants to come to an end, and an app that accepts everything, would do it.
    let leadsOn: Bool
    let change: (inout RunnerWorld) -> Void
  }

  /// What was entered into a field, the newest last.
  struct Entered: Hashable, Sendable {
    let flow: Int
    let key: String
    let text: String
  }

  /// A form that a browser has shown.
  struct Form: Sendable {
    let turn: String
    let keys: [String]
    let actions: [String]
  }

  static let values = ["x", "y"]

  var machine: RunnerMachine
  var model: [Entered] = []
  /// The open question, as the driver knows it.
  var question: (ticket: UInt64, question: RunnerQuestion)?
  var lastTicket: UInt64 = 0
  var forms: [Form] = []
  /// The rule that was broken, with the row that it belongs to.
  private(set) var broken: String?
  private var isOver = false

  init(_ experience: Experience, at place: RunnerMachine.Place) {
    let flow = experience.flows[place.flow]
    machine = RunnerMachine(
      experience, as: nil, flow: flow.id, screen: flow.screens[place.screen].id, languages: [],
      properties: ["role": "guest"])
    machine.longestHistory = 3
  }

  private mutating func fail(_ rule: String) { broken = broken ?? rule }

  // MARK: What happens

  var choices: [Choice] {
    guard machine.isShown else {
      if case .idle = machine.phase { return [step("present", leadsOn: true) { _ = $0.machine.present() }] }
      return []
    }
    var all = [
      step("dismiss") { _ = $0.machine.dismiss() },
      step("log out") { world in
        world.machine.logOut()
        world.model = []
        world.question = nil
        world.judgeLogOut()
      },
    ]
    if machine.isPaused {
      all.append(step("resume", leadsOn: true) { _ = $0.machine.resume() })
    } else {
      all.append(step("pause") { _ = $0.machine.pause() })
    }
    if let question { all += answers(question.ticket, question.question) }
    if machine.isActive { all += acts }
    return all
  }

  private func step(_ label: String, leadsOn: Bool = false, _ change: @escaping (inout RunnerWorld) -> Void) -> Choice {
    Choice(label: label, leadsOn: leadsOn) { world in
      change(&world)
      world.takeOutputs()
      world.judge()
    }
  }

  /// What a person can do.
  private var acts: [Choice] {
    let screen = machine.snapshot().screen
    var all: [Choice] = []
    for field in screen.fields where field.kind != .hidden {
      for value in Self.values {
        all.append(
          step("\(value) in \(field.key)", leadsOn: true) { world in
            let flow = world.machine.place.flow
            guard world.machine.enter(value, in: field.key) else { return world.fail("an entry was refused") }
            let entered = Entered(flow: flow, key: field.key, text: value)
            // What stands there already is no new entry: forms send every field.
            guard !world.model.contains(entered) else { return }
            world.model.removeAll { $0.flow == flow && $0.key == field.key }
            world.model.append(entered)
          })
      }
    }
    for action in screen.actions {
      all.append(
        step(action.id, leadsOn: true) { world in
          world.machine.submit([:], with: action.id, drawnIn: world.machine.turnName)
        })
    }
    for trigger in screen.triggers { all.append(step("trigger") { _ = $0.machine.fireTrigger(trigger) }) }
    return all
  }

  /// What the app does with a question.
  private func answers(_ ticket: UInt64, _ question: RunnerQuestion) -> [Choice] {
    guard machine.pending?.isAsked == true else {
      return [
        step("asks", leadsOn: true) { world in
          if !world.machine.mayAsk(ticket) { world.fail("an open question may not be asked") }
        }
      ]
    }
    let (yes, no): (RunnerAnswer, RunnerAnswer) =
      switch question {
      case .validate(let fields, _):
        (.validation(.valid), .validation(.invalid(field: fields.keys.min() ?? "", message: "no")))
      case .recoverPassword: (.validation(.valid), .validation(.invalid("no")))
      case .logIn, .signUp: (.user(.accepted("u")), .user(.refused(.invalid("no"))))
      case .provider: (.provider(ProviderValidation(userID: "u")), .abandoned)
      case .handle, .trigger, .permission: (.decision(true), .decision(false))
      }
    return [
      step("yes", leadsOn: true) { $0.machine.receive(yes, for: ticket) },
      step("no") { $0.machine.receive(no, for: ticket) },
    ]
  }

  // MARK: What must be true

  private mutating func takeOutputs() {
    for output in machine.takeOutputs() {
      switch output {
      case .ask(let ticket, let asked):
        if isOver { fail("Bug-G09: a question after the end") }
        question = (ticket, asked)
        lastTicket = max(lastTicket, ticket)
        judge(asked)
      case .cancel(let ticket), .answered(let ticket):
        if question?.ticket == ticket { question = nil }
      case .tell(.willClose(let fields)): judgeClosing(fields)
      case .finish:
        if isOver { fail("a second end") }
        isOver = true
      case .tell, .draw: break
      }
    }
  }

  private mutating func judge(_ question: RunnerQuestion) {
    switch question {
    case .validate(let fields, _), .logIn(let fields), .signUp(let fields), .recoverPassword(let fields),
      .handle(let fields):
      let flow = machine.place.flow
      for (key, value) in fields {
        guard let field = machine.experience.flows[flow].fields.first(where: { $0.key == key }) else { continue }
        let newest = model.last { $0.flow == flow && $0.key == key }?.text
        let expected = field.value(of: field.kind == .hidden ? field.value : newest ?? field.value, .plain)
        guard value != expected else { continue }
        fail("\(field.kind == .hidden ? "Bug-G25" : "Bug-G04, G23"): the app is asked about \(key) = \(value)")
      }
    case .trigger, .provider, .permission: break
    }
  }

  private mutating func judgeClosing(_ fields: [String: FieldValue]) {
    for entered in model where model.last(where: { $0.key == entered.key }) == entered {
      if fields[entered.key] != .text(entered.text) { fail("Bug-G24: willClose has not \(entered.key)") }
    }
    for field in machine.experience.flows.flatMap(\.fields) where field.kind == .hidden {
      guard let value = fields[field.key], value != field.value(of: field.value, .plain) else { continue }
      fail("Bug-G25: willClose has \(value) for \(field.key)")
    }
  }

  private mutating func judgeLogOut() {
    let isClean =
      machine.properties.isEmpty && machine.entered.isEmpty && machine.faults.isEmpty && machine.messages.isEmpty
      && machine.pending == nil && machine.completed.isEmpty
      && machine.entries.allSatisfy { !$0.value.isTouched }
    if !isClean { fail("Bug-G04: something is left after a log-out") }
  }

  /// What is true of every state.
  private mutating func judge() {
    for ticket in 0...lastTicket + 1 {
      var copy = machine
      let isOpen = machine.isShown && machine.pending?.ticket == ticket && machine.pending?.isAsked == false
      if copy.mayAsk(ticket) != isOpen { fail("Bug-G09: what may be asked is not what is open") }
    }
    if case .finished = machine.phase {
      if !machine.entries.isEmpty { fail("something is kept after the end") }
      return
    }
    let before = fingerprint
    for form in forms.suffix(4) where form.turn != machine.turnName {
      for action in form.actions {
        var copy = self
        let entries = Dictionary(form.keys.map { ($0, "x") }) { first, _ in first }
        copy.machine.submit(entries, with: action, drawnIn: form.turn)
        guard copy.fingerprint != before || !copy.machine.takeOutputs().isEmpty else { continue }
        fail("Bug-G07: the form of \(form.turn) counts in \(machine.turnName)")
      }
    }
    guard machine.isActive, forms.last?.turn != machine.turnName else { return }
    let screen = machine.snapshot().screen
    forms.append(
      Form(
        turn: screen.turn, keys: screen.fields.filter { $0.kind != .hidden }.map(\.key),
        actions: screen.actions.map(\.id)))
  }
}
