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
      return .failure(.notFound, "There is nothing at this address.", for: request)
    }
    let messages = mailbox.messages.reversed()
    if request.prefersJSON {
      return try .json(
        .array(
          messages.map { message in
            .object([
              "to": .string(message.recipient), "subject": .string(message.subject), "text": .string(message.text),
            ])
          }))
    }
    let items = messages.map { message -> HTML in
      """
      <section><h2 dir="auto">\(message.subject)</h2><p class="quiet">to \(message.recipient)</p><pre dir="auto">\(message.text)</pre></section>
      """
    }
    return .page(
      Page(
        title: "Development mailbox",
        content: """
          <p>None of these messages has been sent. Every user of this machine can read them.</p>
          \(HTML.joined(items))
          """))
  }
}
