import Testing

@Suite("Plan of faults")
struct ClusterPlanTests {
  @Test("The same seed makes the same plan, and another one another", arguments: ClusterPlan.Scenario.allCases)
  func seeds(scenario: ClusterPlan.Scenario) {
    let plan = ClusterPlan(scenario, seed: 7, seconds: 60)
    #expect(plan == ClusterPlan(scenario, seed: 7, seconds: 60))
    #expect(plan.steps != ClusterPlan(scenario, seed: 8, seconds: 60).steps)
  }

  @Test("A longer plan begins with the shorter one", arguments: ClusterPlan.Scenario.allCases)
  func beginning(scenario: ClusterPlan.Scenario) {
    let short = ClusterPlan(scenario, seed: 7, seconds: 20).steps
    #expect(ClusterPlan(scenario, seed: 7, seconds: 1800).steps.starts(with: short))
  }

  @Test(
    "In 20 seconds there are some faults, in their order, and none at the end; in half an hour there is each kind",
    arguments: ClusterPlan.Scenario.allCases, [1, 2, 3] as [UInt64])
  func steps(scenario: ClusterPlan.Scenario, seed: UInt64) {
    let short = ClusterPlan(scenario, seed: seed, seconds: 20, losesPackets: true).steps
    #expect((2...10).contains(short.count))
    for (step, next) in zip(short, short.dropFirst()) { #expect(step.at + step.fault.milliseconds < next.at) }
    #expect(short.allSatisfy { $0.at < 18_000 })
    let kinds = Set(ClusterPlan(scenario, seed: seed, seconds: 1800, losesPackets: true).steps.map(\.fault.name))
    let expected: Set<String> =
      switch scenario {
      case .nodes: ["kill a node", "stop a node"]
      case .database: ["stop the database", "end backends"]
      case .links: ["cut off", "silence", "delay", "lose packets"]
      }
    #expect(kinds == expected)
    #expect(
      ClusterPlan(scenario, seed: seed, seconds: 1800).steps.allSatisfy { $0.fault.name != "lose packets" })
  }
}
