package import OstiaryClientCommand

extension Catalogue {
  /// All messages of the whole command. A chapter of the demonstration brings its own.
  package static let whole: [any CommandMessage.Type] =
    all + [
      UserMessage.self, AdminMessage.self, DatabaseMessage.self, NodeMessage.self, AuditMessage.self, KeyMessage.self,
      ServeMessage.self,
      ServeDetail.self, ConfigurationMessage.self, ConfigurationProblem.self, SupervisionMessage.self,
      DoorOptionMessage.self, DemoMessage.self, DemoOpening.self, DemoExpectation.self, APIStory.self,
    ] + CommandDoors.chapters.map { $0.messages }
}
