/// Where flows are found.
enum FlowPaths {
  static let home = "/account"
  static let logout = "/account/logout"
  static let session = "/flows/session"

  static func page(_ kind: FlowKind) -> String { "/account/\(kind.rawValue)" }
  static func json(_ kind: FlowKind) -> String { "/flows/\(kind.rawValue)" }
}
