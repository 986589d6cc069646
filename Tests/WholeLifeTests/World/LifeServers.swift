import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// The kinds of session that a life is about.
enum LifeKind: String, CaseIterable, Sendable { case oauth, pega, gateway, newzulu }

/// The strict servers of a life, one behind the other on one host: gateways with a login form, and behind them the server
/// of the life's kind. A used one-time token revokes its sign-in; cookies roll with any answer.
final class LifeServers: @unchecked Sendable {
  // Used by the thread of the life alone.
  /// What a server answers, and what is given with it.
  struct Answer {
    var response: TransportResponse
    var given: [String] = []
    /// The value by which a sign-in that the answer completes is known.
    var begins: String?
    /// Whether it carries newer cookies.
    var rolls = false
  }

  /// How the life's cookies say how long they live.
  enum CookieAge: CaseIterable { case none, maxAge, expires }

  static let host = "life.test"
  static let passwords = ["ann": "apple", "ben": "banana", "gate": "open"]

  let kind: LifeKind
  let gates: Int
  let simulation: Simulation
  let ledger: Ledger
  /// How probable it is that an answer brings a newer cookie, and that it brings many of no use.
  var rolling = 0.0
  var flooding = 0.0
  var cookieAge = CookieAge.none
  /// Whether the gateways demand sign-in with a 401 instead of a page.
  var demandsWith401 = false
  /// Whether the outermost gateway refuses the app's own password, which is then forgotten.
  var isGatewayClosed = false
  /// The users whose proof each request of the app was sent with, and those in whose name it was carried out.
  var shownFor: [String: [String]] = [:]
  var executed: [String: [String]] = [:]
  var accessEnds: [String: Date] = [:]
  private var cookieEnds: [String: Date] = [:]
  private(set) var signIns = 0

  init(kind: LifeKind, gates: Int, simulation: Simulation, ledger: Ledger) {
    self.kind = kind
    self.gates = gates
    self.simulation = simulation
    self.ledger = ledger
  }

  /// The layer of the life's own session, counted from the outermost gateway.
  var topLayer: Int { kind == .gateway ? gates - 1 : gates }

  func answer(_ request: TransportRequest, from process: LifeProcess) -> Answer {
    endOld()
    let path = request.pathAlone
    var cookies: [(field: String, value: String)] = []
    let gates = path.hasPrefix("/gate") ? 1 + (Int(path.dropFirst(5).prefix(1)) ?? 0) : self.gates
    for gate in 0..<gates {
      if path == "/gate\(gate)/login" || path == "/gate\(gate)/logout" {
        return gateAnswer(gate, request, path).dated(simulation.trueTime)
      }
      let shown = request.cookies("gw\(gate)")
      noteShown(shown, request, layer: gate)
      guard let value = shown.first(where: ledger.accepts) else {
        return demand(gate, request).dated(simulation.trueTime)
      }
      if let next = roll(value, process) { cookies.append((cookie("gw\(gate)", next), next)) }
    }
    var answer: Answer
    if path.hasPrefix("/gate") {
      answer = Answer(response: .json(["checked": true]))
    } else {
      switch kind {
      case .oauth: answer = oauthAnswer(request, path)
      case .pega: answer = pegaAnswer(request, path, process)
      case .newzulu: answer = newzuluAnswer(request)
      case .gateway:
        let value = request.cookies("gw\(gates - 1)").first(where: ledger.accepts) ?? ""
        answer = carryOut(request, for: value)
      }
    }
    for (field, value) in cookies {
      answer.response.head.headerFields.append(HTTPField(name: .setCookie, value: field))
      answer.given.append(value)
      answer.rolls = true
    }
    if answer.response.status == .ok, simulation.chance(flooding) { flood(&answer.response) }
    return answer.dated(simulation.trueTime)
  }

  // MARK: What all have

  /// Notes whose proof a request of the app carries.
  func noteShown(_ values: [String], _ request: TransportRequest, layer: Int) {
    guard layer == topLayer, let number = request.lifeNumber else { return }
    for value in values {
      if let family = ledger.family(of: value) { shownFor[number, default: []].append(ledger.families[family].user) }
    }
  }

  func carryOut(_ request: TransportRequest, for value: String) -> Answer {
    let user = ledger.family(of: value).map { ledger.families[$0].user } ?? "nobody"
    if let number = request.lifeNumber { executed[number, default: []].append(user) }
    return Answer(response: .json(["owner": .string(user)]))
  }

  func begin(_ user: String, layer: Int) -> Int {
    signIns += 1
    return ledger.begin(layer: layer, user: user)
  }

  /// A newer cookie, if the server gives one now. A process gets one answer with newer cookies at a time: the order of
  /// two could not be told.
  func roll(_ value: String, _ process: LifeProcess) -> String? {
    guard process.answersOnTheWay == 0, simulation.chance(rolling), let family = ledger.family(of: value) else {
      return nil
    }
    let next = ledger.give("C", of: family)
    simulation.note("  \(value) is answered with \(next)")
    return next
  }

  func cookie(_ name: String, _ value: String, path: String = "/") -> String {
    if cookieAge != .none { cookieEnds[value] = simulation.trueTime.addingTimeInterval(28_800) }
    let field = "\(name)=\(value); Path=\(path); HttpOnly; Secure"
    switch cookieAge {
    case .none: return field
    case .maxAge: return field + "; Max-Age=28800"
    case .expires: return field + "; Expires=" + HTTPDate.format(simulation.trueTime.addingTimeInterval(28_800))
    }
  }

  /// Cookies of no use, in time more than a jar holds; one has no path of its own.
  private func flood(_ response: inout TransportResponse) {
    response.head.headerFields.append(HTTPField(name: .setCookie, value: "plain=1; Secure"))
    let part = simulation.number(0...9)
    for number in 0..<60 {
      response.head.headerFields.append(HTTPField(name: .setCookie, value: "ad\(part)x\(number)=x; Path=/; Secure"))
    }
  }

  // MARK: What the life does to them

  func drop(layer: Int) { for family in ledger.living(layer) { ledger.end(family, "dropped") } }

  /// Cookies end when they said that they would.
  /// - Parameter margin: those that have no more seconds left than this end now.
  func endOld(within margin: Double = 0) {
    for (value, date) in cookieEnds where date <= simulation.trueTime.addingTimeInterval(margin) {
      ledger.withdraw(value)
    }
  }

  /// Old cookies end: all but the newest.
  func endGrace() {
    for family in ledger.families.indices {
      let cookies = ledger.values(of: family).filter { ledger.given[$0]?.kind == "C" && ledger.accepts($0) }
      for value in cookies.dropLast() { ledger.withdraw(value) }
    }
  }

  /// The oldest cookie of each sign-in ends.
  func endOldest() {
    for family in ledger.families.indices {
      let cookies = ledger.values(of: family).filter { ledger.given[$0]?.kind == "C" && ledger.accepts($0) }
      if cookies.count > 1, let first = cookies.first { ledger.withdraw(first) }
    }
  }

  func expireAccess() {
    for (value, entry) in ledger.given where entry.kind == "A" { ledger.withdraw(value) }
  }

  // MARK: Gateways

  static func page(_ gate: Int, returning path: String) -> String {
    """
    <!doctype html><title>Sign in</title><form id="gate\(gate)" action="/gate\(gate)/login" method="post">
    <input type="hidden" name="return" value="\(path)"><input name="username"><input type="password" name="password">
    <button name="op" value="login">Sign in</button></form>
    """
  }

  private func demand(_ gate: Int, _ request: TransportRequest) -> Answer {
    let path = request.pathAlone.count > 200 ? "/" : request.pathAlone
    return Answer(response: .html(Self.page(gate, returning: path), status: demandsWith401 ? .unauthorized : .ok))
  }

  private func gateAnswer(_ gate: Int, _ request: TransportRequest, _ path: String) -> Answer {
    if path.hasSuffix("/logout") {
      for value in request.cookies("gw\(gate)") {
        if let family = ledger.family(of: value) { ledger.end(family, "signed out") }
      }
      return Answer(response: .html("<title>Bye</title>You are signed out."))
    }
    guard request.head.method == .post else { return Answer(response: .html(Self.page(gate, returning: "/"))) }
    let fields = request.formFields
    let isClosed = isGatewayClosed && gate == 0
    guard let user = fields["username"], Self.passwords[user] == fields["password"], !isClosed else {
      return Answer(response: .html(Self.page(gate, returning: fields["return"] ?? "/")))
    }
    let value = ledger.give("C", of: begin(user, layer: gate))
    let response = TransportResponse.status(
      .found, headerFields: [.location: fields["return"] ?? "/", .setCookie: cookie("gw\(gate)", value)])
    return Answer(response: response, given: [value], begins: value)
  }
}

extension LifeServers.Answer {
  func dated(_ date: Date) -> LifeServers.Answer {
    var answer = self
    answer.response.head.headerFields[.date] = HTTPDate.format(date)
    return answer
  }
}

extension TransportRequest {
  /// The number that the life gave a request of the app.
  var lifeNumber: String? { HTTPField.Name("X-Life-Request").flatMap { head.headerFields[$0] } }

  var pathAlone: String { String((head.path ?? "/").prefix { $0 != "?" }) }

  var formFields: [String: String] {
    let pairs = FormEncoding.parse(String(decoding: body ?? Data(), as: UTF8.self))
    return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
  }

  func cookies(_ name: String) -> [String] {
    (head.headerFields[.cookie] ?? "").split(separator: ";").compactMap { pair in
      let pair = pair.trimmingCharacters(in: .whitespaces)
      return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
    }
  }
}
