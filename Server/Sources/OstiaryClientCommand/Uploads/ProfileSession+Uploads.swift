internal import OstiaryCore
internal import OstiaryNewzulu

extension ProfileSession {
  /// The client of a Newzulu profile, with the profile's session.
  func newzuluClient(_ environment: CommandEnvironment) throws -> NewzuluClient {
    try NewzuluClient(
      manager: manager, user: profile.user, clock: environment.clock, logger: environment.logger(verbose: false))
  }

  /// Gives up the uploads that were interrupted: they end with the user's session. That the server could not be told is a warning, and keeps
  /// no user signed in.
  func abandonUploads(_ environment: CommandEnvironment, journal: any SessionStore) async {
    guard profile.kind == .newzulu else { return }
    do {
      try await newzuluClient(environment).abandonUploads(in: journal)
    } catch {
      environment.console.warn(UploadMessage.notAbandoned(reason: FailureReport.words(error)))
    }
  }
}
