internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// `ostiary audit`.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Read what has happened at the server in a data folder.",
    discussion: """
      Every sign-in that was made or refused, every session and token that began or ended, and every change of an account \
      or a client, with its cause. The command works on the data folder, also while `ostiary serve` runs on it. No password, code or \
      token is ever part of it.
      """,
    subcommands: [List.self, Verify.self, Export.self])
}

/// The selection of events.
struct AuditFilterOptions: ParsableArguments {
  @Option(help: "Only what happened to this user, or was tried with this name.")
  var user: String?

  @OptionGroup var tenant: TenantOptions

  @Option(
    help: "Only what happened since then: 2026-11-24, 2026-11-24T15:00:00Z, or 90m, 12h, 7d ago.",
    transform: AuditTime.init)
  var since: AuditTime?

  @Option(
    parsing: .singleValue, help: "Only events of this kind; can be given again. (\(AuditFilterOptions.examples), …)",
    transform: AuditFilterOptions.kind)
  var kind: [AuditKind] = []

  private static let examples = "password_refused, session_ended, token_reused"  // data: help of --kind

  private static func kind(_ text: String) throws -> AuditKind {
    guard let kind = AuditKind(rawValue: text) else {
      throw ValidationError(AuditMessage.unknownKind(text, known: AuditKind.allCases.map(\.rawValue)))
    }
    return kind
  }

  /// The selection as the archive's query.
  func query(_ identity: IdentityService) async throws -> AuditArchive.Query {
    var query = AuditArchive.Query()
    if let user {
      query.user = (user, tenant.tenant, try await identity.user(named: user, tenant: tenant.tenant)?.id)
    }
    query.since = since?.date
    query.kinds = kind
    return query
  }
}

/// A time as people write it.
struct AuditTime: Sendable {
  let date: Date

  /// - Throws: `ValidationError`.
  init(_ text: String) throws {
    let units: [Character: TimeInterval] = ["m": 60, "h": 3600, "d": 86_400]
    if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), (0...1_000_000).contains(count) {
      date = Date(timeIntervalSinceNow: -unit * TimeInterval(count))
    } else if let moment = try? Date(text, strategy: .iso8601) {
      date = moment
    } else if let day = try? Date(text, strategy: .iso8601.year().month().day()) {
      date = day
    } else {
      throw ValidationError(AuditMessage.badTime(text))
    }
  }
}
