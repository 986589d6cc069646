internal import Crypto
internal import Foundation
internal import OstiaryCore

/// What the browser is shown. It contains nothing of a request, so that a request can't inject text into it.
enum CallbackPage: Sendable {
  /// The callback that was waited for.
  case received(String)
  /// A callback of another sign-in, or of none.
  case unexpected
  case notFound
  case methodNotAllowed
  case malformed
  /// The browser goes on to a server's page.
  case leading(to: URL)
  /// The browser goes on to a server's page with a form, which it sends by itself.
  case posting(PostedPage)
  /// The way to a server's page was taken already.
  case used
  /// The browser is another user's of this machine.
  case foreign

  var response: [UInt8] {
    let (status, title, markup) = content
    let body = """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>\
      <body>\(markup)</body></html>

      """
    var head = "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
    // The address in the browser's bar has the code, and a page may have an ID token: they go into no cache and along with no link.
    head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
    head += "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'\(scripts)\r\n"
    switch self {
    case .methodNotAllowed: head += "Allow: GET\r\n"
    case .leading(let page): head += "Location: \(page.absoluteString)\r\n"
    default: break
    }
    return Array((head + "Connection: close\r\n\r\n" + body).utf8)
  }

  private var content: (status: String, title: String, markup: String) {
    switch self {
    case .received(let text): ("200 OK", "Done", "<p>\(Self.escaped(text))</p>")
    case .unexpected: ("400 Bad Request", "Not this sign-in", "<p>This is not the sign-in that was begun here.</p>")
    case .notFound: ("404 Not Found", "Not found", "<p>There is nothing here.</p>")
    case .methodNotAllowed: ("405 Method Not Allowed", "Not allowed", "<p>This address is only visited.</p>")
    case .malformed: ("400 Bad Request", "Bad request", "<p>That was not understood.</p>")
    case .leading: ("303 See Other", "Going on", "<p>The server's page follows.</p>")
    case .posting(let page): ("200 OK", "Going on", Self.form(page))
    case .foreign: ("403 Forbidden", "Not yours", "<p>This address is for the user who has begun here.</p>")
    case .used:
      (
        "410 Gone", "Used",
        "<p>This address leads to the server's page once, and was used already. Begin again in the program.</p>"
      )
    }
  }

  /// What the browser may run: the one line that sends the form.
  private var scripts: String {
    guard case .posting = self else { return "" }
    return "; script-src 'sha256-\(Data(SHA256.hash(data: Data(Self.script.utf8))).base64EncodedString())'"
  }

  private static let script = "document.forms[0].submit()"

  private static func form(_ page: PostedPage) -> String {
    let fields = page.parameters.all.map {
      "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
    }
    return "<form method=\"post\" action=\"\(escaped(page.action.absoluteString))\">\(fields.joined())"
      + "<noscript><button>Go on to the server's page</button></noscript></form><script>\(script)</script>"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
