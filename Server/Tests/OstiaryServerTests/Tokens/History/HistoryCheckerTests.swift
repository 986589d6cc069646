import Testing

@Suite("History checker")
struct HistoryCheckerTests {
  private static func operation(
    _ token: String, _ outcome: TokenOperation.Outcome, _ span: ClosedRange<Int>, time: Double = 0,
    action: TokenOperation.Action = .refresh
  ) -> TokenOperation {
    TokenOperation(
      action: action, token: token, time: time, start: span.lowerBound,
      end: outcome == .unknown ? .max : span.upperBound, outcome: outcome)
  }

  private static func accepts(_ operations: [TokenOperation]) -> Bool {
    var checker = HistoryChecker(operations, window: 60)
    return checker.isLinearizable(first: "A")
  }

  @Test("RT-04: what a family may do is accepted")
  func right() {
    let use = Self.operation("A", .issued("B"), 0...1)
    #expect(Self.accepts([]))
    #expect(Self.accepts([use, Self.operation("A", .issued("B"), 2...3, time: 59)]))
    #expect(Self.accepts([use, Self.operation("B", .issued("C"), 2...3), Self.operation("A", .issued("B"), 4...5)]))
    #expect(Self.accepts([use, Self.operation("A", .refused("reused"), 2...3, time: 60)]))
    // Lost, and then seen by another client; or never happened.
    let lost = Self.operation("A", .unknown, 0...0)
    #expect(Self.accepts([lost, Self.operation("A", .issued("B"), 1...2), Self.operation("B", .issued("C"), 3...4)]))
    #expect(Self.accepts([lost]))
    // At the same time, in either order.
    #expect(Self.accepts([Self.operation("B", .issued("C"), 2...9), use, Self.operation("A", .issued("B"), 3...4)]))
    #expect(
      Self.accepts([
        use, Self.operation("B", .found(true), 2...5, action: .revoke), Self.operation("B", .issued("C"), 3...4),
      ]))
    #expect(
      Self.accepts([
        use, Self.operation("B", .found(true), 2...5, action: .revoke), Self.operation("B", .refused("unknown"), 3...4),
      ]))
    // A lost revocation takes effect whenever.
    #expect(
      Self.accepts([
        Self.operation("A", .unknown, 0...0, action: .revoke), Self.operation("A", .issued("B"), 1...2),
        Self.operation("B", .refused("unknown"), 3...4),
      ]))
  }

  @Test("RT-04: what a family must not do is found out")
  func wrong() {
    let use = Self.operation("A", .issued("B"), 0...1)
    // Another branch.
    #expect(!Self.accepts([use, Self.operation("A", .issued("C"), 2...3)]))
    #expect(!Self.accepts([Self.operation("A", .issued("C"), 0...9), Self.operation("A", .issued("B"), 0...9)]))
    // No rotation at all.
    #expect(!Self.accepts([Self.operation("A", .issued("A"), 0...1)]))
    // Reuse that goes unnoticed, or is noticed too early.
    #expect(!Self.accepts([use, Self.operation("A", .issued("B"), 2...3, time: 60)]))
    #expect(!Self.accepts([use, Self.operation("A", .refused("reused"), 2...3, time: 59)]))
    // A family that survives its end.
    let reuse = Self.operation("A", .refused("reused"), 2...3, time: 60)
    #expect(!Self.accepts([use, reuse, Self.operation("B", .issued("C"), 4...5)]))
    let end = Self.operation("A", .found(true), 0...1, action: .revoke)
    #expect(!Self.accepts([end, Self.operation("A", .issued("B"), 2...3)]))
    #expect(!Self.accepts([use, Self.operation("B", .found(false), 2...3, action: .revoke)]))
    // A live token that is refused: a user signed out by accident.
    #expect(!Self.accepts([use, Self.operation("B", .refused("unknown"), 2...3)]))
    #expect(!Self.accepts([use, Self.operation("B", .refused("reused"), 2...3)]))
    // A durable answer that a crash has undone.
    #expect(!Self.accepts([use, Self.operation("A", .unknown, 2...2), Self.operation("A", .issued("C"), 3...4)]))
    // A token that the past knows nothing of.
    #expect(!Self.accepts([use, Self.operation("X", .issued("Y"), 2...3)]))
  }
}
