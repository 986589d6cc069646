internal import Foundation
internal import Logging
internal import OstiaryCore

/// Makes the checks of `ostiary doctor`, one after the other, each with a time limit. What a check needs and was not found well
/// makes it a skipped one.
///
/// It signs in, renews and ends nothing. Of the server it asks two things at most: what a stranger gets, and what
/// `ostiary status --check` asks.
struct Doctor: Sendable {
  let environment: CommandEnvironment
  let logger: Logger
  /// The profile to look at; `nil` for the current one.
  let name: String?
  let hidesHosts: Bool
  /// How long a check may take.
  let limit: Duration

  /// What checks leave for those after them.
  struct Facts: Sendable {
    var folders: Folders?
    var profile: Profile?
    var stack: DoctorStack?
    var mask = DoctorMask()
    /// The answers to a stranger, by the profile of their server.
    var exchanges: [String: DoctorExchange] = [:]

    /// Whether the server was found well, once it has been looked at.
    var canAskServer = false

    /// The server's origin.
    var origin: Origin? { profile.flatMap { Origin($0.server) } }
  }

  func run() async -> DoctorReport {
    var report = DoctorReport()
    var facts = Facts()
    for check in DoctorCheck.inOrderOfWork {
      if let obstacle = report.obstacle(to: check) {
        report.add(Self.skipped(check, obstacle))
        continue
      }
      facts.canAskServer = report[.server].map { !$0.blocks } ?? false
      let known = facts
      let result = await TimeLimit.run(limit) { await make(check, known) }
      guard let (finding, newer) = result else {
        report.add(tooSlow(check))
        continue
      }
      facts = newer
      report.add(finding)
    }
    await facts.stack?.close()
    return report
  }

  private func make(_ check: DoctorCheck, _ facts: Facts) async -> (DoctorFinding, Facts) {
    var facts = facts
    let finding =
      switch check {
      case .profile: checkProfile(&facts)
      case .store: await checkStore(facts)
      case .proxy: checkProxy(facts)
      case .dns: await checkName(facts)
      case .tls: await checkCertificate(facts)
      case .gateway: await checkGateways(&facts)
      case .server: await checkServer(&facts)
      case .clock: checkClock(facts)
      case .session: await checkSession(facts)
      }
    return (finding, facts)
  }

  /// Why a check is skipped: the first check on the way to it that has failed.
  private static func skipped(_ check: DoctorCheck, _ obstacle: DoctorFinding) -> DoctorFinding {
    if case .skipped(let because) = obstacle.message { return .skipped(check, because: because) }
    if obstacle.message == .noProfile { return .skipped(check, because: .noProfile) }
    return .skipped(check, because: .hasFailed(check: obstacle.check.article))
  }

  private func tooSlow(_ check: DoctorCheck) -> DoctorFinding {
    let time = limit < .seconds(1) ? "\(Int(limit / .milliseconds(1))) ms" : Timestamp.words(limit)
    return .failed(check, .tooSlow(time: time), check == .store ? .store : .network)
  }

  /// An error as a finding. The transport's limit is that of the checks, and either may be the first to notice.
  func failed(_ check: DoctorCheck, _ error: any Error, _ mask: DoctorMask) -> DoctorFinding {
    if (error as? OstiaryError)?.code == .timedOut { return tooSlow(check) }
    guard let report = FailureReport(describing: error) else {
      return .failed(check, .unknownFailure, .failure)
    }
    return .failed(
      check, .unusable(message: mask.text(report.message), advice: mask.text(report.advice)),
      ExitStatus(rawValue: report.exitCode))
  }
}
