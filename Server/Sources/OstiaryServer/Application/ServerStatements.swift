/// The statements of all features.
enum ServerStatements {
  private static let features: [any StatementSet.Type] = [
    UserStatements.self, SessionStatements.self, GuessStatements.self, MailStatements.self, FreshnessStatements.self,
    TokenStatements.self, ClientStatements.self, CodeStatements.self, DeviceStatements.self, FlowStatements.self,
    AuditStatements.self,
  ]

  static let all = features + houseDoors.flatMap { $0.statements }
}
