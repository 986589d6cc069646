import Foundation
import OstiaryCore
import OstiaryExperiences
import Primer

/// The user of the app.
@MainActor
final class Person {
  private var runner: ExperienceRunner?

  /// Does something, and says what there is to see then.
  func act(_ verb: String, _ words: [String]) async -> JSONValue {
    var report: [String: JSONValue] = [:]
    switch verb {
    case "present":
      let isPresented = await present(words.first ?? "")
      runner = isPresented ? Primer.currentRunner : nil
      report["presented"] = .bool(isPresented)
    case "submit":
      let entries = stride(from: 1, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
      let moment = await runner?.submit(Dictionary(entries) { $1 }, with: words.first ?? "")
      // The app's delegate is told who has signed in after the runner has ended.
      if moment?.outcome != nil { _ = try? await runner?.outcome() }
    case "dismiss":
      await withCheckedContinuation { done in Primer.dismissExperience { _ in done.resume() } }
    case "track":
      for number in 0..<(words.first.flatMap { Int($0) } ?? 0) {
        Primer.trackEvent(withName: "custom-\(number)", parameters: ["number": number])
      }
    case "log-out": Primer.logOutUser()
    default: exit(66)
    }
    if let runner { describe(runner.snapshot, in: &report) }
    let user = Primer.currentUser()
    report["user"] = user.userID.map { .string($0) } ?? .null
    report["properties"] = .object(
      user.properties.mapValues { .string("\($0)") })
    return .object(report)
  }

  private func present(_ name: String) async -> Bool {
    let types: [String: PMRExperienceType] = ["new": .newUser, "login": .login, "recover": .recoverPassword]
    let settings = PMRExperienceSettings()
    settings.experienceType = types[name] ?? .automatic
    return await withCheckedContinuation { done in
      Primer.presentExperience(with: settings) { done.resume(returning: $0) }
    }
  }

  private func describe(_ moment: ExperienceSnapshot, in report: inout [String: JSONValue]) {
    report["screen"] = .string(moment.screen.id)
    report["messages"] = .array(moment.screen.messages.map { .string($0) })
    report["faults"] = .object(
      Dictionary(uniqueKeysWithValues: moment.screen.fields.map { ($0.key, $0.message) })
        .compactMapValues { $0.map { .string($0) } })
    switch moment.outcome {
    case .signedIn(let user): report["outcome"] = user.isNew ? "signed up" : "logged in"
    case .some: report["outcome"] = "closed"
    case nil: break
    }
  }
}
