import HTTPTypes
import OstiaryCore

/// Shows a development server's mail, on the machine it runs on.
struct DevelopmentMailboxRoutes: Sendable {
  let mailbox: InsecureDevelopmentMailbox

  var routes: [Route] {
    [Route(FlowPaths.mailbox, [.get: { request in try show(request) }])]
  }

  /// The newest messages first.
  private func show(_ request: DoorRequest) throws -> DoorResponse {
    guard ClientAddress(request.clientAddress)?.isLoopback == true else {
      return .failure(.notFound, .nothingHere, for: request)
    }
    let messages = Array(mailbox.messages.reversed())
    if request.prefersJSON {
      return try .json(
        .array(
          messages.map { message in
            .object([
              "to": .string(message.recipient), "subject": .string(message.subject), "text": .string(message.text),
            ])
          }))
    }
    return .page(Self.page(messages, in: PageTexts(request)))
  }

  /// The page.
  /// - Parameter messages: The messages, in the order in which they are shown.
  static func page(_ messages: [MailMessage], in texts: PageTexts) -> Page {
    let items = messages.map { message -> HTML in
      let language: HTML = message.language.map { " lang=\"\($0)\"" } ?? ""
      let recipient = texts(.mailboxRecipient, ["address": "<bdi>\(message.recipient)</bdi>"])
      return """
        <section><h2 dir="auto"\(language)>\(message.subject)</h2><p class="quiet">\(recipient)</p>
        <pre dir="auto"\(language)>\(message.text)</pre></section>
        """
    }
    return Page(
      title: texts(.mailboxTitle), in: texts,
      content: """
        <p>\(texts(.mailboxNote))</p>
        \(items.isEmpty ? "<p>\(texts(.mailboxEmpty))</p>" : HTML.joined(items))
        """)
  }
}
