/// Where the password of a profile comes from when no person is asked. A profile keeps this; it never keeps the password.
enum PasswordSource: Sendable, Equatable {
  /// A shell's command that prints it.
  case command(String)
  /// A file that only its owner can read; an absolute path.
  case file(String)
  /// A credential that systemd hands to a service (`LoadCredential=`), by its name.
  case credential(String)
  /// The desktop's keyring, in its entry for the profile's server and user.
  case keyring
}

extension PasswordSource: Codable {
  private enum CodingKeys: String, CodingKey {
    case command, file, credential, keyring
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let command = try container.decodeIfPresent(String.self, forKey: .command) {
      self = .command(command)
    } else if let path = try container.decodeIfPresent(String.self, forKey: .file) {
      self = .file(path)
    } else if try container.decodeIfPresent(Bool.self, forKey: .keyring) == true {
      self = .keyring
    } else {
      self = .credential(try container.decode(String.self, forKey: .credential))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .command(let command): try container.encode(command, forKey: .command)
    case .file(let path): try container.encode(path, forKey: .file)
    case .credential(let name): try container.encode(name, forKey: .credential)
    case .keyring: try container.encode(true, forKey: .keyring)
    }
  }
}
