import Foundation
import OstiaryCore
import OstiaryExperiences

@testable import OstiaryServer

extension PageCase {
  private static let starter = try? Experience(json: StarterExperience.document)

  private static func draw(
    _ screen: String, of flow: String, entry: String?, _ visitor: PageVisitor
  ) throws -> String {
    guard let experience = starter,
      let fields = experience.draw(screen: screen, of: flow)?.fields.filter({ $0.kind != .hidden })
    else { throw PageVisitor.Lost(description: "There is no \(flow)/\(screen).") }
    let entries = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, entry ?? "") })
    let issues = entry == nil ? [:] : experience.check(entries, on: screen, of: flow)?.issues ?? [:]
    let result: ValidationResult = entry == nil || !issues.isEmpty ? .valid : .invalid("It was refused.")
    guard
      let drawn = experience.draw(
        screen: screen, of: flow, entries: entries, issues: issues, result: result, languages: [visitor.language],
        properties: ["first_name": "Jane"])
    else { throw PageVisitor.Lost(description: "There is no \(flow)/\(screen).") }
    return ExperiencePage(drawn, action: "/go").html
  }

  /// Every screen of the starter experience, as pages draw it: empty, and with something refused.
  static let experiences: [PageCase] = (starter?.flows ?? []).flatMap { flow in
    flow.screens.flatMap { screen -> [PageCase] in
      let page = "experience \(flow.id)-\(screen.id)"
      return [
        PageCase(markupOf: page, .opened, markup: { try draw(screen.id, of: flow.id, entry: nil, $0) }),
        PageCase(markupOf: page, .refused, markup: { try draw(screen.id, of: flow.id, entry: "x", $0) }),
      ]
    }
  }
}
