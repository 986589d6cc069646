/// All messages of the client half of the command.
package enum Catalogue {
  /// A new topic adds its type here.
  package static let all: [any CommandMessage.Type] = [
    CommandLineMessage.self, ExitStatusMeaning.self, AdviceMessage.self, CommandWording.self, ServerAddressMessage.self,
    FileMessage.self, PasswordMessage.self,
    PasswordPlace.self, LoginMessage.self, OpenIDMessage.self, KindMessage.self, SessionMessage.self, StatusDetail.self,
    ProfileMessage.self, WhyMessage.self, EventDetail.self, AdministrationMessage.self,
    ExperienceMessage.self, RequestMessage.self, UploadMessage.self, SnapStartMessage.self, DoctorMessage.self,
    DoctorReason.self, DialectMessage.self, DialectTryMessage.self, DialectNewMessage.self, CaptureMessage.self,
    DialectRole.self,
  ]
}
