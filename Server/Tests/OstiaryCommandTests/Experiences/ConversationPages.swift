import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting

/// A server whose pages are one experience's screens, as an app's own server would draw them.
final class ConversationPages: Sendable {
  /// A page that says, in its title, whether scripts run.
  static let probe = "<!DOCTYPE html><title>off</title><script>document.title = 'on'</script>"

  let server: LoopbackServer
  private let failures: Locked<[String]>

  init(_ runner: ExperienceRunner) throws {
    let failures = Locked<[String]>([])
    self.failures = failures
    runner.present()
    server = try LoopbackServer { request in
      switch (request.method, request.path) {
      case ("GET", "/"): return [.response(200, Self.fields, body: Self.page(runner))]
      case ("GET", "/probe"): return [.response(200, [("Content-Type", "text/html")], body: Self.probe)]
      case ("POST", "/step"):
        let moment = runner.snapshot
        guard let input = ExperienceInput(Self.pairs(request.text), for: moment.screen) else {
          failures.withLock { $0.append("A form was no answer to \(moment.screen.id).") }
          return [.response(400)]
        }
        let gate = Gate()
        Task {
          await runner.submit(input)
          // The app may have hidden the experience meanwhile; it is drawn when it is shown again.
          for await moment in runner.snapshots() where moment.phase == .shown || moment.outcome != nil { break }
          gate.open()
        }
        return [.wait(gate), .redirect(303, to: "/")]
      default: return [.response(404)]
      }
    }
  }

  /// Forms that could not be read.
  var problems: [String] { failures.withLock { $0 } }

  private static let fields = [
    ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
    // Nothing of a page's own may need a script.
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"),
  ]

  private static func page(_ runner: ExperienceRunner) -> String {
    let moment = runner.snapshot
    guard moment.outcome == nil else { return "<!DOCTYPE html><title>Over</title><p id=\"over\">Over</p>" }
    return ExperiencePage(moment.screen, action: "/step").html
  }

  /// The pairs of a form's body (WHATWG URL §5.1).
  private static func pairs(_ body: String) -> [(name: String, value: String)] {
    body.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}
