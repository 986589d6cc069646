public import Foundation
internal import Ostiary
public import OstiaryNewzulu

/// Where a platform is, and the names and numbers that it uses: from a JSON file, the app's Info.plist, or code.
public typealias NewzuluPlatformConfiguration = OstiaryNewzulu.NewzuluPlatformConfiguration

extension PlatformClient {
  /// What the program has chosen in place of its Info.plist.
  private static let chosen = Locked<NewzuluPlatformConfiguration?>(nil)
  /// What the app's Info.plist says. It does not change while the program runs.
  private static let bundled = Result {
    try NewzuluPlatformConfiguration(bundle: .main) ?? NewzuluPlatformConfiguration()
  }
  .mapError { NewzuluPlatformConfiguration.error($0) }

  /// Sets what clients that are made from now on know of the platform. (Not in the vendor's SDK, which knew only one.)
  ///
  /// Without a call it is what the app's Info.plist has under `NewzuluPlatform`, if anything; where that does not fit, every
  /// call fails with an error that names the settings. Clients that are there keep what they have.
  /// - Parameter configuration: `nil` for what the Info.plist says.
  public static func setConfiguration(_ configuration: NewzuluPlatformConfiguration?) {
    chosen.withLock { $0 = configuration }
  }

  /// What a client is made with now.
  static var chosenConfiguration: Result<NewzuluPlatformConfiguration, OstiaryError> {
    chosen.withLock { $0 }.map { .success($0) } ?? bundled
  }
}

extension NewzuluPlatformConfiguration {
  /// The key in an Info.plist: `NewzuluPlatform`. Its value is a dictionary with the settings of a file, or the name of a JSON
  /// file among the bundle's resources.
  public static let infoKey = "NewzuluPlatform"

  /// Reads what a bundle's Info.plist says under `infoKey`.
  /// - Returns: `nil` when its Info.plist has no such key.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `newzuluConfiguration` that names what does not fit.
  public init?(bundle: Bundle) throws {
    try self.init(information: bundle.object(forInfoDictionaryKey: Self.infoKey)) { name in
      bundle.url(forResource: name, withExtension: nil)
    }
  }

  /// Reads what stands under the key.
  /// - Parameter resource: finds a file by its name.
  package init?(information: Any?, resource: (String) -> URL?) throws {
    guard let information else { return nil }
    if let name = information as? String {
      guard let file = resource(name) else {
        throw Self.invalid(
          "The file that the key “\(Self.infoKey)” of the Info.plist names is not in the bundle.",
          "Add the file to the target's resources, or correct its name.")
      }
      try self.init(contentsOf: file)
      return
    }
    let name = "The key “\(Self.infoKey)” of the Info.plist"
    guard let settings = JSONValue(propertyList: information, depth: 0) else {
      throw Self.invalid(
        "\(name) has a value that is no text, number, boolean, list or dictionary.", "Give the settings of a JSON file."
      )
    }
    try self.init(settings: settings, named: name)
  }

  /// A failure to read one, as an error of this SDK.
  static func error(_ error: any Error) -> OstiaryError {
    error as? OstiaryError ?? invalid("The configuration can't be read.", "Check the file.", underlying: error)
  }

  // MARK: What the code says beside it

  /// The address to use.
  /// - Throws: when the code has one of another origin: the app's users would show their passwords to a server that its code
  ///   does not name.
  func address(inCode url: URL?) throws -> URL {
    guard let server else {
      guard let address = url ?? NewzuluAuthenticator.vendorServer else {
        throw OstiaryError(.invalidRequest, "There is no server address.", requestMayHaveExecuted: false)
      }
      return address
    }
    guard let url, let origin = Origin(url) else { return server }
    guard Origin(server) == origin else {
      throw Self.invalid(
        "“server” of the configuration is another origin than the address in the code (\(origin)). Nothing was sent.",
        "Give the address in one of the two places, or the same in both.")
    }
    return server
  }

  /// The key to use.
  func key(inCode key: String?) throws -> Secret {
    guard let key = apiKey ?? key.map({ Secret($0) }) else { throw Self.missing("apiKey") }
    return key
  }

  /// The tenant to use.
  func tenant(inCode tenant: String?) throws -> String {
    guard let tenant = vhost ?? tenant else { throw Self.missing("vhost") }
    return tenant
  }

  private static func missing(_ setting: String) -> OstiaryError {
    invalid("The configuration has no “\(setting)”.", "Add the setting, or give it to the client's initialiser.")
  }
}

extension JSONValue {
  /// A value of a property list; `nil` for one that JSON has no value for.
  init?(propertyList value: Any, depth: Int) {
    guard depth < 8 else { return nil }
    switch value {
    case let text as String: self = .string(text)
    case _ where type(of: value) == Bool.self: self = .bool(value as? Bool ?? false)
    case let number as any BinaryInteger:
      guard let whole = Int64(exactly: number) else { return nil }
      self = .integer(whole)
    case let number as any BinaryFloatingPoint: self = .number(Double(number))
    case let number as NSNumber:
      // Foundation encodes booleans as characters.
      if ["c", "B"].contains(String(cString: number.objCType)) {
        self = .bool(number.boolValue)
      } else if let whole = Int64(exactly: number.doubleValue) {
        self = .integer(whole)
      } else {
        self = .number(number.doubleValue)
      }
    case let values as [Any]:
      let elements = values.compactMap { JSONValue(propertyList: $0, depth: depth + 1) }
      guard elements.count == values.count else { return nil }
      self = .array(elements)
    case let members as [String: Any]:
      let settings = members.compactMapValues { JSONValue(propertyList: $0, depth: depth + 1) }
      guard settings.count == members.count else { return nil }
      self = .object(settings)
    default: return nil
    }
  }
}
