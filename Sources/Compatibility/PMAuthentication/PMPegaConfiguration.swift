public import Foundation
package import Ostiary
public import OstiaryPega

/// What the app's server calls things, how its users sign in, and the numbers of errors: everything that the vendor has not
/// published. (Not in the vendor's SDK.)
///
/// An app that moves without new code has an entry `PMPegaConfiguration` in its Info.plist: a dictionary with the settings, or the name
/// of a JSON file in its bundle. It is read at the first call. An app can also call ``load(contentsOf:)`` or set ``settings``
/// before the first call. Authenticators and views that have been used keep the settings of their first call.
///
/// Settings that can't be used make every call fail with ``PMAuthenticationError/invalidInputData``, and the error's description says
/// what is wrong. The article "The settings of a Pega server" of `OstiaryPega` lists them.
public enum PMPegaConfiguration {
  /// The entry of an app's Info.plist.
  public static let infoKey = "PMPegaConfiguration"

  private static let state = Locked<Result<PegaSettings, OstiaryError>?>(nil)

  /// The settings of the process. Where those of the Info.plist can't be used, these are the defaults.
  public static var settings: PegaSettings {
    get { (try? current.get()) ?? .vendor }
    set { state.withLock { $0 = .success(newValue) } }
  }

  /// Takes the settings of a JSON file.
  /// - Throws: `OstiaryError` `invalidInput`, which names what is wrong. Calls fail for that reason then, too.
  public static func load(contentsOf file: URL) throws {
    try take { try PegaSettings(contentsOf: file, defaults: .vendor) }
  }

  /// Takes the settings of a JSON text.
  /// - Throws: as ``load(contentsOf:)``.
  public static func load(json: Data) throws {
    try take { try PegaSettings(json: json, defaults: .vendor) }
  }

  /// The settings of the process, or why they can't be used.
  package static var current: Result<PegaSettings, OstiaryError> {
    state.withLock { state in
      if let state { return state }
      let read = settings(
        info: Bundle.main.infoDictionary ?? [:], file: { Bundle.main.url(forResource: $0, withExtension: nil) })
      state = read
      return read
    }
  }

  /// The numbers of errors.
  package static var errorNumbers: PegaErrorNumbers { settings.errorNumbers }

  /// The settings that an Info.plist has.
  /// - Parameters:
  ///   - info: the Info.plist.
  ///   - file: finds a file of the app's bundle by its name.
  package static func settings(
    info: [String: Any], file: (String) -> URL?
  ) -> Result<PegaSettings, OstiaryError> {
    Result {
      switch info[infoKey] {
      case nil: return .vendor
      case let dictionary as [String: Any]:
        return try PegaSettings(propertyList: dictionary, from: "\(infoKey) of Info.plist", defaults: .vendor)
      case let name as String:
        guard let file = file(name) else {
          throw refusal("The app's bundle has no file \(name), which \(infoKey) of Info.plist names.")
        }
        return try PegaSettings(contentsOf: file, defaults: .vendor)
      default: throw refusal("\(infoKey) of Info.plist is neither a dictionary nor the name of a file.")
      }
    }.mapError { $0 as? OstiaryError ?? refusal("\(infoKey) of Info.plist can't be read.") }
  }

  private static func take(_ read: () throws -> PegaSettings) throws {
    let settings = Result { try read() }.mapError { $0 as? OstiaryError ?? refusal("The settings can't be read.") }
    state.withLock { $0 = settings }
    _ = try settings.get()
  }

  private static func refusal(_ message: String) -> OstiaryError {
    OstiaryError(
      .invalidInput, message, advice: "Correct the app's Info.plist.", disposition: .misuse,
      requestMayHaveExecuted: false)
  }
}

extension PegaSettings {
  /// As the vendor's SDK behaves: it opens SnapStart addresses over plain http, too.
  package static var vendor: PegaSettings {
    var settings = PegaSettings()
    settings.names = .vendor
    return settings
  }
}
