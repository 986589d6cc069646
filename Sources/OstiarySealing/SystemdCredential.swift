internal import Foundation
internal import OstiaryCore

/// Keys in a credential that systemd hands to a service: see ``SealingKeySource/systemdCredential(_:)``.
package struct SystemdCredential: SealingKeySource {
  private let name: String
  private let folder: String?

  /// Makes a source of the keys in a credential.
  /// - Parameters:
  ///   - name: the credential's name.
  ///   - environment: the process's environment.
  package init(_ name: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.name = name
    folder = environment["CREDENTIALS_DIRECTORY"]
  }

  package func keys() async throws -> SealingKeys? {
    guard let folder, folder.hasPrefix("/") else {
      throw unavailable("The service has no credentials: CREDENTIALS_DIRECTORY is not set.")
    }
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw unavailable("“\(name)” can't be the name of a credential.")
    }
    // Where systemd gives the service's user access by an access control list, that shows as the group's right to read;
    // the folder keeps all other users out.
    let file = SecretFile(URL(filePath: folder).appending(path: name), refusedRights: 0o037)
    guard let text = try file.read() else {
      throw unavailable("The service has no credential named “\(name)”.")
    }
    return try SealingKeys(text: text)
  }

  private func unavailable(_ message: String) -> OstiaryError {
    OstiaryError(
      .storeUnavailable, message,
      advice: "Give the service LoadCredential=\(name):/path/to/key, with a key made by: openssl rand -base64 32")
  }
}

extension SealingKeySource where Self == BuiltInKeys {
  /// Keys in a credential that systemd hands to a service (`LoadCredential=`, `LoadCredentialEncrypted=`).
  ///
  /// Its contents are those of a key file (``keyFile(_:)``). systemd makes them available as a file in
  /// `$CREDENTIALS_DIRECTORY`, readable by the service alone (systemd.exec(5), "Credentials"). A service that was started
  /// without it finds its sessions unavailable.
  /// - Parameter name: the credential's name.
  public static func systemdCredential(_ name: String) -> BuiltInKeys { BuiltInKeys(SystemdCredential(name)) }
}
