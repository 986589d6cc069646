internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryNewzulu

/// `ostiary upload`.
struct UploadCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Upload photos and videos (newzulu).",
    discussion: """
      Uploads each file in parts, which are sent again when they get lost. When it is interrupted, by Ctrl-C or a failure, \
      the server keeps what it has, and the same command sends the rest; `ostiary logout` gives that up. A file that has \
      changed meanwhile, or has another title, begins anew.

      A terminal shows how far it has come. The exit status is that of the first file that failed, and 130 after Ctrl-C; the \
      other files are uploaded all the same.
      """)

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  @Option(help: "The title, for one file. (default: the file's name)")
  var title: String?

  @Option(help: "A description.")
  var message: String?

  @Option(name: .customLong("type"), help: "The media type. (default: what the file's name usually means)")
  var mediaType: String?

  @Option(help: "How many files are uploaded at a time.")
  var parallel = 2

  @OptionGroup(title: "Password, should one be needed") var password: PasswordOptions
  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...16).contains(parallel) else {
      throw ValidationError(UploadMessage.badNumber(option: "--parallel", least: 1, most: 16))
    }
    if title != nil, files.count > 1 { throw ValidationError(UploadMessage.titleForSeveral) }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile, of: .newzulu)
    let files = try UploadFile.all(files, environment)
    // The bar gives way to a question for the password.
    let bar = Locked<ProgressBar?>(nil)
    let sources = CredentialPrompt.sources(for: profile, environment: environment, options: password)
    let session = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given,
      credentials: { layer in
        guard case .onRequest(let ask) = sources(layer) else { return sources(layer) }
        return .onRequest { request in
          guard let bar = bar.withLock({ $0 }) else { return try await ask(request) }
          return try await bar.hidden { try await ask(request) }
        }
      })
    let (outcomes, signal): ([UploadBatch.Outcome], Int32?) = try await session.use {
      // A person is asked now, if at all, and not in the middle.
      _ = try await session.manager.session()
      let batch = UploadBatch(
        files, UploadBatch.Description(title: title, message: message ?? "", contentType: mediaType),
        try session.newzuluClient(environment), journal: folders.sessions)
      let shown = ProgressBar(environment.console) { batch.position }
      bar.withLock { $0 = shown }
      let signals = Interruption { batch.stop() }
      let outcomes = try await shown.run { [output] in
        await batch.run(parallel: parallel) { file, have in
          shown.note(
            UploadMessage.resumed(file.path, have: ByteCount.text(have), of: ByteCount.text(file.size)).line)
        } onOutcome: { outcome in
          guard !output.json, let line = UploadReport(outcome).line(isOneOfSeveral: files.count > 1) else { return }
          shown.note(line)
        }
      }
      signals.release()
      return (outcomes, signals.caught)
    }
    try finish(outcomes, of: profile, signal: signal, environment.console)
  }

  /// Says how the uploads ended, and how to go on.
  private func finish(
    _ outcomes: [UploadBatch.Outcome], of profile: Profile, signal: Int32?, _ console: Console
  ) throws {
    let unfinished = outcomes.filter { if case .failure = $0.result { true } else { false } }
    let rest = resumption(of: unfinished.map(\.file), profile)
    if output.json {
      try console.print(json: UploadReport.Document(uploads: outcomes.map(UploadReport.init)))
    } else {
      for outcome in outcomes {
        if case .success(let file) = outcome.result {
          try console.print(UploadMessage.uploaded(outcome.file.path, id: file.id))
        }
      }
    }
    guard let first = unfinished.first, case .failure(let error) = first.result else { return }
    if let signal {
      let message = UploadMessage.interrupted(
        have: ByteCount.text(outcomes.reduce(0) { $0 + $1.sent }),
        of: ByteCount.text(outcomes.reduce(0) { $0 + $1.file.size }), rest: rest)
      let failure = FailureReport(
        code: "interrupted", message: message.line.plain, advice: message.advice,
        status: ExitStatus(rawValue: 128 + signal))
      if output.json {
        console.note(json: FailureReport.Document(error: failure))
      } else {
        console.note([failure.line])
      }
      Interruption.end(by: signal)
      throw ExitStatus(rawValue: 128 + signal)
    }
    let canBeResumed = (error as? OstiaryError)?.code != .unusableUpload && first.resumedFrom != nil
    if canBeResumed, !output.json { console.note(UploadMessage.rest(rest)) }
    guard outcomes.count > 1 else { throw error }
    throw FailureReport(describing: error).map { ExitStatus(rawValue: $0.exitCode) } ?? ExitStatus.failure
  }

  /// The command that sends the rest.
  private func resumption(of files: [UploadFile], _ profile: Profile) -> String {
    var words = ["ostiary", "upload"] + files.map(\.path)
    if let title { words += ["--title", title] }
    if let message { words += ["--message", message] }
    if let mediaType { words += ["--type", mediaType] }
    words += ["--profile", profile.name]
    // A file's name can look like an option.
    if files.contains(where: { $0.path.hasPrefix("-") }) {
      words = words.filter { word in !files.contains { $0.path == word } } + ["--"] + files.map(\.path)
    }
    return words.map(\.quotedForShell).joined(separator: " ")
  }
}
