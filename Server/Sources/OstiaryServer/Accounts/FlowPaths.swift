/// The paths of the flows.
enum FlowPaths {
  static let home = "/account"
  static let logout = "/account/logout"
  static let session = "/flows/session"
  /// The page on which a development server shows its mail.
  static let mailbox = "/insecure-development-mailbox"

  static func page(_ kind: FlowKind) -> String { "/account/\(kind.rawValue)" }
  static func json(_ kind: FlowKind) -> String { "/flows/\(kind.rawValue)" }
}
