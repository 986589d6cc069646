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

  private static let state = BundledSettings(key: infoKey, from: PegaSettings.source, defaults: { .vendor }) {
    document in
    try PegaSettings(document, defaults: .vendor)
  }

  /// The settings of the process. Where those of the Info.plist can't be used, these are the defaults.
  public static var settings: PegaSettings {
    get { state.value }
    set { state.set(newValue) }
  }

  /// Takes the settings of a JSON file.
  /// - Throws: `OstiaryError` `invalidInput`, which names what is wrong. Calls fail for that reason then, too.
  public static func load(contentsOf file: URL) throws {
    try state.take { try PegaSettings(contentsOf: file, defaults: .vendor) }
  }

  /// Takes the settings of a JSON text.
  /// - Throws: as ``load(contentsOf:)``.
  public static func load(json: Data) throws {
    try state.take { try PegaSettings(json: json, defaults: .vendor) }
  }

  /// The settings of the process, or why they can't be used.
  package static var current: Result<PegaSettings, OstiaryError> { state.current }

  /// The numbers of errors.
  package static var errorNumbers: PegaErrorNumbers { settings.errorNumbers }

  /// The settings that an Info.plist has.
  /// - Parameters:
  ///   - info: the Info.plist.
  ///   - file: finds a file of the app's bundle by its name.
  package static func settings(
    info: [String: Any], file: (String) -> URL?
  ) -> Result<PegaSettings, OstiaryError> {
    state.settings(information: info[infoKey], file: file)
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
