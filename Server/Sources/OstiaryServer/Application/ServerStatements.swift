/// The statements of all features.
enum ServerStatements {
  static let all: [any StatementSet.Type] = [
    UserStatements.self, SessionStatements.self, ThrottleStatements.self, MailStatements.self, TokenStatements.self,
    ClientStatements.self, CodeStatements.self, DeviceStatements.self, FlowStatements.self, NewzuluStatements.self,
    NewzuluMediaStatements.self, SalesforceStatements.self, PrimerStatements.self,
  ]
}
