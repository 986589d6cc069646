public import Foundation
internal import Ostiary
public import OstiaryNewzulu

/// Where a platform is, and the names and numbers that it uses: from a JSON file, the app's Info.plist, or code.
public typealias NewzuluPlatformConfiguration = OstiaryNewzulu.NewzuluPlatformConfiguration

extension PlatformClient {
  /// What the program has chosen, otherwise what the app's Info.plist says.
  private static let chosen = BundledSettings(
    key: NewzuluPlatformConfiguration.infoKey, from: NewzuluPlatformConfiguration.source,
    defaults: { NewzuluPlatformConfiguration() }
  ) { try NewzuluPlatformConfiguration($0) }

  /// Sets what clients that are made from now on know of the platform. (Not in the vendor's SDK, which knew only one.)
  ///
  /// Without a call it is what the app's Info.plist has under `NewzuluPlatform`, if anything; where that does not fit, every
  /// call fails with an error that names the settings. Clients that are there keep what they have.
  /// - Parameter configuration: `nil` for what the Info.plist says.
  public static func setConfiguration(_ configuration: NewzuluPlatformConfiguration?) {
    chosen.set(configuration)
  }

  /// What a client is made with now.
  static var chosenConfiguration: Result<NewzuluPlatformConfiguration, OstiaryError> { chosen.current }
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
    try self.init(
      SettingsDocument(information: information, key: Self.infoKey, from: Self.source, file: resource))
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
