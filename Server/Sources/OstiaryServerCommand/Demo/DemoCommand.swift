internal import ArgumentParser
internal import Logging
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// `ostiary demo`.
struct DemoCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show what Ostiary does, in a few seconds.",
    discussion: """
      Starts a real server in this process, in memory and on a free port of this machine, and plays a short story with \
      it through the public API. Every step is checked; the exit status is 1 when one does not go as expected. Profiles \
      and sessions of your own are not touched.
      """)

  @OptionGroup var output: OutputOptions

  private struct Report: Encodable {
    let passed: Bool
    let seconds: Double
    let steps: [DemoStory.Step]
  }

  func run(in environment: CommandEnvironment) async throws {
    let console = environment.console
    let start = ContinuousClock.now
    let story = DemoStory(console: output.json ? nil : console)
    if !output.json { try console.print(DemoMessage.begin) }
    var failure: (any Error)?
    do {
      try await play(story, environment)
    } catch {
      failure = error
    }
    let duration = ContinuousClock.now - start
    let passed = failure == nil && story.steps.allSatisfy(\.passed)
    if output.json {
      try console.print(json: Report(passed: passed, seconds: duration.timeInterval, steps: story.steps))
    } else {
      try console.print([""])
      let time = Timestamp.text(duration)
      if passed {
        try console.print(DemoMessage.allAsExpected(steps: story.steps.count, time: time))
      } else {
        try console.print(DemoMessage.notAsExpected(step: story.steps.count))
      }
    }
    if let failure { throw failure }
  }

  private func play(_ story: DemoStory, _ environment: CommandEnvironment) async throws {
    // The demo itself chose development mode, so the warnings are shown only on request.
    var logger = logger(environment)
    if !output.verbose { logger.logLevel = .error }
    try story.begin(DemoOpening.title)
    var configuration = DemoStage.configuration
    // New passwords have the same rules as on any server.
    configuration.development?.passwordPolicy = nil
    // A chapter signs users up; a server allows that only if it is configured.
    configuration.accounts?.offersSignUp = true
    let chapters = CommandDoors.chapters
    for chapter in chapters { chapter.prepare(&configuration) }
    let transport = try CommandTransport()
    let application = try OstiaryApplication(configuration, logger: logger)
    do {
      let running = try await story.step(DemoOpening.started) { try await application.start() }
      let (username, password) = ("alice", DemoStage.password())
      try await story.step(DemoOpening.addedUser(username)) {
        try await application.identity.addUser(name: username, password: password)
      }
      let stage = DemoStage(
        application: application, running: running, cable: try Cable(transport), username: username,
        password: password, logger: logger)
      let doors = Set(running.doors.map(\.name))
      for chapter in chapters where doors.isSuperset(of: chapter.needs) {
        try await Self.play(chapter, story, stage)
      }
      if let interpreter = await PythonAPI.interpreter(environment.variables) {
        try await Self.play(APIDemo(interpreter: interpreter, variables: environment.variables), story, stage)
      } else if !output.json {
        try environment.console.print([""])
        try environment.console.print(APIStory.skipped(program: PythonAPI.name(environment.variables)))
      }
      await transport.close()
      await application.stop()
    } catch {
      await transport.close()
      await application.stop()
      throw error
    }
  }

  private static func play(_ chapter: some DemoChapter, _ story: DemoStory, _ stage: DemoStage) async throws {
    try story.begin(chapter.title)
    try await chapter.tell(story, on: stage)
  }
}
