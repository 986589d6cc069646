import Foundation
import HTTPTypes
import NetworkTestSupport
import Ostiary
import OstiaryCore
import OstiaryServer

/// A server with a Primer door, Jane, and a way to it that can lose answers.
struct PrimerServer: Sendable {
  let application: OstiaryApplication
  let proxy: CuttingProxy

  static let token = "app-token"
  static let address = "jane@example.com"
  static let password = "a fine long password"

  /// Where apps are pointed at.
  var url: URL {
    get throws {
      guard let url = URL(string: "http://127.0.0.1:\(proxy.port)/primer") else { throw URLError(.badURL) }
      return url
    }
  }

  /// What apps show.
  static var fields: HTTPFields {
    var fields = HTTPFields()
    if let name = HTTPField.Name("X-Primer-Token") { fields[name] = token }
    return fields
  }

  /// Starts a server, lets `body` use it, and stops it, also after an error.
  static func run(
    change: (inout PrimerDoorConfiguration) -> Void = { _ in }, body: (PrimerServer) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.passwordPolicy = .standard
    configuration.primer?.apps[0].token = token
    if var primer = configuration.primer {
      change(&primer)
      configuration.primer = primer
    }
    configuration.accounts?.offersSignUp = true
    let application = try OstiaryApplication(configuration)
    let running = try await application.start()
    let proxy = try await CuttingProxy(cuts: [])
    proxy.lead(to: running.port)
    let outcome: Result<Void, any Error>
    do {
      try await application.identity.addUser(name: "jane", email: address, password: Secret(password))
      outcome = .success(try await body(PrimerServer(application: application, proxy: proxy)))
    } catch {
      outcome = .failure(error)
    }
    await application.stop()
    try await proxy.stop()
    try outcome.get()
  }

  /// The names and ids of the events that have come.
  func events() async throws -> [(id: String, name: String)] {
    try await application.door(PrimerDoor.self)?.events().map { ($0["id"]?.string ?? "", $0["name"]?.string ?? "") }
      ?? []
  }

  /// How many deliveries were answered.
  var deliveries: Int { application.journal?.count(ofPath: "/primer/v1/events") ?? 0 }

  /// The code of the last mail to Jane.
  func code() async -> String {
    await application.settleMail()
    let text = application.insecureDevelopmentMailbox?.messages(to: Self.address).last?.text ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("The code is ") }
    return line.map { String($0.dropFirst("The code is ".count).filter { $0 != " " && $0 != "\r" }) } ?? ""
  }
}
