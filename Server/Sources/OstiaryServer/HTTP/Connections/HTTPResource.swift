/// The resources that every client uses, at every door. Each limit is a case here; the switches below require its other values.
enum HTTPResource: String, MetricLabel {
  case descriptors
  case connections
  case connectionsPerAddress = "connections_per_address"
  case requestsPerClient = "requests_per_client"
  case connectionMemory = "connection_memory"
  case headerBytes = "header_bytes"
  case headerFields = "header_fields"
  case bodyBytes = "body_bytes"
  case bodyTime = "body_time"
  case idleTime = "idle_time"
  case writeTime = "write_time"

  /// The limit that a request's body has reached; nil for another problem.
  init?(_ problem: BodyProblem) {
    switch problem {
    case .tooLarge: self = .bodyBytes
    case .tooSlow: self = .bodyTime
    case .malformed: return nil
    }
  }

  private var title: String {
    switch self {
    case .descriptors: "Open files and sockets"
    case .connections: "Connections"
    case .connectionsPerAddress: "Connections of one address (IPv6: of one /64)"
    case .requestsPerClient: "Requests under way for one client, also behind a trusted proxy"
    case .connectionMemory: "What a connection holds of its client's bytes"
    case .headerBytes: "A request's header section"
    case .headerFields: "Header fields"
    case .bodyBytes: "A request's body"
    case .bodyTime: "Time for a body to arrive"
    case .idleTime: "Time for a connection to be silent"
    case .writeTime: "Time for a client to read 16 KiB of an answer"
    }
  }

  private var standard: String {
    switch self {
    case .descriptors: "what the system lets the process have, 65,536 at most (macOS: 10,240)"
    case .connections: "4096, or half of the open files less 64, or what half of the memory holds, where that is fewer"
    case .connectionsPerAddress: "a quarter of the connections, 8 at least"
    case .requestsPerClient: "as many as connections of one address"
    case .connectionMemory: "a header section and a body"
    case .headerBytes: "32 KiB"
    case .headerFields: "100"
    case .bodyBytes: "1 MiB; uploads and what the gateway passes on are not held"
    case .bodyTime: "20 s"
    case .idleTime: "60 s"
    case .writeTime: "30 s"
    }
  }

  private var refusal: String {
    switch self {
    case .descriptors: "no connection takes the last ones; with too few the server says so and does not start"
    case .connections, .connectionsPerAddress:
      "the connection that was silent for longest is closed for a new one; where none is silent the new one gets 503"
    case .requestsPerClient: "429"
    case .connectionMemory: "no more connections are taken in than half of the machine's memory holds, 16 at least"
    case .headerBytes, .headerFields: "400, and the connection is closed"
    case .bodyBytes: "413"
    case .bodyTime: "408"
    case .idleTime, .writeTime: "the connection is closed"
    }
  }

  private func most(_ limits: HTTPLimits, _ connections: ConnectionLimits, _ descriptors: DescriptorLimit)
    -> ResourceLimit.Amount
  {
    switch self {
    case .descriptors: .count(descriptors.most)
    case .connections: .count(connections.connections)
    case .connectionsPerAddress: .count(connections.perAddress)
    case .requestsPerClient: .count(connections.requestsPerClient)
    case .connectionMemory: .bytes(limits.connectionSize)
    case .headerBytes: .bytes(limits.headerSize)
    case .headerFields: .count(limits.headerCount)
    case .bodyBytes: .bytes(limits.bodySize)
    case .bodyTime: .time(limits.bodyTime)
    case .idleTime: .time(limits.idleTime)
    case .writeTime: .time(limits.writeTime)
    }
  }

  /// How often each was reached is told by what refuses. Where descriptors or memory make the limit of connections what it is, that
  /// limit is theirs, too.
  private func count(_ connections: Connections, _ underWay: RequestsUnderWay) -> @Sendable () -> Int {
    let isReason = connections.limits.reason == self
    return switch self {
    case .descriptors, .connectionMemory:
      { [self] in connections.timesReached(self) + (isReason ? connections.counts.ofAll : 0) }
    case .connections: { connections.counts.ofAll }
    case .connectionsPerAddress: { connections.counts.ofAddress }
    case .requestsPerClient: { underWay.refused }
    // The parser has one error for its two limits.
    case .headerFields: { connections.timesReached(.headerBytes) }
    case .headerBytes, .bodyBytes, .bodyTime, .idleTime, .writeTime: { [self] in connections.timesReached(self) }
    }
  }

  /// All of them, on a server.
  static func limits(
    _ limits: HTTPLimits, _ connections: Connections, _ underWay: RequestsUnderWay, _ descriptors: DescriptorLimit
  ) -> [ResourceLimit] {
    allCases.map { resource in
      ResourceLimit(
        MetricValue(resource), resource.title, resource.most(limits, connections.limits, descriptors),
        standard: resource.standard, refusal: resource.refusal, count: resource.count(connections, underWay))
    }
  }
}
