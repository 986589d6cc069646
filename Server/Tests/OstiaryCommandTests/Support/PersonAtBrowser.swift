import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryHTML

@testable import OstiaryClientCommand

/// A person with a browser, who fills in what a page asks for and says yes.
final class PersonAtBrowser: Sendable {
  private let username: String
  private let password: String
  private let cookies = Locked(CookieJar())

  private let authority: String?

  /// - Parameter authority: a PEM file with certificates that the browser trusts besides the system's.
  init(username: String, password: String, trusting authority: String? = nil) {
    self.username = username
    self.password = password
    self.authority = authority
  }

  struct GoneTooFar: Error {}

  /// Opens a page, and goes on until there is nothing left to do.
  func visit(_ page: URL) async throws {
    let transport = try CommandTransport(trusting: authority)
    defer { Task { await transport.close() } }
    var request = try TransportRequest.get(page)
    for _ in 0..<20 {
      guard let next = try await answer(request, transport) else { return }
      request = next
    }
    throw GoneTooFar()
  }

  /// Sends a request and says what comes next.
  private func answer(_ request: TransportRequest, _ transport: CommandTransport) async throws -> TransportRequest? {
    var request = request
    let now = Date()
    request.head.headerFields[.cookie] = cookies.withLock { [head = request.head] in $0.header(for: head, now: now) }
    let response = try await transport.send(request)
    cookies.withLock { [head = request.head] in _ = $0.storeAll(from: response.head, to: head, now: now) }
    let here = URL(string: "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "/")")
    if let location = response.head.headerFields[.location] {
      return try URL(string: location, relativeTo: here).map { try .get($0.absoluteURL) }
    }
    guard let form = HTMLPage(response).forms.first, let action = form.action,
      let target = URL(string: action, relativeTo: here)?.absoluteURL
    else { return nil }
    var pairs: [(name: String, value: String)] = []
    for field in form.fields {
      guard let name = field.name else { continue }
      switch (field.element, field.type) {
      case (_, "submit") where field.value?.reveal() == "deny": continue
      case (_, "password"): pairs.append((name, password))
      case _ where name == "username": pairs.append((name, username))
      default: pairs.append((name, field.value?.reveal() ?? ""))
      }
    }
    return try .post(target, body: Data(FormEncoding.serialize(pairs).utf8), contentType: FormEncoding.mediaType)
  }
}
