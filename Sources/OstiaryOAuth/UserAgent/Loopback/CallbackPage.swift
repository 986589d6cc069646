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

  var response: [UInt8] {
    let (status, title, text) = content
    let body = """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>\
      <body><p>\(text)</p></body></html>

      """
    var head = "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
    // The address in the browser's bar has the code: it goes into no cache and along with no link.
    head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
    head += "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
    if case .methodNotAllowed = self { head += "Allow: GET\r\n" }
    return Array((head + "Connection: close\r\n\r\n" + body).utf8)
  }

  private var content: (status: String, title: String, text: String) {
    switch self {
    case .received(let text): ("200 OK", "Signed in", Self.escaped(text))
    case .unexpected: ("400 Bad Request", "Not this sign-in", "This is not the sign-in that was begun here.")
    case .notFound: ("404 Not Found", "Not found", "There is nothing here.")
    case .methodNotAllowed: ("405 Method Not Allowed", "Not allowed", "This address is only visited.")
    case .malformed: ("400 Bad Request", "Bad request", "That was not understood.")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
