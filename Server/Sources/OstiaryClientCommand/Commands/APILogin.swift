internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

/// What `ostiary login api` takes of the command line: a dialect, its servers, and its settings.
struct APILogin: Sendable {
  /// The main server, if it is named.
  let server: String?
  /// The servers of other roles, by their roles.
  let others: [(role: String, address: String)]
  /// Whether two addresses are given for one server: a password would go to the one that happens to stand last.
  private let isAmbiguous: Bool

  /// - Parameter servers: the values of `--server`: an address, or a role with one.
  init(servers: [String]) {
    var main: [String] = []
    var others: [(role: String, address: String)] = []
    for text in servers {
      if let (role, address) = Self.role(text) {
        others.append((role, address))
      } else {
        main.append(text)
      }
    }
    server = main.last
    self.others = others
    isAmbiguous = main.count > 1 || Set(others.map(\.role)).count < others.count
  }

  /// A role and an address. An address has a colon before its first sign of equality.
  private static func role(_ text: String) -> (role: String, address: String)? {
    let name = text.prefix { $0 != "=" }
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    guard isName, !name.isEmpty, name.count < text.count else { return nil }
    return (String(name), String(text.dropFirst(name.count + 1)))
  }

  /// The options of the kind, with what the dialect has to know.
  /// - Parameters:
  ///   - dialect: the value of `--dialect`.
  ///   - settings: the values of `--setting`.
  ///   - given: the options by `--option`.
  /// - Throws: ``OstiaryError`` where the dialect can't be used, or a setting is missing or unknown.
  func options(
    _ kind: String, dialect: String?, settings: [String], given: [String], _ environment: CommandEnvironment
  ) throws -> [String] {
    guard !isAmbiguous else { throw OstiaryError.usage(ServerAddressMessage.serverTwice) }
    guard kind.lowercased() == APIKind.name else {
      guard dialect == nil, settings.isEmpty, others.isEmpty else {
        throw OstiaryError.usage(DialectMessage.onlyForAPI(kind: kind))
      }
      return given
    }
    let key = APIKind.Key.dialect + "="
    let named = dialect ?? given.last { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    guard let named else {
      throw OstiaryError.usage(DialectMessage.noDialect(known: ShippedDialects.all.map(\.name)))
    }
    let document = try DialectDocument(named, environment)
    guard named != "-" else { throw OstiaryError.usage(DialectMessage.needsFile) }
    let read = try document.dialect()
    let own = [APIKind.Key.dialect, APIKind.Key.digest, APIKind.Key.account]
    var options = given.filter { text in !own.contains { text.hasPrefix($0 + "=") } }
    options.append(key + document.reference)
    if document.path != nil { options.append("\(APIKind.Key.digest)=\(document.digest)") }
    let servers = try self.servers(of: read)
    if !servers.isEmpty { options.append("\(APIKind.Key.servers)=\(FormEncoding.serialize(servers))") }
    let values = try Self.settings(settings, of: read, environment)
    if !values.isEmpty { options.append("\(APIKind.Key.settings)=\(FormEncoding.serialize(values))") }
    if let account = APIKind.account(values, of: read) { options.append("\(APIKind.Key.account)=\(account)") }
    return options
  }

  private func servers(of dialect: Dialect) throws -> [(name: String, value: String)] {
    let further = dialect.servers.dropFirst()
    for other in others where !further.contains(where: { $0.name == other.role }) {
      throw OstiaryError.usage(
        DialectMessage.unknownServer(other.role, dialect: dialect.name, known: further.map(\.name)))
    }
    return try further.map { server in
      guard let address = others.last(where: { $0.role == server.name })?.address else {
        throw OstiaryError.usage(DialectMessage.missingServer(server.name, dialect: dialect.name))
      }
      guard let url = URL(string: address), Origin(url) != nil, address == address.withoutUserInformation else {
        throw OstiaryError.usage(ServerAddressMessage.noServer(address.withoutUserInformation))
      }
      return (name: server.name, value: address)
    }
  }

  /// The settings with their values, of a list of `NAME=VALUE` or `NAME=@FILE`.
  static func settings(
    _ texts: [String], of dialect: Dialect, _ environment: CommandEnvironment
  ) throws -> [(name: String, value: String)] {
    var values: [String: String] = [:]
    for text in texts {
      let name = String(text.prefix { $0 != "=" })
      guard let setting = dialect.settings.first(where: { $0.name == name }) else {
        throw OstiaryError.usage(
          DialectMessage.unknownSetting(name, dialect: dialect.name, known: dialect.settings.map(\.name)))
      }
      let value = String(text.dropFirst(name.count + 1))
      guard !value.isEmpty else { throw OstiaryError.usage(DialectMessage.emptySetting(name)) }
      let isFile = value.hasPrefix("@")
      values[name] = isFile ? try read(String(value.dropFirst()), isSecret: setting.isSecret, environment) : value
    }
    for setting in dialect.settings
    where setting.isRequired && setting.defaultValue == nil && values[setting.name] == nil {
      throw OstiaryError.usage(
        DialectMessage.missingSetting(setting.name, title: setting.title, dialect: dialect.name))
    }
    return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// A value that a file has. A file keeps it from the other users of the machine, who see the arguments of a command.
  private static func read(_ path: String, isSecret: Bool, _ environment: CommandEnvironment) throws -> String {
    let file = OptionFile(path: path, isSecret: isSecret, environment: environment)
    let text = try file.text(orSay: .unreadable(path))
    guard !text.isEmpty, text == text.printable else { throw OstiaryError.usage(LoginMessage.noSecretInFile(path)) }
    return text
  }
}
