import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// The network of one process, with its weather.
struct LifeTransport: Transport {
  let servers: LifeServers
  let process: LifeProcess
  let weather: Weather

  /// How bad the network and what stands in it are.
  final class Weather: @unchecked Sendable {
    // Used by the thread of the life alone.
    /// How probable it is that a request meets something of it.
    var trouble = 0.0

    enum Trouble: CaseIterable {
      case refusesConnection, losesRequest, losesAnswer, unavailable, tooMany, unreadable, partial, proxyPage, empty
      case bareRefusal
    }

    func next(_ simulation: Simulation) -> Trouble? {
      simulation.chance(trouble) ? simulation.one(of: Trouble.allCases) : nil
    }
  }

  private var ledger: Ledger { servers.ledger }
  private var simulation: Simulation { servers.simulation }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let answer = try await send(request)
    return StreamingResponse(answer.head, body: ResponseBody([answer.body]))
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let path = request.pathAlone
    let name = "P\(process.number) \(request.head.method.rawValue) \(path.prefix(40))"
    noteEnding(request, path)
    await simulation.checkpoint(name)
    if process.isDead { throw OstiaryError(.cannotConnect, "The process is dead.", request: request.head) }
    try Task.checkCancellation()
    let trouble = weather.next(simulation)
    if let trouble, let answer = try instead(of: request, path, trouble) { return answer }
    var answer = servers.answer(request, from: process)
    let isLost = trouble == .losesAnswer
    if trouble == .unreadable { garble(&answer, keepsRefreshToken: false) }
    if trouble == .partial { garble(&answer, keepsRefreshToken: true) }
    if isLost { ledger.lost(answer.given) }
    process.awaited.formUnion(answer.given)
    if answer.rolls { process.answersOnTheWay += 1 }
    let given = answer.given
    await withTaskCancellationHandler {
      await simulation.checkpoint(name + " answered \(answer.response.status.code)")
    } onCancel: {
      ledger.lost(given)
    }
    if answer.rolls { process.answersOnTheWay -= 1 }
    process.awaited.subtract(given)
    if process.isDead || Task.isCancelled || isLost {
      ledger.lost(given)
      simulation.note("  the answer is lost")
      try Task.checkCancellation()
      throw OstiaryError(.timedOut, "The answer was lost.", request: request.head)
    }
    ledger.arrived(given, at: process.number)
    if let begins = answer.begins { ledger.establish(begins) }
    return answer.response
  }

  /// Notes that this side asks a server to end a session, whether it hears of that or not.
  private func noteEnding(_ request: TransportRequest, _ path: String) {
    if path == "/oauth/revoke" { ledger.askedToEnd(request.formFields["token"] ?? "") }
    if request.head.path?.contains("LogOff") == true {
      for value in request.cookies("Pega-RULES") { ledger.askedToEnd(value) }
    }
    for gate in 0..<servers.gates where path == "/gate\(gate)/logout" {
      for value in request.cookies("gw\(gate)") { ledger.askedToEnd(value) }
    }
  }

  /// What comes in the place of the server's answer, which has not been asked.
  private func instead(
    of request: TransportRequest, _ path: String, _ trouble: Weather.Trouble
  ) throws -> TransportResponse? {
    simulation.note("  trouble: \(trouble)")
    switch trouble {
    case .refusesConnection:
      throw OstiaryError(
        .cannotConnect, "The connection was refused.", request: request.head, requestMayHaveExecuted: false)
    case .losesRequest: throw OstiaryError(.timedOut, "The request was lost.", request: request.head)
    case .unavailable: return .status(.serviceUnavailable)
    case .tooMany: return .status(.tooManyRequests, headerFields: [.retryAfter: "1"])
    case .proxyPage:
      let fields: HTTPFields = [.contentType: "text/plain"]
      return TransportResponse(
        HTTPResponse(status: .badRequest, headerFields: fields),
        body: Data("url=https://life.test&error=access_denied&error_description=blocked".utf8))
    case .empty where path == "/oauth/token": return .status(.badRequest)
    case .bareRefusal where servers.kind == .pega && path.hasPrefix("/prweb/api"):
      return .status(.unauthorized)
    case .losesAnswer, .unreadable, .partial, .empty, .bareRefusal: return nil
    }
  }

  /// The body breaks off, or lacks what it should have most of all.
  private func garble(_ answer: inout LifeServers.Answer, keepsRefreshToken: Bool) {
    guard answer.response.status == .ok, !answer.rolls else { return }
    if keepsRefreshToken, answer.given.count == 2, answer.begins == nil {
      answer.response = .json(["refresh_token": .string(answer.given[1])])
      ledger.lost([answer.given[0]])
      answer.given.removeFirst()
    } else {
      answer.response.body = answer.response.body.prefix(7)
      ledger.lost(answer.given)
      if answer.begins != nil { answer.response.head.headerFields[.setCookie] = nil }
      answer.given = []
    }
    answer.begins = nil
  }
}
