import OstiaryTesting

/// What is done to a cluster, and when: a value that a seed makes, so that a run can be repeated.
struct ClusterPlan: Sendable, Equatable {
  /// What kind of faults there are.
  enum Scenario: String, CaseIterable, Sendable {
    /// Nodes are killed, and stopped past their leases.
    case nodes
    /// PostgreSQL stops as in a crash, and single backends end.
    case database
    /// The way between a node and the database is cut, says nothing, or is slow.
    case links
  }

  enum Fault: Sendable, Equatable {
    /// SIGKILL, and a new process in its place.
    case killNode(Int)
    /// SIGSTOP, and SIGCONT after a while.
    case stopNode(Int, milliseconds: Int)
    /// PostgreSQL stops in the mode `immediate`, and starts after a while.
    case stopDatabase(milliseconds: Int)
    /// Some of PostgreSQL's backends end (`pg_terminate_backend`).
    case endBackends(Int)
    /// The node's connections to the database break, and none can be made.
    case cutOff(Int, milliseconds: Int)
    /// What the node and the database say to each other arrives after the end of the fault.
    case silence(Int, milliseconds: Int)
    /// The node's packets to and from the database arrive late.
    case delay(Int, by: Int, milliseconds: Int)
    /// A fraction of the packets of the node's link to the database is lost, in thousandths.
    case losePackets(Int, perMille: Int, milliseconds: Int)
  }

  struct Step: Sendable, Equatable {
    /// Milliseconds since the plan began. A fault that takes longer than the time to the next one delays it.
    let at: Int
    let fault: Fault
  }

  let scenario: Scenario
  let seed: UInt64
  let steps: [Step]

  /// Makes a plan: a fault every two to four seconds, none in the last two seconds.
  /// - Parameter losesPackets: whether there is a network whose packets can be lost.
  init(_ scenario: Scenario, seed: UInt64, seconds: Int, nodes: Int = 3, losesPackets: Bool = false) {
    (self.scenario, self.seed) = (scenario, seed)
    var random = SplitMix64(seed: seed ^ Self.salt(scenario))
    var steps: [Step] = []
    var time = Int.random(in: 500...1500, using: &random)
    while time < seconds * 1000 - 2000 {
      let fault = Self.fault(scenario, nodes, losesPackets, &random)
      steps.append(Step(at: time, fault: fault))
      time += fault.milliseconds + Int.random(in: 2000...4000, using: &random)
    }
    self.steps = steps
  }

  /// So that the scenarios of one seed differ from each other.
  private static func salt(_ scenario: Scenario) -> UInt64 {
    switch scenario {
    case .nodes: 0x6E6F_6465
    case .database: 0x6462
    case .links: 0x6C69_6E6B
    }
  }

  private static func fault(
    _ scenario: Scenario, _ nodes: Int, _ losesPackets: Bool, _ random: inout SplitMix64
  ) -> Fault {
    let node = Int.random(in: 0..<nodes, using: &random)
    let kind = Int.random(in: 0..<(losesPackets ? 4 : 3), using: &random)
    switch scenario {
    case .nodes:
      // Leases last a second: a stop is shorter than one, or much longer.
      let stop = Int.random(in: kind == 1 ? 100...900 : 1200...3500, using: &random)
      return kind == 0 || kind == 3 ? .killNode(node) : .stopNode(node, milliseconds: stop)
    case .database:
      let pause = Int.random(in: 0...1500, using: &random)
      return kind == 0 ? .stopDatabase(milliseconds: pause) : .endBackends(Int.random(in: 1...6, using: &random))
    case .links:
      let length = Int.random(in: 500...3000, using: &random)
      return switch kind {
      case 0: .cutOff(node, milliseconds: length)
      case 1: .silence(node, milliseconds: length)
      case 2: .delay(node, by: Int.random(in: 5...150, using: &random), milliseconds: length)
      default: .losePackets(node, perMille: Int.random(in: 50...400, using: &random), milliseconds: length)
      }
    }
  }
}

extension ClusterPlan.Fault {
  /// How long it lasts.
  var milliseconds: Int {
    switch self {
    case .killNode, .endBackends: 0
    case .stopNode(_, let milliseconds), .stopDatabase(let milliseconds), .cutOff(_, let milliseconds),
      .silence(_, let milliseconds), .delay(_, _, let milliseconds), .losePackets(_, _, let milliseconds):
      milliseconds
    }
  }

  /// Its kind, for counting.
  var name: String {
    switch self {
    case .killNode: "kill a node"
    case .stopNode: "stop a node"
    case .stopDatabase: "stop the database"
    case .endBackends: "end backends"
    case .cutOff: "cut off"
    case .silence: "silence"
    case .delay: "delay"
    case .losePackets: "lose packets"
    }
  }
}
