import CoreMetrics
import OstiaryCore

/// The outcome of a sign-in, in metrics.
enum SignInOutcome: String, MetricLabel {
  case begun
  case refused
}

/// What happened to tokens, in metrics.
enum TokenOutcome: String, MetricLabel {
  case issued
  case refreshed
  case replayed
  case recovered
  case refused
  case reused
  case ended
}

extension AuditKind: MetricLabel {
  /// The outcome of a sign-in that it is; nil for another event.
  var signIn: SignInOutcome? {
    switch self {
    case .sessionBegun: .begun
    case .passwordRefused, .codeRefused, .admissionRefused, .sessionRefused: .refused
    default: nil
    }
  }

  /// What happened to tokens; nil for another event.
  var token: TokenOutcome? {
    switch self {
    case .grantBegun: .issued
    case .refreshReplayed: .replayed
    case .refreshRecovered: .recovered
    case .grantRefused: .refused
    case .tokenReused: .reused
    case .grantEnded, .accessTokenEnded: .ended
    default: nil
    }
  }

  /// Whether something was refused.
  var isRefusal: Bool {
    switch self {
    case .passwordRefused, .admissionRefused, .formRefused, .mailRefused, .codeRefused, .accountRefused,
      .sessionRefused, .clientRefused, .permissionRefused, .consentRefused, .grantRefused, .tokenReused,
      .administratorRefused:
      true
    default: false
    }
  }
}

extension AuditCause: MetricLabel {
  /// Whether the budget of a client or an account was spent.
  var isSpentBudget: Bool { self == .tooManyAttempts || self == .tooManyMails }
}

/// Counts the events of the audit trail when they are sealed: each is committed then, and of several servers on one database
/// one counts it.
final class AuditMetrics: Sendable {
  private static let events = MetricDefinition(
    "ostiary_audit_events_total", .counter, "Events of the audit trail.", MetricDimension("event", AuditKind.self))
  private static let refusals = MetricDefinition(
    "ostiary_refusals_total", .counter, "Refusals of the audit trail, by their reason.",
    MetricDimension("event", AuditKind.self), MetricDimension("reason", AuditCause.self))
  private static func signIns(_ doors: [MetricValue]) -> MetricDefinition {
    MetricDefinition(
      "ostiary_sign_ins_total", .counter, "Sessions that began, and refusals of a password, a code or a user.",
      MetricDimension("door", doors), MetricDimension("outcome", SignInOutcome.self))
  }
  private static func tokens(_ doors: [MetricValue]) -> MetricDefinition {
    MetricDefinition(
      "ostiary_tokens_total", .counter, "Grants and refreshes of tokens, and their ends.",
      MetricDimension("door", doors), MetricDimension("outcome", TokenOutcome.self))
  }
  private static func budgets(_ doors: [MetricValue]) -> MetricDefinition {
    MetricDefinition(
      "ostiary_spent_budgets_total", .counter,
      "Requests that were refused because too many guesses or mails came before them.", MetricDimension("door", doors),
      MetricDimension("event", AuditKind.self))
  }

  static func definitions(_ doors: [MetricValue]) -> [MetricDefinition] {
    [signIns(doors), tokens(doors), refusals, budgets(doors), events]
  }

  private let signIns, refusals, budgets, events: CounterMetric
  /// Also counts refreshes, which are no events of the trail.
  let tokens: CounterMetric
  /// The door of each route, once the server has its routes.
  private let doors = Locked<[String: MetricValue]>([:])

  /// - Parameter doors: The doors that this server may have.
  init(_ factory: any MetricsFactory, doors: [MetricValue]) {
    signIns = CounterMetric(Self.signIns(doors), factory)
    tokens = CounterMetric(Self.tokens(doors), factory)
    refusals = CounterMetric(Self.refusals, factory)
    budgets = CounterMetric(Self.budgets(doors), factory)
    events = CounterMetric(Self.events, factory)
  }

  /// - Parameter doors: The door of each route's pattern.
  func know(_ doors: [String: MetricValue]) {
    self.doors.withLock { $0 = doors }
  }

  /// Counts events that have been sealed.
  func count(_ records: [AuditRecord]) {
    guard !records.isEmpty else { return }
    let doors = doors.withLock { $0 }
    for record in records {
      // Another server's: a newer one may know further kinds.
      guard let kind = record.kind else { continue }
      let door = Self.door(of: record, doors)
      events.add(record.times, MetricValue(kind))
      if let outcome = kind.signIn { signIns.add(record.times, door, MetricValue(outcome)) }
      if let outcome = kind.token { tokens.add(record.times, door, MetricValue(outcome)) }
      guard let cause = record.cause else { continue }
      if kind.isRefusal { refusals.add(record.times, MetricValue(kind), MetricValue(cause)) }
      if cause.isSpentBudget { budgets.add(record.times, door, MetricValue(kind)) }
    }
  }

  /// The door whose route an event names.
  private static func door(of record: AuditRecord, _ doors: [String: MetricValue]) -> MetricValue {
    guard record.actor == AuditOrigin.Actor.request.rawValue else { return "server" }
    guard let place = record.place, let (_, pattern) = place.byteHalves(at: " ") else { return "other" }
    return doors[String(pattern)] ?? "other"
  }
}
