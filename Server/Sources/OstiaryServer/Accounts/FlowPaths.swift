/// The paths of the flows.
enum FlowPaths {
  static let home = "/account"
  static let logout = "/account/logout"
  static let session = "/flows/session"
  /// The page on which a development server shows its mail.
  static let mailbox = "/insecure-development-mailbox"

  static func page(_ kind: FlowKind) -> String { "/account/\(kind.rawValue)" }
  /// The page of a flow that has begun.
  static func page(_ kind: FlowKind, flow text: String) -> String { page(kind) + "?flow=" + text }
  static func json(_ kind: FlowKind) -> String { "/flows/\(kind.rawValue)" }
}
