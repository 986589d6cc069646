internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// The command that `ostiary serve --configuration FILE` is: what the command line says, then the environment, then the file.
///
/// What the file says becomes options, which are understood as all others are. Before that every setting is looked at, by itself and
/// together with the others, and all that is wrong is told at once.
struct ServeConfiguration {
  /// The path as it was given.
  let path: String
  /// What follows `serve` on the command line.
  let arguments: [String]
  let environment: CommandEnvironment

  private typealias Accepted = (setting: FileSetting, words: [String])

  /// - Throws: ``OstiaryError`` if the file can't be read, and `ConfigurationProblems` with everything that is wrong with it.
  func command() throws -> ServeCommand {
    let url = environment.url(path: path)
    let text: ConfigurationText
    do {
      text = try ConfigurationText(contentsOf: url, path: path)
    } catch let problem as ConfigurationProblem {
      throw ConfigurationProblems(path: path, problems: [problem])
    }
    let reading = ServeCommand.table.read(text.document)
    var problems = text.repeated.map { ConfigurationProblem.repeated($0) } + reading.problems
    let given = Self.options(in: arguments)
    let writer = ConfigurationWords(folder: url.deletingLastPathComponent(), environment: environment)
    var accepted: [Accepted] = []
    for (setting, value) in reading.accepted where !setting.isOverruled(by: given, environment.variables) {
      do throws(ConfigurationProblem) {
        accepted.append((setting, try writer.words(setting, value)))
      } catch {
        problems.append(error)
      }
    }
    problems += self.problems(of: accepted, besides: problems)
    guard problems.isEmpty else { throw ConfigurationProblems(path: path, problems: problems) }
    return try ServeCommand.parse(accepted.flatMap(\.words) + Self.withoutFile(arguments))
  }

  // MARK: Problems

  /// What the options and the server say, of each setting by itself and of all.
  private func problems(of accepted: [Accepted], besides earlier: [ConfigurationProblem]) -> [ConfigurationProblem] {
    // No setting of a good file is looked at by itself: for each the whole command line is understood once more.
    if earlier.isEmpty, problems(together: accepted, refused: [], origins: [:]).isEmpty { return [] }
    var found: [ConfigurationProblem] = []
    var good: [Accepted] = []
    // What the server says of one setting alone tells of which one it speaks when it says it of all.
    var origins: [String: String] = [:]
    for (setting, words) in accepted {
      do {
        let problems = try server(words).problems
        for problem in problems where origins[problem] == nil { origins[problem] = setting.name }
        good.append((setting, words))
      } catch {
        found.append(.refused(setting.name, words: Self.words(of: error)))
      }
    }
    let refused = Set((earlier + found).compactMap(\.setting))
    return found + problems(together: good, refused: refused, origins: origins)
  }

  /// What the options and the server say of settings together with the command line.
  /// - Parameters:
  ///   - refused: The settings that are left out, since they are wrong.
  ///   - origins: The setting that each problem of the server is about.
  private func problems(
    together settings: [Accepted], refused: Set<String>, origins: [String: String]
  ) -> [ConfigurationProblem] {
    var found: [ConfigurationProblem] = []
    do {
      let whole = try Self.parse(settings.flatMap(\.words) + Self.withoutFile(arguments))
      let mailProblems = whole.mail.contradictions(environment)
      let databaseProblems = whole.inMemory ? [] : whole.data.database.contradictions(environment)
      for message in whole.contradictions + mailProblems + databaseProblems {
        let words = message.whole.plain
        // It may only seem so because a setting was refused.
        let isFollowUp = words.matches(of: #/--[a-z][a-z0-9-]+/#).contains { match in
          ServeCommand.table.name(ofOption: String(match.0)).map { refused.contains($0) } ?? false
        }
        if !isFollowUp { found.append(.together(words: ServeCommand.table.renamed(words))) }
      }
      var server = try whole.server(environment, Folders(environment), doors: false)
      for failure in whole.doors.failures(configuring: &server, environment) {
        found.append(.together(words: Self.words(of: failure)))
      }
      if mailProblems.isEmpty {
        server.mail = try whole.mail.configuration(serviceName: whole.service.serviceName, environment)
      }
      for words in server.problems {
        found.append(origins[words].map { .refused($0, words: words) } ?? .together(words: words))
      }
    } catch {
      found.append(.together(words: Self.words(of: error)))
    }
    return found
  }

  /// A server with a folder, to which nothing is said but these words.
  private func server(_ words: [String]) throws -> ServerConfiguration {
    let alone = try Self.parse(words)
    var folder = try alone.server(environment, Folders(environment), doors: false)
    if folder.storage == .memory { folder.storage = .folder(try Folders(environment).serverData) }
    try alone.doors.configure(&folder, environment)
    return folder
  }

  /// The command of these words, whether or not they go together: a command with a configuration file does not look.
  private static func parse(_ words: [String]) throws -> ServeCommand {
    try ServeCommand.parse(["--configuration=-"] + words)
  }

  /// What an error says, with the names of settings in place of those of options.
  private static func words(of error: any Error) -> String {
    let words =
      switch error {
      case let error as OstiaryError: [error.message, error.advice].filter { !$0.isEmpty }.joined(separator: " ")
      default: ServeCommand.message(for: error)
      }
    return ServeCommand.table.renamed(words)
  }

  // MARK: The command line

  /// The names of the options that are there.
  static func options(in arguments: [String]) -> Set<String> {
    Set(
      arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { word in
        String(word.dropFirst(2).prefix { $0 != "=" })
      })
  }

  /// The command line without the configuration file.
  static func withoutFile(_ arguments: [String]) -> [String] {
    var kept: [String] = []
    var isPath = false
    for word in arguments {
      if isPath || word.hasPrefix("--configuration=") {
        isPath = false
      } else if word == "--configuration" {
        isPath = true
      } else {
        kept.append(word)
      }
    }
    return kept
  }
}

/// All that is wrong with a configuration file.
struct ConfigurationProblems: ReportedFailure {
  let path: String
  let problems: [ConfigurationProblem]

  /// For people: a line for each.
  var lines: [Line] {
    ["\("error:", .failure) \(ConfigurationMessage.problems(path, count: problems.count).line)"]
      + problems.map { "  \($0.whole)" }
  }

  /// For programs: all in one text.
  var failureReport: FailureReport {
    let words = [ConfigurationMessage.problems(path, count: problems.count).line] + problems.map(\.whole)
    return FailureReport(
      code: "server_configuration", message: words.map(\.plain).joined(separator: " "), advice: "", status: .usage)
  }
}
