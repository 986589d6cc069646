internal import Foundation
internal import OstiaryCore

extension Profile {
  /// The command that signs in to the profile anew, as a person types it into a shell. In the place of what is secret stands a file.
  var loginCommand: String {
    let known = try? ServerKinds.kind(named: kind.rawValue)
    var words = ["ostiary", "login", kind.rawValue, "--server", server.absoluteString]
    if !user.isEmpty { words += ["--user", user] }
    if let method, method != known?.methods.first || configurationFile != nil { words += ["--method", method] }
    for (name, value) in (options ?? [:]).sorted(by: { $0.key < $1.key }) {
      words += Self.words(forOption: name, value, isSecret: known?.options.first { $0.name == name }?.isSecret == true)
    }
    if let configurationFile { words += ["--config", configurationFile] }
    if let certificateFile { words += ["--ca-file", certificateFile] }
    if let behind { words += ["--behind", behind] }
    words += passwordSource?.words ?? []
    words += ["--profile", name]
    return words.map(\.quotedForShell).joined(separator: " ")
  }

  private static func words(forOption name: String, _ value: String, isSecret: Bool) -> [String] {
    switch name {
    case APIKind.Key.digest: []
    case APIKind.Key.servers:
      FormEncoding.parse(value).flatMap { ["--server", "\($0.name)=\($0.value)"] }
    case APIKind.Key.settings:
      FormEncoding.parse(value).flatMap { ["--setting", "\($0.name)=@FILE"] }
    default: ["--option", isSecret ? "\(name)=@FILE" : "\(name)=\(value)"]
    }
  }
}

extension PasswordSource {
  /// The option that names it.
  fileprivate var words: [String] {
    switch self {
    case .command(let command): ["--password-command", command]
    case .file(let path): ["--password-file", path]
    case .credential(let name): ["--password-credential", name]
    case .keyring: ["--password-keyring"]
    }
  }
}
