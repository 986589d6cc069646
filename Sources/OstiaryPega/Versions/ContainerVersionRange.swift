internal import OstiaryCore

/// The client versions that a server works with, both ends included.
///
/// An end that is missing, or that is no version, bounds nothing: a server's odd text is no word about this client.
struct ContainerVersionRange: Sendable, Hashable {
  let lower: ContainerVersion?
  let upper: ContainerVersion?

  /// Reads the range out of a login activity's response.
  init(_ response: [String: JSONValue], keys: PegaConfiguration.ResponseKeys) {
    lower = Self.version(response[keys.minimumContainerVersion])
    upper = Self.version(response[keys.maximumContainerVersion])
  }

  /// Whether a client of this version may go on. A version that isn't one is never refused.
  func allows(_ version: String) -> Bool {
    guard let version = ContainerVersion(version) else { return true }
    if let lower, version < lower { return false }
    if let upper, upper < version { return false }
    return true
  }

  private static func version(_ value: JSONValue?) -> ContainerVersion? {
    switch value {
    case .string(let text): ContainerVersion(text)
    case .integer(let number): ContainerVersion(String(number))
    case .number(let number): ContainerVersion(String(number))
    default: nil
    }
  }
}
