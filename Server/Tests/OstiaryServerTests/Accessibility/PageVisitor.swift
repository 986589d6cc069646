import Foundation
import HTTPTypes
import OstiaryCore

@testable import OstiaryServer

/// A person at a browser without script, who reads one language: opens pages, fills in their forms and is led on.
struct PageVisitor: Sendable {
  let server: TestServer
  let language: String
  let client: Client
  /// A server that draws its account pages from a document.
  private let drawn: TestServer?

  init(_ server: TestServer, language: String, drawn: TestServer? = nil) {
    self.server = server
    self.language = language
    self.drawn = drawn
    client = server.client()
  }

  /// The same with a new browser.
  func anew() -> PageVisitor { PageVisitor(server, language: language, drawn: drawn) }

  /// The same with a new browser, at the server that draws its account pages from a document.
  func beforeDrawnPages() throws -> PageVisitor {
    guard let drawn else { throw Lost(description: "There is no server that draws account pages.") }
    return PageVisitor(drawn, language: language)
  }

  struct Lost: Error, CustomStringConvertible {
    let description: String
  }

  var headers: [String: String] {
    ["Accept-Language": language, "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
  }

  /// The page that an address leads to.
  func get(_ target: String) async throws -> Answer {
    try await led(try await client.get(target, headers: headers))
  }

  private func led(_ answer: Answer) async throws -> Answer {
    var answer = answer
    for _ in 0..<5 {
      guard (300..<400).contains(answer.status), let location = answer.header("Location"),
        location.hasPrefix("/") || location.hasPrefix(server.origin)
      else { return answer }
      answer = try await client.get(location, headers: headers)
    }
    return answer
  }

  /// Fills in a page's form, sends it, and is led on.
  /// - Parameter form: The form's id; nil for the first form.
  func fill(
    _ page: Answer, _ form: String?, _ fields: [(String, String)] = [], headers more: [String: String] = [:]
  ) async throws -> Answer {
    guard let (action, hidden) = PageMarkup(page.body).form(form) else {
      throw Lost(description: "There is no \(form ?? "form"): \(page.status) \(page.body)")
    }
    let path = action.hasPrefix("/") ? action : "/" + action
    return try await led(
      try await client.post(path, form: hidden + fields, headers: headers.merging(more) { $1 }))
  }

  /// Opens a page and sends its form.
  func fill(_ target: String, _ form: String?, _ fields: [(String, String)] = []) async throws -> Answer {
    try await fill(try await get(target), form, fields)
  }

  // MARK: Accounts

  /// A user of their own, at every door.
  func makeUser() async throws -> String {
    let name = "u\(UUID().uuidString.prefix(8).lowercased())@example.com"
    try await server.identity.addUser(
      name: name, displayName: "Jane Doe", email: name, password: Secret(TestServer.janesPassword))
    return name
  }

  /// A request of this person, for answers that are drawn without one.
  var request: DoorRequest {
    DoorRequest(
      method: .get, path: "/", query: .none, headers: [.acceptLanguage: language, .accept: "text/html"], body: [],
      parameters: [:], clientAddress: "127.0.0.1", id: "0123456789abcdef")
  }

  /// The texts of pages in this person's language.
  var texts: PageTexts { PageTexts(request) }
}
