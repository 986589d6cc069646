public import Foundation
package import Ostiary

/// Where an app's settings come from: everything that differs between orgs, and all that the vendor has not published. (Not in the vendor's
/// SDK.)
///
/// An app that moves without new code has an entry `SalesforceSDKConfiguration` in its Info.plist: a dictionary with the settings, or the
/// name of a JSON file in its bundle. It is read at the first call. An app can also call ``load(contentsOf:)`` or set ``settings``
/// before the first call; the texts of constants are read once. The vendor's own `bootconfig.plist` counts as well, after these settings and
/// before the `SFDCOAuth…` entries of Info.plist; what the app sets in code counts before all of them.
///
/// Settings that can't be used make logins and requests fail with an error that says what is wrong. <doc:Settings> lists them.
public enum SalesforceSDKConfiguration {
  /// The entry of an app's Info.plist.
  public static let infoKey = "SalesforceSDKConfiguration"

  private static let state = Locked<Result<SalesforceSDKSettings, OstiaryError>?>(nil)

  /// The settings of the process. Where those of the Info.plist can't be used, these are the defaults.
  public static var settings: SalesforceSDKSettings {
    get { (try? current.get()) ?? SalesforceSDKSettings() }
    set { state.withLock { $0 = .success(newValue) } }
  }

  /// Takes the settings of a JSON file.
  /// - Throws: `OstiaryError` `invalidInput`, which names what is wrong. Calls fail for that reason then, too.
  public static func load(contentsOf file: URL) throws {
    try take { try SalesforceSDKSettings(contentsOf: file) }
  }

  /// Takes the settings of a JSON text.
  /// - Throws: as ``load(contentsOf:)``.
  public static func load(json: Data) throws {
    try take { try SalesforceSDKSettings(json: json) }
  }

  /// The settings of the process, or why they can't be used.
  package static var current: Result<SalesforceSDKSettings, OstiaryError> {
    state.withLock { state in
      if let state { return state }
      let read = settings(
        info: Bundle.main.infoDictionary ?? [:], file: { Bundle.main.url(forResource: $0, withExtension: nil) })
      state = read
      return read
    }
  }

  /// Why the settings can't be used; `nil` when they can.
  package static var problem: OstiaryError? { if case .failure(let error) = current { error } else { nil } }

  /// The settings that an Info.plist has.
  /// - Parameters:
  ///   - info: the Info.plist.
  ///   - file: finds a file of the app's bundle by its name.
  package static func settings(
    info: [String: Any], file: (String) -> URL?
  ) -> Result<SalesforceSDKSettings, OstiaryError> {
    Result {
      switch info[infoKey] {
      case nil: return SalesforceSDKSettings()
      case let dictionary as [String: Any]:
        return try SalesforceSDKSettings(propertyList: dictionary, from: "\(infoKey) of Info.plist")
      case let name as String:
        guard let file = file(name) else {
          throw refusal("The app's bundle has no file \(name), which \(infoKey) of Info.plist names.")
        }
        return try SalesforceSDKSettings(contentsOf: file)
      default: throw refusal("\(infoKey) of Info.plist is neither a dictionary nor the name of a file.")
      }
    }.mapError { $0 as? OstiaryError ?? refusal("\(infoKey) of Info.plist can't be read.") }
  }

  private static func take(_ read: () throws -> SalesforceSDKSettings) throws {
    let settings = Result { try read() }.mapError { $0 as? OstiaryError ?? refusal("The settings can't be read.") }
    state.withLock { $0 = settings }
    _ = try settings.get()
  }

  private static func refusal(_ message: String) -> OstiaryError {
    SalesforceSDKSettings.refusal(message, "Correct the app's Info.plist.")
  }
}
