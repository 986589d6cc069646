internal import OstiaryExperiences

/// The result of checking a document.
struct ExperienceReport: Sendable, Encodable {
  struct Flow: Sendable, Encodable {
    let id: String
    let kind: String
    let screens: Int
  }

  /// The document's name on the command line.
  let file: String
  let isValid: Bool
  /// The experience's id and version; `nil` if it can't be used.
  let experience: String?
  let version: Int?
  let flows: [Flow]
  let problems: [ExperienceProblem]
  let notices: [ExperienceProblem]

  init(_ report: Experience.Report, of file: String) {
    self.file = file
    isValid = report.problems.isEmpty
    experience = report.experience?.id
    version = report.experience?.version
    flows = (report.experience?.flows ?? []).map {
      Flow(id: $0.id, kind: $0.kind.rawValue, screens: $0.screens.count)
    }
    problems = report.problems
    notices = report.notices
  }

  /// The report for people: one line for each problem, which begins with the place, as in compilers' messages.
  var lines: [Line] {
    var lines = problems.map { problem -> Line in
      "\(file): \(problem.path, .bold): \("error:", .failure) \(problem.message)"
    }
    lines += notices.map { "\(file): \($0.path, .bold): \("warning:", .yellow) \($0.message)" }
    let conclusion: ExperienceMessage =
      if let experience, let version {
        .usable(file: file, experience: experience, version: version, flows: flows.count)
      } else {
        .unusable(file: file, problems: problems.count)
      }
    return lines + [conclusion.line]
  }
}
