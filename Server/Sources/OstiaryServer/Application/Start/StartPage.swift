import Foundation
import OstiaryCore

/// The server's page at `/`: its description and the open doors; in development also commands to paste, and the most recent
/// events. It is for developers, in English.
struct StartPage: Sendable {
  /// The time between two loads of a development server's page.
  static let reloadSeconds = 5

  let announcement: ServerAnnouncement
  /// The last events; nil if none are shown.
  let recent: [RecentEvents.Event]?
  /// Whether the page reloads itself.
  var reloads = true

  private static let what = """
    This is Ostiary, a doorkeeper: a server that signs programs in by the protocols below, and keeps them signed in.
    """

  // MARK: For browsers

  var page: Page {
    Page(
      title: "Ostiary",
      head: recent != nil && reloads ? "<meta http-equiv=\"refresh\" content=\"\(String(Self.reloadSeconds))\">" : "",
      isWide: true,
      content: """
        <p>\(Self.what)</p>
        \(recent == nil ? "" : Self.warning)
        <h2>Doors</h2>
        \(doors)
        \(people)
        \(log)
        """)
  }

  private static let warning: HTML = """
    <p id="development">Development mode: hashing is cheap, any password will do, and this page shows what happens. Not for
    real users.</p>
    """

  private var doors: HTML {
    guard !announcement.doors.isEmpty else { return "<p>None is open.</p>" }
    return """
      <ul class="plain" id="doors">
      \(HTML.joined(announcement.doors.map(item)))
      </ul>
      """
  }

  private func item(_ door: DoorAnnouncement) -> HTML {
    let documentation: HTML =
      door.documentation.map { "<p class=\"quiet\">Documentation: <code>\($0)</code></p>" } ?? ""
    return """
      <li id="door-\(door.name)"><h3>\(door.title)</h3>
      <p><code>\(door.address)</code></p>
      \(recent == nil ? "" : Self.commands(door.commands))
      \(documentation)</li>
      """
  }

  private static func commands(_ commands: [DoorAnnouncement.Command]) -> HTML {
    HTML.joined(
      commands.map { command in
        let hint: HTML = command.hint.map { "<p>\($0):</p>" } ?? ""
        return "\(hint)<pre class=\"command\">\(command.text)</pre>"
      })
  }

  /// The pages for people, not programs.
  private var people: HTML {
    var lines: [HTML] = []
    if let accounts = announcement.accounts {
      lines.append("<li><a href=\"\(accounts)\">Accounts</a>: sign in, and change your own settings.</li>")
    }
    guard recent != nil else { return Self.people(lines) }
    if let mailbox = announcement.mailbox {
      lines.append("<li><a href=\"\(mailbox)\">Mail, unsent</a>: what this server would have mailed.</li>")
    }
    let users: HTML =
      announcement.addUser.map { "<p>There is no user yet:</p>\n<pre class=\"command\">\($0)</pre>" } ?? ""
    return HTML.joined([Self.people(lines), users])
  }

  private static func people(_ lines: [HTML]) -> HTML {
    lines.isEmpty ? "" : "<h2>Pages</h2>\n<ul>\n\(HTML.joined(lines))\n</ul>"
  }

  private var log: HTML {
    guard let recent else { return "" }
    let toggle: HTML =
      reloads
      ? "Every \(String(Self.reloadSeconds)) seconds this page loads itself again. <a href=\"/?still\">Hold it</a>"
      : "This page stays as it is. <a href=\"/\">Let it load itself again</a>"
    let items: HTML =
      recent.isEmpty ? "<p>Nothing yet.</p>" : "<ol class=\"plain log\">\n\(HTML.joined(recent.map(item)))\n</ol>"
    return """
      <h2 id="log">What just happened</h2>
      <p class="help">\(toggle)</p>
      \(items)
      """
  }

  private func item(_ event: RecentEvents.Event) -> HTML {
    let details = event.details.map { "\($0.name) \($0.value)" }.joined(separator: " · ")
    let more: HTML = details.isEmpty ? "" : "<p class=\"help\">\(details)</p>"
    return """
      <li><p><time>\(Self.time(event.time))</time> <code>\(event.what)</code> <strong>\(event.outcome)</strong></p>
      \(more)</li>
      """
  }

  private static func time(_ date: Date) -> String {
    date.formatted(.iso8601.time(includingFractionalSeconds: false))
  }

  // MARK: For programs

  /// The same as plain text, for a terminal.
  var text: String {
    let width = announcement.doors.map(\.title.count).max() ?? 0
    func row(_ title: String, _ text: String) -> String {
      "  " + title + String(repeating: " ", count: max(0, width - title.count)) + "  " + text
    }
    var lines = [Self.what, ""]
    lines += announcement.doors.map { row($0.title, $0.address) }
    if let accounts = announcement.accounts { lines.append(row("Accounts", accounts)) }
    guard let recent else { return lines.joined(separator: "\n") + "\n" }
    if let mailbox = announcement.mailbox { lines.append(row("Mail, unsent", mailbox)) }
    lines += ["", "  Development mode: cheap hashing, any password. Not for real users."]
    if let addUser = announcement.addUser { lines += ["", "There is no user yet:", "  " + addUser] }
    lines += ["", "Sign in from another terminal:"]
    lines += announcement.doors.flatMap(\.commands).map { command in
      "  " + (command.hint.map { $0 + ": " } ?? "") + command.text
    }
    lines += ["", "What just happened:"]
    lines += recent.map { event in
      let details = event.details.map { "\($0.name) \($0.value)" }.joined(separator: " · ")
      return "  \(Self.time(event.time))  \(event.what)  \(event.outcome)" + (details.isEmpty ? "" : "  (\(details))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The same as data.
  var json: JSONValue {
    let doors = announcement.doors.map { door -> JSONValue in
      var members: [String: JSONValue] = [
        "name": .string(door.name), "title": .string(door.title), "address": .string(door.address),
      ]
      members["documentation"] = door.documentation.map(JSONValue.string)
      if recent != nil { members["commands"] = .array(door.commands.map { .string($0.text) }) }
      return .object(members)
    }
    var members: [String: JSONValue] = ["server": "Ostiary", "doors": .array(doors)]
    members["accounts"] = announcement.accounts.map(JSONValue.string)
    if let recent {
      members["isDevelopment"] = true
      members["mailbox"] = announcement.mailbox.map(JSONValue.string)
      members["events"] = .array(
        recent.map { event in
          .object([
            "time": .string(event.time.formatted(.iso8601)), "what": .string(event.what),
            "outcome": .string(event.outcome),
            "details": .object(
              Dictionary(
                event.details.map { ($0.name, JSONValue.string($0.value)) }, uniquingKeysWith: { first, _ in first })),
          ])
        })
    }
    return .object(members)
  }
}
