internal import Foundation
internal import OstiaryExperiences

/// What the account pages need of a document: the fields of each flow by the names that the server knows, and secrets where
/// they can be asked for without being stored.
struct AccountExperienceNeeds {
  private(set) var experience: Experience
  var problems: [ExperienceProblem] = []
  private(set) var notices: [ExperienceProblem] = []

  init(_ experience: Experience) { self.experience = experience }

  mutating func check() {
    if !experience.flows.contains(where: { FlowKind($0.kind) != nil }) {
      problem(
        "$.flows", .missing, "No flow logs a user in, signs one up or recovers a password: no page is drawn from it.")
    }
    if let first = experience.flows.firstIndex(where: { $0.kind == .recoverPassword }),
      experience.flows[first].fields.contains(where: { $0.key == "code" })
    {
      problem(
        "$.flows[\(first)]", .contradiction,
        "The first flow for a lost password asks for the address; a later one takes the code.")
    }
    for (index, flow) in experience.flows.enumerated() {
      let path = "$.flows[\(index)]"
      switch flow.kind {
      case .login:
        need(flow, path, anyOf: ["email", "username"], secure: false)
        need(flow, path, anyOf: ["password"], secure: true)
      case .signUp:
        need(flow, path, anyOf: ["email"], secure: false)
        need(flow, path, anyOf: ["password"], secure: true)
      case .recoverPassword: checkRecovery(flow, path)
      case .custom: break
      }
      checkFields(flow, path)
    }
    checkActions()
  }

  private mutating func problem(_ path: String, _ code: ExperienceProblem.Code, _ message: String) {
    problems.append(ExperienceProblem(path: path, code: code, message: message))
  }

  private mutating func need(_ flow: Experience.Flow, _ path: String, anyOf keys: [String], secure: Bool) {
    let field = flow.fields.first { keys.contains($0.key) && $0.kind != .hidden }
    let names = keys.map { "“\($0)”" }.joined(separator: " or ")
    guard let field else {
      return problem(path, .missing, "The server needs a field \(names) in this flow, to ask for.")
    }
    if field.isSecure != secure {
      problem(path, .badValue, "The field “\(field.key)” must \(secure ? "" : "not ")be secure.")
    }
  }

  /// One flow asks for the address, another for the code and the new password.
  private mutating func checkRecovery(_ flow: Experience.Flow, _ path: String) {
    if Self.takesCode(flow) {
      need(flow, path, anyOf: ["code"], secure: true)
      need(flow, path, anyOf: ["password"], secure: true)
      if flow.fields.contains(where: { $0.key == "email" }) {
        problem(
          path, .contradiction,
          "The code is mailed when a flow with the address has been submitted: let another take it.")
      }
      return
    }
    need(flow, path, anyOf: ["email"], secure: false)
    if !experience.flows.contains(where: { $0.kind == .recoverPassword && Self.takesCode($0) }) {
      problem(path, .missing, "No flow for a lost password takes the code that this one mails.")
    } else if !leadsToCode(flow) {
      problem(
        "\(path).onSuccess", .deadEnd,
        "After this flow nothing leads to the flow that takes the mailed code: name that one here.")
    }
  }

  private static func takesCode(_ flow: Experience.Flow) -> Bool { flow.fields.contains { $0.key == "code" } }

  /// Whether a person comes from the end of a flow to one that takes the mailed code.
  private func leadsToCode(_ flow: Experience.Flow) -> Bool {
    var open = Self.moves(after: flow)
    var seen: Set<String> = []
    while let move = open.popLast() {
      guard case .goToFlow(let id) = move, seen.insert(id).inserted, let next = experience.flow(id) else { continue }
      if next.kind == .recoverPassword, Self.takesCode(next) { return true }
      open += Self.moves(after: next) + Self.moves(on: next.screens[...])
    }
    return false
  }

  /// What follows when a flow has succeeded: a move, or those of the screens of the flow from one on.
  private static func moves(after flow: Experience.Flow) -> [Experience.Move] {
    guard case .goToScreen(let id)? = flow.onSuccess else { return [flow.onSuccess].compactMap { $0 } }
    let rest = flow.screens.drop { $0.id != id }
    let leadsBack = moves(on: rest).contains { move in
      if case .goToScreen(let other) = move { return !rest.contains { $0.id == other } }
      return move == .back
    }
    return moves(on: leadsBack ? flow.screens[...] : rest)
  }

  private static func moves(on screens: ArraySlice<Experience.Screen>) -> [Experience.Move] {
    screens.flatMap(\.actions).compactMap { action -> Experience.Move? in
      guard case .move(let move) = action.work else { return nil }
      return move
    }
  }

  private static let known: [Experience.Flow.Kind: Set<String>] = [
    .login: ["email", "username", "password"], .signUp: ["email", "password", "name"],
    .recoverPassword: ["email", "code", "password"],
  ]

  private mutating func checkFields(_ flow: Experience.Flow, _ path: String) {
    let known = Self.known[flow.kind] ?? []
    for (screenIndex, screen) in flow.screens.enumerated() {
      for (index, field) in screen.fields.enumerated() {
        let path = "\(path).screens[\(screenIndex)].fields[\(index)]"
        let repeated = field.constraints.matches.flatMap { flow.fieldAndScreen($0) }
        let isRepetition = field.isSecure && repeated.map { known.contains($0.field.key) } ?? false
        if !known.contains(field.key), field.kind != .hidden, !isRepetition {
          if field.isSecure {
            problem(path, .badValue, "The server has no use for this secret: remove the field.")
          } else {
            notices.append(
              ExperienceProblem(path: path, code: .unknownMember, message: "The server keeps nothing of this field."))
          }
        }
        if !field.isSecure, field.kind != .hidden, repeated?.field.isSecure == true {
          problem(path, .badValue, "What repeats a secret must be secure, too: else it is stored.")
        }
        guard field.isSecure else { continue }
        if let repeated, repeated.screen != screenIndex {
          problem(path, .contradiction, "A secret is repeated on its own screen: none is stored between two pages.")
        }
        // An entry stands on each screen that has its key: what is typed on one takes back that another was accepted.
        if flow.asks(for: field.key, beside: screenIndex) {
          problem(path, .contradiction, "A secret is asked for on one screen: none is stored between two pages.")
        }
        // Of the password of a new account the server keeps the hash, and nothing of another secret.
        let isKept = flow.kind == .signUp && (field.key == "password" || field.constraints.matches == "password")
        if !isKept, screenIndex != flow.screens.count - 1 {
          problem(
            path, .contradiction, "Only a flow's last screen asks for this: no secret is stored between two pages.")
        }
      }
    }
  }

  private mutating func checkActions() {
    for (flowIndex, flow) in experience.flows.enumerated() {
      for (screenIndex, screen) in flow.screens.enumerated() {
        for (index, action) in screen.actions.enumerated() where !Self.isOnPages(action.work) {
          notices.append(
            ExperienceProblem(
              path: "$.flows[\(flowIndex)].screens[\(screenIndex)].actions[\(index)]", code: .unknownMember,
              message: "Only an app can do this: pages don't draw it."))
        }
      }
    }
    experience.replaceActions { Self.isOnPages($0) ? $0 : .unknown(Experience.notOnPages) }
  }

  private static func isOnPages(_ work: Experience.Action.Work) -> Bool {
    switch work {
    case .move(.openURL(let url)): ["http", "https"].contains(url.scheme?.lowercased() ?? "")
    case .move: true
    case .submitFields, .trigger, .provider, .requestPermission, .unknown: false
    }
  }
}

extension Experience.Flow {
  /// The first field with a key, and the number of its screen.
  fileprivate func fieldAndScreen(_ key: String) -> (field: Experience.Field, screen: Int)? {
    for (index, screen) in screens.enumerated() {
      if let field = screen.field(key) { return (field, index) }
    }
    return nil
  }

  /// Whether another screen has a field with a key, too.
  fileprivate func asks(for key: String, beside screen: Int) -> Bool {
    screens.enumerated().contains { $0 != screen && $1.field(key) != nil }
  }
}
