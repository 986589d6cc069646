internal import Foundation

/// All findings of `ostiary doctor`, for people and for programs.
struct DoctorReport: Sendable, Equatable {
  private var found: [DoctorCheck: DoctorFinding] = [:]

  mutating func add(_ finding: DoctorFinding) { found[finding.check] = finding }

  subscript(check: DoctorCheck) -> DoctorFinding? { found[check] }

  /// The findings in the order in which they are told.
  var findings: [DoctorFinding] { DoctorCheck.allCases.compactMap { found[$0] } }

  /// The finding that keeps a check from being made: of a check that it needs, or of one that that one needs.
  func obstacle(to check: DoctorCheck) -> DoctorFinding? {
    check.needs.lazy.compactMap { found[$0] }.first(where: \.blocks)
  }

  /// The status of the first check that failed.
  var status: ExitStatus { findings.lazy.compactMap(\.status).first ?? .success }

  /// One line a check, then a summary.
  var lines: [Line] {
    let width = DoctorCheck.allCases.map(\.words.count).max() ?? 0
    let rows = findings.map { finding -> Line in
      let advice: Line = finding.message.advice.isEmpty ? "" : " \(finding.message.advice)"
      return "\(finding.state.mark) \(finding.check.words.padded(to: width), .dim)  \(finding.message.line)\(advice)"
    }
    func count(_ state: DoctorFinding.State) -> Int { findings.count { $0.state == state } }
    let version = "ostiary \(CommandEnvironment.version), \(Self.system)"
    return rows + [DoctorMessage.summary(of: version, failed: count(.failed), warned: count(.warning)).line]
  }

  private static var system: String { ProcessInfo.processInfo.operatingSystemVersionString }

  /// The document of `--json`.
  struct Document: Encodable {
    struct Check: Encodable {
      let check: DoctorCheck
      let state: DoctorFinding.State
      let message: String
      let advice: String?
    }

    let version: String
    let system: String
    let checks: [Check]
    let exitCode: Int32
  }

  var document: Document {
    Document(
      version: CommandEnvironment.version, system: Self.system,
      checks: findings.map { finding in
        Document.Check(
          check: finding.check, state: finding.state, message: finding.message.line.plain,
          advice: finding.message.advice.isEmpty ? nil : finding.message.advice)
      },
      exitCode: status.rawValue)
  }
}

extension DoctorFinding.State {
  /// The sign at the beginning of its line.
  fileprivate var mark: Line {
    switch self {
    case .good: "\("✓", .green)"
    case .warning: "\("!", .yellow)"
    case .failed: "\("✗", .red)"
    case .skipped: "\("–", .dim)"
    }
  }
}
