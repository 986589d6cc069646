import Crypto
import Foundation

/// A complete page in the server's style: one column, no script, no resources from other servers.
struct Page: Sendable {
  /// The document.
  let html: HTML
  /// The language of its texts (BCP 47).
  let language: String

  /// - Parameters:
  ///   - title: The page's title.
  ///   - heading: Its only heading; the title if there is none.
  ///   - language: The language of its texts (BCP 47).
  ///   - isRightToLeft: Whether that is written from right to left.
  ///   - head: Further elements of the head.
  ///   - isWide: Whether it has the width for text and commands, and not that of a form.
  ///   - content: The content below the heading.
  init(
    title: String, heading: String? = nil, language: String = "en", isRightToLeft: Bool = false, head: HTML = "",
    isWide: Bool = false, content: HTML
  ) {
    let direction: HTML = isRightToLeft ? " dir=\"rtl\"" : ""
    let main: HTML = isWide ? "<main class=\"wide\">" : "<main>"
    html = """
      <!DOCTYPE html>
      <html lang="\(language)"\(direction)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(head)
      <title>\(title)</title>
      \(Self.style)
      </head>
      <body>
      \(main)
      <h1>\(heading ?? title)</h1>
      \(content)
      </main>
      </body>
      </html>

      """
    self.language = language
  }

  /// The content security policy of a page: it may use the server's style, and send forms to this server.
  static let contentSecurityPolicy = policy(style: styleHash)

  /// As ``contentSecurityPolicy``, for a form whose answer may redirect to other origins: browsers apply the policy to redirects too.
  static func contentSecurityPolicy(leadingTo origins: [String]) -> String {
    origins.isEmpty ? contentSecurityPolicy : policy(style: styleHash, leadingTo: origins)
  }

  /// The policy of a page with a style, whose forms may lead to other origins.
  static func policy(style hash: String, leadingTo origins: [String] = []) -> String {
    let targets = (["'self'"] + origins).joined(separator: " ")
    return "default-src 'none'; style-src '\(hash)'; form-action \(targets); base-uri 'none'; frame-ancestors 'none'"
  }

  private static let style: HTML = "<style>\(HouseStyle.sheet)</style>"

  /// The hash of the server's style for the browser (CSP Level 3 §6.7.3.3); any other style is refused.
  private static let styleHash = hash(ofStyle: HouseStyle.sheet.source)

  static func hash(ofStyle sheet: String) -> String {
    "sha256-" + Data(SHA256.hash(data: Array(sheet.utf8))).base64EncodedString()
  }
}
