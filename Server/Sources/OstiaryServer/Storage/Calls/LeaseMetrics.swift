import CoreMetrics

/// The result of a question for a lease, in metrics.
enum LeaseQuestionOutcome: String, MetricLabel {
  case granted
  /// Answered when the lease was over.
  case late
  /// Ends did not wait for this server: it has to register and to ask again.
  case unlisted
  /// Something that announces no ends writes to the database, such as an older server: there is no lease beside it.
  case silentWriter = "silent_writer"
  /// It is not known whether the question was committed.
  case uncommitted
  /// The database has not answered.
  case failed
}

/// Why a server has emptied its caches, in metrics.
enum LeaseEmptying: String, MetricLabel {
  /// Another database server has taken over, or a back-up was restored.
  case timeline
  /// The database has forgotten ends, and does not say why.
  case counter
  /// Ends were too many to be read, or are not there any more.
  case missing
  /// Something had written to the database without announcing ends, and is gone.
  case silentWriter = "silent_writer"
}

/// How the wait of a call has ended that ended something, in metrics.
enum EndWaitOutcome: String, MetricLabel {
  /// All servers have applied the end.
  case applied
  /// A server did not answer: the call has waited until it can't believe its caches any more.
  case waitedOut = "waited_out"
  /// Another database server has taken over meanwhile.
  case unknown
}

/// What a server's row tells of it, in metrics.
enum NodeState: String, MetricLabel {
  /// It asks for leases, and ends wait for it.
  case listed
  /// It asks the database for everything.
  case unlisted
  /// It has left without a word, or does not reach the database.
  case silent
}

/// The metrics of a server's agreement with the others on its database.
final class LeaseMetrics: Sendable {
  private static let held = MetricDefinition(
    "ostiary_lease_held", .gauge,
    "Whether this server holds a lease and believes its caches: 1, or 0 if it asks PostgreSQL for every look-up.")
  private static let listens = MetricDefinition(
    "ostiary_lease_listening", .gauge, "Whether notices of ends arrive from PostgreSQL: 1, or 0.")
  private static let age = MetricDefinition(
    "ostiary_lease_age_seconds", .gauge, "Time since this server asked for its newest lease; NaN if it had none.")
  private static let questions = MetricDefinition(
    "ostiary_lease_questions_total", .counter, "Questions for a lease, by their outcome.",
    MetricDimension("outcome", LeaseQuestionOutcome.self))
  private static let ends = MetricDefinition(
    "ostiary_ends_applied_total", .counter, "Ends, of this and of other servers, that were applied to the caches.")
  private static let emptyings = MetricDefinition(
    "ostiary_caches_emptied_total", .counter, "How often all caches were emptied, by the cause.",
    MetricDimension("cause", LeaseEmptying.self))
  private static let waits = MetricDefinition(
    "ostiary_end_wait_seconds", .histogram,
    "Time from the commit of an end until every server knows of it, by how the wait has ended.",
    MetricDimension("outcome", EndWaitOutcome.self))
  private static let nodes = MetricDefinition(
    "ostiary_nodes", .gauge, "Servers that share the database, by what their rows tell.",
    MetricDimension("state", NodeState.self))

  static let all = [held, listens, age, questions, ends, emptyings, waits, nodes]

  private let held, listens, age, nodes: GaugeMetric
  private let questions, ends, emptyings: CounterMetric
  private let waits: DurationMetric

  init(_ factory: any MetricsFactory) {
    held = GaugeMetric(Self.held, factory)
    listens = GaugeMetric(Self.listens, factory)
    age = GaugeMetric(Self.age, factory)
    nodes = GaugeMetric(Self.nodes, factory)
    questions = CounterMetric(Self.questions, factory)
    ends = CounterMetric(Self.ends, factory)
    emptyings = CounterMetric(Self.emptyings, factory)
    waits = DurationMetric(Self.waits, factory)
  }

  func asked(_ outcome: LeaseQuestionOutcome) { questions.add(1, MetricValue(outcome)) }

  func applied(ends: Int) { self.ends.add(ends) }

  func emptied(_ cause: LeaseEmptying) { emptyings.add(1, MetricValue(cause)) }

  func waited(_ outcome: EndWaitOutcome, for time: Duration) { waits.record(time, MetricValue(outcome)) }

  /// - Parameter age: how long ago the newest lease was asked for; nil if there was none.
  func read(isHeld: Bool, isListening: Bool, age: Duration?) {
    held.set(isHeld ? 1 : 0)
    listens.set(isListening ? 1 : 0)
    self.age.set(age?.timeInterval ?? .nan)
  }

  /// - Parameter count: nil if the servers can't be read.
  func read(_ count: [NodeState: Int]?) {
    for state in NodeState.allCases { nodes.set(count.map { Double($0[state] ?? 0) } ?? .nan, MetricValue(state)) }
  }
}
