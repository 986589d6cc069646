internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences

/// The document from which the account pages are drawn: what of it pages can do, and what the server needs of it.
struct AccountExperience: Sendable {
  /// The document as pages draw it: actions that only an app can do are not drawn.
  let experience: Experience

  /// What is found out about a document.
  struct Report: Sendable {
    /// The document; nil if there is a problem.
    var account: AccountExperience?
    var problems: [ExperienceProblem] = []
    /// What is not drawn, and what is not kept.
    var notices: [ExperienceProblem] = []
  }

  /// Checks a document: as every document, and for what the server needs of one.
  static func report(on document: Data) -> Report {
    let report = Experience.check(json: document)
    guard var read = report.experience else { return Report(problems: report.problems) }
    if document == StarterExperience.document { read.takeUserNames() }
    var needs = AccountExperienceNeeds(read)
    needs.check()
    let experience = needs.experience
    if needs.problems.isEmpty {
      do {
        // What is left out may have been the only way on.
        try experience.validate()
      } catch let invalid as InvalidExperience {
        needs.problems = invalid.problems
      } catch {
        needs.problems = [ExperienceProblem(path: "$", code: .malformed, message: "The document can't be written.")]
      }
    }
    return Report(
      account: needs.problems.isEmpty ? AccountExperience(experience: experience) : nil, problems: needs.problems,
      notices: report.notices.filter { $0.code != .unreachable } + needs.notices)
  }

  /// The same for a server that does not offer everything: what leads to a flow that is not offered is not drawn.
  func offering(_ isOffered: (FlowKind) -> Bool) -> AccountExperience {
    var experience = experience
    let closed = Set(
      experience.flows.filter { flow in FlowKind(flow.kind).map { !isOffered($0) } ?? false }.map(\.id))
    experience.replaceActions { work in
      if case .move(.goToFlow(let id)) = work, closed.contains(id) { return .unknown(Experience.notOnPages) }
      return work
    }
    // Where a person comes to without a choice, as at the end of a flow.
    experience.replaceMoves { move in
      if case .goToFlow(let id) = move, closed.contains(id) { return nil }
      return move
    }
    return AccountExperience(experience: experience)
  }

  /// The origins that the document's pages lead to.
  var origins: [String] {
    let actions = experience.flows.flatMap(\.screens).flatMap(\.actions)
    return actions.compactMap { action in
      guard case .move(.openURL(let url)) = action.work, let scheme = url.scheme, let host = url.host() else {
        return nil
      }
      return Origin(scheme: scheme, host: host, port: url.port)?.description
    }
  }

  /// Whether a flow of the server is drawn from the document.
  func draws(_ kind: FlowKind) -> Bool { experience.flows.contains { FlowKind($0.kind) == kind } }
}

extension FlowKind {
  /// The server's flow for a flow of a document.
  init?(_ kind: Experience.Flow.Kind) {
    switch kind {
    case .login: self = .login
    case .signUp: self = .signup
    case .recoverPassword: self = .recover
    case .custom: return nil
    }
  }

  /// What a document's experience is begun as.
  var experienceKind: Experience.Kind {
    switch self {
    case .login: .login
    case .signup: .newUser
    case .recover: .recoverPassword
    case .profile: .custom
    }
  }
}

extension Experience {
  /// The kind of an action that is not drawn.
  static let notOnPages = "notOnPages"

  /// Replaces what actions do. Places in the document stay as they are.
  mutating func replaceActions(_ replacement: (Action.Work) -> Action.Work) {
    for flow in flows.indices {
      for screen in flows[flow].screens.indices {
        for action in flows[flow].screens[screen].actions.indices {
          let work = flows[flow].screens[screen].actions[action].work
          flows[flow].screens[screen].actions[action].work = replacement(work)
        }
      }
    }
  }

  /// Replaces what follows on the end of a flow, and on a trigger.
  fileprivate mutating func replaceMoves(_ replacement: (Move) -> Move?) {
    for flow in flows.indices {
      flows[flow].onSuccess = flows[flow].onSuccess.flatMap(replacement)
      for screen in flows[flow].screens.indices {
        for index in flows[flow].screens[screen].triggers.indices {
          let trigger = flows[flow].screens[screen].triggers[index]
          flows[flow].screens[screen].triggers[index].onSuccess = trigger.onSuccess.flatMap(replacement)
          flows[flow].screens[screen].triggers[index].onFailure = trigger.onFailure.flatMap(replacement)
        }
      }
    }
  }
}
