import Foundation
import OstiaryCore
import OstiaryExperiences

/// Leaves everything out, and so accepts it.
private final class AcceptingApp: ExperienceDelegate {}

extension FuzzTarget {
  /// A document from a server. What is accepted can be written, drawn and run; what is not has problems with places.
  static let experience = FuzzTarget(name: "experience") { bytes in
    let report = Experience.check(json: Data(bytes))
    try require((report.experience == nil) == !report.problems.isEmpty, "a document is refused for reasons")
    try require(report.problems.allSatisfy { $0.path.hasPrefix("$") }, "problems have places")
    // What leaves a person no way out is refused by a check alone, and run with a way out of the runner's own.
    guard let experience = report.experience ?? (try? Experience(json: Data(bytes))) else { return }
    try require(try Experience(json: experience.json()) == experience, "what was read can be written")
    for flow in experience.flows {
      let runner = ExperienceRunner(experience, flow: flow.id, languages: ["de"], delegate: AcceptingApp())
      try require(runner.present(), "a flow can be shown")
      let moment = runner.snapshot
      try require(moment.screen.fields.allSatisfy { !$0.isSecure || $0.value == nil }, "secrets are not shown")
      let html = ExperiencePage(moment.screen, action: "/", style: .none).html
      try require(!html.contains("<script"), "a page has no script")
      for field in moment.screen.fields { _ = runner.enter("7", in: field.key) }
      runner.goToNextScreen()
      runner.dismiss()
    }
  }

  /// An expression and a value, separated by a line feed.
  static let pattern = FuzzTarget(name: "pattern") { bytes in
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard let source = parts.first, let pattern = Pattern(String(decoding: source, as: UTF8.self)) else { return }
    _ = pattern.matches(String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self))
  }
}
