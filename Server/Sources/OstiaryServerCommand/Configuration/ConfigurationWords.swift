internal import Foundation
internal import OstiaryClientCommand

/// Says with the words of a command line what settings say, so that both are understood by the same code.
///
/// The words are never the arguments of a process: they may have a secret in them.
struct ConfigurationWords: Sendable {
  /// Where relative paths begin: the folder of the configuration file.
  let folder: URL
  let environment: CommandEnvironment

  /// - Throws: for a secret that can't be used.
  func words(_ setting: FileSetting, _ value: FileSetting.Value) throws(ConfigurationProblem) -> [String] {
    switch value {
    case .flag(true): return ["--\(setting.option)"]
    case .flag(false):
      if case .flag(let off?) = setting.kind { return ["--\(off)"] }
      return []
    case .texts(let texts):
      var words: [String] = []
      for text in texts {
        for part in try parts(setting, text) { words.append("--\(setting.option)=\(part)") }
      }
      return words
    }
  }

  /// What a text of a setting is for its option.
  private func parts(_ setting: FileSetting, _ text: String) throws(ConfigurationProblem) -> [String] {
    switch setting.kind {
    case .fileOrWord(text): [text]
    case .file, .files, .fileOrWord: [url(text).path(percentEncoded: false)]
    case .secretFile: try secret(setting, text) { file throws(OperatorSecret.Failure) in [try file.text()] }
    case .secretsFile: try secret(setting, text) { file throws(OperatorSecret.Failure) in try file.lines() }
    case .flag, .text, .texts, .number, .word: [text]
    }
  }

  private func url(_ path: String) -> URL {
    URL(filePath: path, directoryHint: .inferFromPath, relativeTo: folder).absoluteURL
  }

  private func secret(
    _ setting: FileSetting, _ path: String, _ read: (OperatorSecret) throws(OperatorSecret.Failure) -> [String]
  ) throws(ConfigurationProblem) -> [String] {
    do throws(OperatorSecret.Failure) {
      return try read(OperatorSecret(url: url(path), environment: environment))
    } catch {
      switch error {
      case .unreadable: throw .secretUnreadable(setting.name, path: path)
      case .openToOthers: throw .secretOpenToOthers(setting.name, path: path)
      case .empty: throw .secretEmpty(setting.name, path: path)
      }
    }
  }
}
