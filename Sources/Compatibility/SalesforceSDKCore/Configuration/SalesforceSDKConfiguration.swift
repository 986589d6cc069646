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

  private static let state = BundledSettings(
    key: infoKey, from: SalesforceSDKSettings.source, defaults: { SalesforceSDKSettings() }
  ) { try SalesforceSDKSettings($0) }

  /// The settings of the process. Where those of the Info.plist can't be used, these are the defaults.
  public static var settings: SalesforceSDKSettings {
    get { state.value }
    set { state.set(newValue) }
  }

  /// Takes the settings of a JSON file.
  /// - Throws: `OstiaryError` `invalidInput`, which names what is wrong. Calls fail for that reason then, too.
  public static func load(contentsOf file: URL) throws {
    try state.take { try SalesforceSDKSettings(contentsOf: file) }
  }

  /// Takes the settings of a JSON text.
  /// - Throws: as ``load(contentsOf:)``.
  public static func load(json: Data) throws {
    try state.take { try SalesforceSDKSettings(json: json) }
  }

  /// The settings of the process, or why they can't be used.
  package static var current: Result<SalesforceSDKSettings, OstiaryError> { state.current }

  /// Why the settings can't be used; `nil` when they can.
  package static var problem: OstiaryError? { if case .failure(let error) = current { error } else { nil } }

  /// The settings that an Info.plist has.
  /// - Parameters:
  ///   - info: the Info.plist.
  ///   - file: finds a file of the app's bundle by its name.
  package static func settings(
    info: [String: Any], file: (String) -> URL?
  ) -> Result<SalesforceSDKSettings, OstiaryError> {
    state.settings(information: info[infoKey], file: file)
  }
}
