import Foundation
import OstiaryExperiences

@testable import OstiaryServer

/// A person at pages that are drawn from a document, with a browser that has no script: reads the form, fills it in, presses
/// a button and follows where it leads.
struct PersonAtPage {
  let client: Client
  private(set) var page: Answer
  private(set) var path: String

  struct Unexpected: Error, CustomStringConvertible { let description: String }

  init(_ client: Client, at path: String, headers: [String: String] = [:]) async throws {
    self.client = client
    self.path = path
    page = try await client.get(path, headers: headers)
  }

  /// The attributes of each such element, in order.
  static func attributes(_ element: String, in html: String) -> [[String: String]] {
    html.components(separatedBy: "<\(element) ").dropFirst().map { rest in
      var attributes: [String: String] = [:]
      for part in rest.prefix(while: { $0 != ">" }).components(separatedBy: "\" ") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { continue }
        let name = pair[0].split(separator: " ").last ?? ""
        attributes[String(name)] = pair[1].trimmingCharacters(in: ["\""]).replacing("&amp;", with: "&")
          .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      }
      return attributes
    }
  }

  /// What the form would send, by name.
  var fields: [String: String] {
    Dictionary(
      Self.attributes("input", in: page.body).compactMap { input in input["name"].map { ($0, input["value"] ?? "") } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The actions, in order.
  var actions: [String] { Self.attributes("button", in: page.body).compactMap { $0["value"] } }

  /// The heading.
  var title: String { page.body.between("<h1>", "</h1>") ?? "" }

  /// What the form sends with these entries.
  func form(_ entries: [String: String], _ action: String) -> [(String, String)] {
    (fields.merging(entries) { $1 }.map { ($0.key, $0.value) } + [(ExperiencePage.actionName, action)])
      .sorted { $0.0 < $1.0 }
  }

  /// Fills in the form, presses a button, and goes where that leads.
  /// - Returns: The first answer.
  @discardableResult
  mutating func submit(_ entries: [String: String] = [:], _ action: String) async throws -> Answer {
    try await send(form(entries, action))
  }

  /// Sends a form, and goes where that leads.
  @discardableResult
  mutating func send(_ form: [(String, String)]) async throws -> Answer {
    guard let target = Self.attributes("form", in: page.body).first?["action"] else {
      throw Unexpected(description: "There is no form: \(page.body)")
    }
    let first = try await client.post(target, form: form)
    page = first
    path = target
    for _ in 0..<5 {
      guard let next = page.header("Location") else { return first }
      path = next
      page = try await client.get(next)
    }
    return first
  }

  /// Loads the page again.
  mutating func reload() async throws { page = try await client.get(path) }
}

extension String {
  /// What stands between the first of a text and the next of another.
  func between(_ start: String, _ end: String) -> String? {
    guard let from = range(of: start), let to = range(of: end, range: from.upperBound..<endIndex) else { return nil }
    return String(self[from.upperBound..<to.lowerBound])
  }
}
