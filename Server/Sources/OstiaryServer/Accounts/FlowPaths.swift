import OstiaryCore

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
  /// The page at which a flow begins.
  /// - Parameter target: Where it leads in the end, if not home.
  static func page(_ kind: FlowKind, returnTo target: String?) -> String {
    page(kind) + (target.map { "?return_to=" + PercentEncoding.encode($0) } ?? "")
  }
  static func json(_ kind: FlowKind) -> String { "/flows/\(kind.rawValue)" }
}
