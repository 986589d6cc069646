internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

/// An API with a password or a token, as its dialect describes it.
struct APIKind: ServerKind {
  static let name = "api"
  /// The options of a profile.
  enum Key {
    static let dialect = "dialect"
    static let digest = "dialect-sha256"
    static let servers = "servers"
    static let settings = "settings"
    static let account = "settings-sha256"
  }

  let kind = AuthenticatorKind(APIKind.name)
  let summary = "an API with a password or a token, by its dialect"
  let methods: [String] = []
  let namesUsersByNumber = true
  let asksWhileSigningIn = true
  let options = [
    KindOption(
      name: Key.dialect, help: "--dialect: a name of `ostiary dialect list`, or a file", isPartOfAccount: true),
    KindOption(
      name: Key.digest, help: "the SHA-256 of that file; --dialect finds it out", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: Key.servers, help: "--server ROLE=URL: further servers, as a form", isPartOfAccount: true,
      isRequired: false),
    KindOption(
      name: Key.settings, help: "--setting NAME=VALUE: what the dialect has to know, as a form",
      isPartOfAccount: false, isRequired: false, isSecret: true),
    KindOption(
      name: Key.account, help: "the SHA-256 of the settings that tell accounts apart; --setting finds it out",
      isPartOfAccount: true, isRequired: false, isSecret: true),
    .insecureHTTP,
  ]

  /// The dialect of a profile.
  private(set) var dialect: Dialect?

  func used(by profile: Profile, in environment: CommandEnvironment) throws -> any ServerKind {
    var kind = self
    kind.dialect = try Self.dialect(of: profile, environment)
    return kind
  }

  var isSessionInBody: Bool { if case .body? = dialect?.proof.way { true } else { false } }

  /// Takes a dialect that was read already.
  mutating func take(_ dialect: Dialect) { self.dialect = dialect }

  /// The dialect that was read already, or the profile's.
  func dialect(for profile: Profile, _ environment: CommandEnvironment) throws -> Dialect {
    try dialect ?? Self.dialect(of: profile, environment)
  }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    try authenticator(for: profile, in: environment, replacing: DialectReplacements())
  }

  /// - Parameter replacements: what looks at the dialect's own requests.
  func authenticator(
    for profile: Profile, in environment: CommandEnvironment, replacing replacements: DialectReplacements
  ) throws -> any Authenticator {
    let dialect = try dialect(for: profile, environment)
    var servers = [dialect.mainServer: profile.server]
    for (role, address) in FormEncoding.parse(profile.options?[Key.servers] ?? "") {
      servers[role] = try profile.address(address, option: Key.servers)
    }
    let settings = FormEncoding.parse(profile.options?[Key.settings] ?? "").map { ($0.name, Secret($0.value)) }
    guard try profile.allowsInsecureHTTP(to: servers.values.compactMap { Origin($0) }.filter { !$0.isSecure }) else {
      throw OstiaryError.usage(DialectMessage.inTheClear(place: profile.place))
    }
    return try DialectAuthenticator(
      dialect: dialect, servers: servers, settings: Dictionary(settings) { $1 },
      deviceName: "ostiary",
      answering: DialectQuestions { question in try await DialectPerson(environment).answer(question) },
      replacing: replacements)
  }

  func account(of profile: Profile) -> [(name: String, value: String)] {
    guard let dialect else { return [] }
    return Self.accountSettings(FormEncoding.parse(profile.options?[Key.settings] ?? ""), of: dialect).map {
      setting, value in
      (name: setting.name, value: setting.isSecret ? "\(Secret(value))" : value)
    }
  }

  func accessToken(of session: Session) -> Secret? { session.proof.tokens["token"] }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    let name = session.user.displayName.map { [("name", "Name", $0)] } ?? []
    let attributes = session.attributes.sorted { $0.key < $1.key }.compactMap { key, value in
      value.words.map { (key, key, $0) }
    }
    return (name + attributes).map { (key: $0.0, label: $0.1, value: $0.2) }
  }

  /// The dialect of a profile. A file must be the one that the profile was made with: a dialect says where passwords go.
  private static func dialect(of profile: Profile, _ environment: CommandEnvironment) throws -> Dialect {
    guard let reference = profile.options?[Key.dialect] else {
      throw OstiaryError.usage(DialectMessage.noDialect(known: ShippedDialects.all.map(\.name)))
    }
    let document: DialectDocument
    do {
      document = try DialectDocument(reference, environment)
    } catch let error as OstiaryError where reference.hasPrefix("/") {
      throw OstiaryError(
        .dialectChanged, DialectMessage.fileGone(reference, profile: profile.name, reason: error.message),
        disposition: .misuse)
    }
    guard document.path == nil || document.digest == profile.options?[Key.digest] else {
      throw OstiaryError(
        .dialectChanged, DialectMessage.fileChanged(reference, profile: profile.name), disposition: .misuse)
    }
    return try document.dialect()
  }
}

extension APIKind {
  /// The settings that tell accounts apart, with the values that are given, or else the dialect's own.
  private static func accountSettings(
    _ values: [(name: String, value: String)], of dialect: Dialect
  ) -> [(setting: DialectSetting, value: String)] {
    dialect.accountSettings.compactMap { setting in
      let given = values.last { $0.name == setting.name }?.value
      return (given ?? setting.defaultValue).map { (setting: setting, value: $0) }
    }
  }

  /// What a profile keeps of the settings that tell accounts apart; nil where there are none.
  static func account(_ values: [(name: String, value: String)], of dialect: Dialect) -> String? {
    let pairs = accountSettings(values, of: dialect).map { (name: $0.setting.name, value: $0.value) }
    guard !pairs.isEmpty else { return nil }
    let form = FormEncoding.serialize(pairs.sorted { $0.name < $1.name })
    return Data(form.utf8).sha256
  }
}

extension Profile {
  /// Keeps the account of a profile that this one takes the place of, where that was made before settings told accounts apart: its session
  /// is stored without them.
  mutating func keepAccount(of previous: Profile?) {
    guard let previous, previous.kind == kind, previous.options?[APIKind.Key.account] == nil,
      previous.options?[APIKind.Key.settings] == options?[APIKind.Key.settings]
    else { return }
    options?[APIKind.Key.account] = nil
  }
}

extension JSONValue {
  /// The value in a line, where it is a text, a number or a yes or no.
  fileprivate var words: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .null, .array, .object: nil
    }
  }
}
