import CoreMetrics
import OstiaryCore

/// The caches that save look-ups in the database, in metrics.
enum CacheName: String, MetricLabel {
  case token
  case client
  case session
}

/// The result of a look-up in a cache, in metrics.
enum CacheResult: String, MetricLabel {
  case hit
  case miss
}

/// All metrics of a server. Features get ``factory``, and make their own with it; the others, which are counted elsewhere, are
/// read when `/metrics` is.
final class ServerMetrics: Sendable {
  private static let hashQueue = MetricDefinition(
    "ostiary_hash_queue_passwords", .gauge, "Passwords that wait for a thread that hashes them.")
  private static let cacheLookups = MetricDefinition(
    "ostiary_cache_lookups_total", .counter, "Look-ups in caches, which ask the database on a miss.",
    MetricDimension("cache", CacheName.self), MetricDimension("result", CacheResult.self))
  private static let ready = MetricDefinition(
    "ostiary_ready", .gauge, "Whether a check of /readyz is passed: 1, or 0 if it has failed.",
    MetricDimension("check", ReadinessPart.self))
  private static let degraded = MetricDefinition(
    "ostiary_degraded", .gauge, "Whether a check of /readyz needs attention: 1, or 0.",
    MetricDimension("check", ReadinessPart.self))
  private static let start = MetricDefinition(
    "ostiary_start_time_seconds", .gauge, "When the server was started, in seconds since 1970.")
  private static let diskFree = MetricDefinition(
    "ostiary_disk_free_bytes", .gauge, "Space that is free on the disk of the data folder.")
  private static let diskSize = MetricDefinition(
    "ostiary_disk_size_bytes", .gauge, "Size of the disk of the data folder.")
  private static let backupAge = MetricDefinition(
    "ostiary_backup_age_seconds", .gauge, "Time since the last back-up; NaN if none is known.")
  private static func limits(_ limits: [MetricValue]) -> MetricDefinition {
    MetricDefinition(
      "ostiary_limits_reached_total", .counter, "How often a limit of a resource was reached, by its name.",
      MetricDimension("limit", limits))
  }

  private static func definitions(_ doors: [MetricValue]) -> [MetricDefinition] {
    RequestMetrics.definitions(doors) + AuditMetrics.definitions(doors)
      + [HashPool.waitDefinition, hashQueue, cacheLookups] + StorageMetrics.all + MailMetrics.all
      + [ready, degraded, start, diskFree, diskSize, backupAge, TraceMetrics.spans]
  }

  /// The names of the doors of these kinds, and of what is no door: the server's own routes and work, other servers' doors on
  /// the same database, and paths that no door has.
  static func doors(of kinds: [MetricValue]) -> [MetricValue] {
    kinds.reduce(into: ["server", "other", "none"]) { if !$0.contains($1) { $0.append($1) } }
  }

  /// All of them.
  var definitions: [MetricDefinition] { registry.definitions }
  /// Makes the metrics of the features.
  let factory: any MetricsFactory
  let requests: RequestMetrics
  let audit: AuditMetrics
  let storage: StorageMetrics
  private let registry: PrometheusRegistry
  private let cacheLookups: CounterMetric
  private let limits = Locked<CounterMetric?>(nil)
  private let hashQueue, ready, degraded, start, waiting, overdue, failing: GaugeMetric
  private let diskFree, diskSize, backupAge: GaugeMetric

  /// - Parameters:
  ///   - kinds: The names of the doors that this server may have.
  ///   - further: Gets all metrics as well.
  init(doors kinds: [MetricValue], beside further: (any MetricsFactory)?) {
    let doors = Self.doors(of: kinds)
    registry = PrometheusRegistry(Self.definitions(doors))
    let factory: any MetricsFactory =
      if let further { MultiplexMetricsHandler(factories: [registry, further]) } else { registry }
    self.factory = factory
    requests = RequestMetrics(factory, doors: doors)
    audit = AuditMetrics(factory, doors: doors)
    storage = StorageMetrics(factory)
    cacheLookups = CounterMetric(Self.cacheLookups, factory)
    hashQueue = GaugeMetric(Self.hashQueue, factory)
    ready = GaugeMetric(Self.ready, factory)
    degraded = GaugeMetric(Self.degraded, factory)
    start = GaugeMetric(Self.start, factory)
    waiting = GaugeMetric(MailMetrics.waiting, factory)
    overdue = GaugeMetric(MailMetrics.overdue, factory)
    failing = GaugeMetric(MailMetrics.failing, factory)
    diskFree = GaugeMetric(Self.diskFree, factory)
    diskSize = GaugeMetric(Self.diskSize, factory)
    backupAge = GaugeMetric(Self.backupAge, factory)
  }

  /// The metrics as Prometheus reads them.
  var text: String { registry.text }

  // MARK: Values that are read

  func began(at seconds: Double) { start.set(seconds) }

  func read(_ report: ReadinessReport) {
    for (part, state) in report.parts {
      if case .failed = state { ready.set(0, MetricValue(part)) } else { ready.set(1, MetricValue(part)) }
      if case .degraded = state { degraded.set(1, MetricValue(part)) } else { degraded.set(0, MetricValue(part)) }
    }
  }

  func read(_ disk: DiskSpace) {
    diskFree.set(disk.free)
    diskSize.set(disk.size)
  }

  /// - Parameter age: Nil if no back-up is known.
  func read(backupAge age: Duration?) { backupAge.set(age?.timeInterval ?? .nan) }

  func read(_ pool: HashPool) { hashQueue.set(Double(pool.waiting)) }

  /// The limits of this server, which are known when it has started.
  func know(_ all: [ResourceLimit]) {
    let definition = Self.limits(all.map(\.metricValue))
    registry.declare(definition)
    limits.withLock { $0 = CounterMetric(definition, factory) }
  }

  func read(_ all: [ResourceLimit]) {
    guard let limits = limits.withLock({ $0 }) else { return }
    for limit in all { if let times = limit.timesReached { limits.reach(times, limit.metricValue) } }
  }

  func read(cachesOf storage: ServerStorage) {
    let caches: [(CacheName, CacheUse)] = [
      (.token, TokenCache.of(storage).uses), (.client, ClientCache.of(storage).uses),
      (.session, SessionCache.of(storage).uses),
    ]
    for (name, use) in caches {
      let counts = use.counts
      cacheLookups.reach(counts.hits, MetricValue(name), MetricValue(CacheResult.hit))
      cacheLookups.reach(counts.misses, MetricValue(name), MetricValue(CacheResult.miss))
    }
    for (door, count) in TokenRefreshes.of(storage).counts {
      audit.tokens.reach(count, door, MetricValue(TokenOutcome.refreshed))
    }
  }

  /// - Parameters:
  ///   - backlog: Nil if it can't be read.
  ///   - overdue: How long the mail that is due first has been due.
  ///   - failing: How long no mail could be sent.
  func read(_ backlog: MailBacklog?, overdue late: Duration?, failing since: Duration?) {
    waiting.set(backlog.map { Double($0.count) } ?? .nan)
    overdue.set(backlog == nil ? .nan : late?.timeInterval ?? 0)
    failing.set(since?.timeInterval ?? 0)
  }
}
