internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// The Primer door, as the command has it: what `ostiary serve` takes for it, and its chapter.
struct PrimerCommandDoor: CommandDoor {
  static let chapter: (any DemoChapter)? = PrimerDemo()

  static let discussion: String? = """
    Apps with Primer's SDK get their experiences at /primer: a starter with sign-up (--allow-sign-up), log-in and recovery, or what \
    --primer-experience gives.
    """

  /// Tokens are secrets: the file names files with them, never themselves.
  static let settings = [
    FileSetting("primer.experience", "primer-experience", .files),
    FileSetting("primer.tokenFile", "primer-token", .secretFile),
    FileSetting("primer.formerTokensFile", "primer-former-token", .secretsFile),
    FileSetting(
      "primer.backend", "primer-backend", .word(PrimerDoorConfiguration.Backend.allCases.map(\.rawValue))),
  ]

  @Option(
    name: .customLong("primer-experience"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file with an experience for apps; may be given several times, once for each type. (default: a starter with "
        + "sign-up, log-in and recovery)", valueName: "file"), completion: .file())
  var experiences: [String] = []

  @Option(
    name: .customLong("primer-token"),
    help: ArgumentHelp("What apps show to get experiences. (default: one that is made and kept)", valueName: "token"))
  var token: String?

  @Option(
    name: .customLong("primer-former-token"), parsing: .singleValue,
    help: ArgumentHelp(
      "A token that copies of the app still show which have not been updated; may be given several times, the oldest first.",
      valueName: "token"))
  var formerTokens: [String] = []

  @Option(
    name: .customLong("primer-backend"),
    help: ArgumentHelp(
      "Who may use the stand-in for an app's own backend, which tells whether an e-mail address is taken and makes accounts "
        + "without a mail: loopback (while only this machine can reach the server), everywhere or none.",
      valueName: "who"),
    transform: PrimerDoorConfiguration.Backend.init(option:))
  var backend = PrimerDoorConfiguration.Backend.onThisMachine

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    server.primer = try configuration(environment)
  }

  /// The door's configuration from these options.
  /// - Throws: ``OstiaryError`` `invalidInput` for a file that can't be read.
  func configuration(_ environment: CommandEnvironment) throws -> PrimerDoorConfiguration {
    var configuration = PrimerDoorConfiguration()
    var app = PrimerApp(token: token)
    app.formerTokens = formerTokens
    if !experiences.isEmpty { app.experiences = try experiences.map { try environment.document(ofFile: $0) } }
    configuration.apps = [app]
    configuration.backend = backend
    return configuration
  }
}

extension PrimerDoorConfiguration.Backend {
  /// - Throws: `ValidationError` for any other word.
  init(option: String) throws {
    guard let backend = Self(rawValue: option) else {
      throw ValidationError(DoorOptionMessage.badChoice(option, known: Self.allCases.map(\.rawValue)))
    }
    self = backend
  }
}
