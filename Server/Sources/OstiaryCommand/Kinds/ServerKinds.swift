internal import OstiaryCore

/// The kinds of server that the command knows. A new kind is added here and nowhere else.
enum ServerKinds {
  static let all: [any ServerKind] = [
    PegaKind(), NewzuluKind(), SalesforceKind(), GatewayKind(), HTTPKind(),
  ]

  /// The kind of that name.
  /// - Throws: ``OstiaryError`` `unknownKind`, which lists the known ones.
  static func kind(named name: String) throws -> any ServerKind {
    if let kind = all.first(where: { $0.kind.rawValue == name.lowercased() }) { return kind }
    throw OstiaryError(
      .unknownKind, "There is no kind of server “\(name)”.", advice: "Known kinds: \(names).",
      disposition: .misuse, requestMayHaveExecuted: false)
  }

  /// All names, for a sentence.
  static var names: String { all.map(\.kind.rawValue).joined(separator: ", ") }
}
