import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app with the drop-in module for MobileFirst's gateways, two users and two servers, in an order that a seed decides.
///
/// A request is its user's: the one whose cookies the client showed when the request was made. One that waited for a challenge's
/// answer is sent again with the cookies of that time, as the vendor documents.
///
/// Used by the thread of the life alone.
final class MobileFirstLife: SimulatedLife, @unchecked Sendable {
  typealias User = GatewayOfLife.User

  /// What a call is about, by what the app could see when it made the call.
  struct Moment: Hashable, Sendable {
    var user: User?
    let host: String
    let field: String?
  }

  private let simulation: Simulation
  private let gateway: GatewayOfLife
  private let network: SimulatedNetwork
  private let store: SimulatedStore
  private let client: WLClient
  private let inbox = CompletionInbox()
  private let log: CallLog<Moment>
  private weak var handler: HandlerOfLife?

  private var host = GatewayOfLife.hosts[0]
  private var field: String?
  private var lastField = 0
  /// Whose cookies rest in the store, as long as the client has not read them.
  private var unread: User?
  /// The users whose cookies were shown since each call was made, or was last sent.
  private var seen: [Int: Set<User?>] = [:]
  /// How often each call was sent.
  private var arrivals: [Int: Int] = [:]
  /// How many challenges had been answered when each call was made.
  private var answersBefore: [Int: Int] = [:]
  private var answers = 0
  private var hasChallenge = false
  private var forms: [Moment] = []
  private var formsUnderWay = 0
  /// Whether the app has signed the user out, and begun nothing since that signs in.
  private var isSignedOut = false
  private var isEnding = false
  private var isDone = false

  var judged: Int { log.judged }

  init(seed: UInt64, capture: TaskCapture) {
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    let gateway = GatewayOfLife(simulation)
    self.gateway = gateway
    store = SimulatedStore(simulation, "store")
    log = CallLog(simulation)
    let answering = Locked<MobileFirstLife?>(nil)
    network = SimulatedNetwork(simulation) { request in
      answering.withLock { $0 }?.judge(request)
      return gateway.respond(to: request)
    }
    client = Self.client(network, simulation)
    answering.withLock { $0 = self }
    leave = { answering.withLock { $0 = nil } }
    let keeps = simulation.chance(0.6)
    if keeps { client.keepPersistentCookies(in: store) }
    if keeps, simulation.chance(0.6) { signInEarlier() }
    if simulation.chance(0.3) { client.challengeTimeoutInterval = 60 }
    network.chooseWeather()
    register()
    simulation.afterStep = { [unowned self] in
      inbox.settle()
      let shown = shown
      for (number, call) in log.calls.enumerated() where call.outcomes == 0 { seen[number, default: []].insert(shown) }
      if isSignedOut, !cookies.isEmpty { log.violate("\(cookies.map(\.value)) came after the sign-out") }
    }
  }

  private var leave: () -> Void = {}

  private static func client(_ network: SimulatedNetwork, _ simulation: Simulation) -> WLClient {
    WLClient(
      environment: WLEnvironment(
        transport: network, clock: simulation, serverURL: URL(string: "https://\(GatewayOfLife.hosts[0])/mfp")))
  }

  /// Another run of the app signs in.
  private func signInEarlier() {
    let earlier = Self.client(network, simulation)
    earlier.keepPersistentCookies(in: store)
    earlier.registerChallengeHandler(HandlerOfLife(self))
    let user = simulation.one(of: User.allCases)
    submit("../../pkmslogin.form", user, by: earlier.getChallengeHandler(bySecurityCheck: "gateway"))
    _ = simulation.live()
    isSignedOut = false
    if !store.keys.isEmpty { unread = user }
  }

  private var cookies: [HTTPCookie] { client.httpCookieStorage().cookies ?? [] }

  /// Whose cookies the client shows.
  private var shown: User? {
    for cookie in cookies where cookie.name == GatewayOfLife.proof {
      unread = nil
      return gateway.owners[cookie.value]
    }
    return nil
  }

  private var moment: Moment { Moment(user: shown ?? unread, host: host, field: field) }

  // MARK: Judging

  private func judge(_ request: TransportRequest) {
    let cookies = GatewayOfLife.cookies(of: request)
    let proof = cookies[GatewayOfLife.proof].flatMap { gateway.owners[$0] }
    simulation.note("  with \(proof.map { "\($0)" } ?? "no")'s cookie")
    unread = nil
    // When a session is over by the gateway's word, what the server behind it has set may stay.
    if let own = cookies[GatewayOfLife.serverCookie].flatMap({ gateway.owners[$0] }), let proof, own != proof {
      log.violate("\(proof) travels with a cookie of \(own)")
    }
    for cookie in cookies.values where !cookie.hasSuffix(request.head.authority ?? "?") {
      log.violate("\(cookie) goes to \(request.head.authority ?? "?")")
    }
    if request.path.hasPrefix("/pkms") {
      let number = GatewayOfLife.fields(of: request)["form"].flatMap { Int($0) } ?? -1
      guard forms.indices.contains(number) else { return log.violate("a form of no call") }
      return judge(request, "the form \(number)", forms[number])
    }
    let number = request.path.range(of: "n=").flatMap { Int(request.path[$0.upperBound...].prefix { $0.isNumber }) }
    guard let number, let moment = log.judge(number, "a request") else { return }
    judge(request, "the call \(number)", moment)
    if request.head.method == .post, request.body != Data("call \(number)".utf8) {
      log.violate("the call \(number) has another body")
    }
    let isAgain = arrivals[number, default: 0] > 0 || answersBefore[number] != answers
    let allowed = isAgain ? seen[number, default: []].union([shown]) : [moment.user]
    if !allowed.contains(proof) {
      log.violate("the call \(number) of \(allowed) went with \(proof.map { "\($0)" } ?? "no")'s cookie")
    }
    arrivals[number, default: 0] += 1
    seen[number] = [shown]
  }

  private func judge(_ request: TransportRequest, _ what: String, _ moment: Moment) {
    if request.head.authority != moment.host { log.violate("\(what) for \(moment.host) reached another server") }
    if HTTPField.Name("X-Life").flatMap({ request.head.headerFields[$0] }) != moment.field {
      log.violate("\(what) has not the field \(moment.field ?? "nil")")
    }
  }

  // MARK: What the app does

  private func call() {
    let moment = moment
    let number = log.begin(moment, "request")
    seen[number] = [moment.user]
    answersBefore[number] = answers
    let isPost = simulation.chance(0.5)
    let request = WLResourceRequest(
      url: URL(string: "call?n=\(number)"), method: isPost ? "POST" : "GET", timeout: 600, client: client)
    let ended = inbox.telling { [self] (outcome: (status: Int, text: String?)) in
      if let text = outcome.text, text.contains("\"target\""), !text.contains("n=\(number)\"") {
        log.violate("the call \(number) got another's answer: \(text)")
      }
      log.end(number, "\(outcome.status)")
    }
    let completion: @Sendable (WLResponse?, (any Error)?) -> Void = { response, _ in
      ended((response?.status ?? -1, response?.responseText))
    }
    if isPost {
      request.send(withBody: "call \(number)", responseQueue: inbox.queue, completionHandler: completion)
    } else {
      request.send(completionHandler: inbox.queue, completionHandler: completion)
    }
  }

  private func submit(_ address: String, _ user: User?, by handler: BaseChallengeHandler?) {
    guard let handler = handler as? HandlerOfLife else { return }
    forms.append(moment)
    formsUnderWay += 1
    if user != nil { isSignedOut = false }
    simulation.note("  form \(forms.count - 1): \(user.map { "log \($0) in" } ?? "log out")")
    var parameters = ["form": "\(forms.count - 1)"]
    if let user {
      parameters["username"] = user.rawValue
      parameters["password"] = simulation.chance(0.9) ? user.password : "wrong"
    }
    handler.submitLoginForm(
      address, requestParameters: parameters, requestHeaders: nil, requestTimeoutInMilliSeconds: 0,
      requestMethod: "POST")
  }

  private func logIn() { submit("../../pkmslogin.form", simulation.one(of: User.allCases), by: handler) }
  private func logOut() { submit("../../pkmslogout", nil, by: handler) }

  /// The app forgets the cookies by itself.
  private func forget() {
    simulation.note("  forget the cookies")
    let cookies = cookies
    for cookie in cookies { client.httpCookieStorage().deleteCookie(cookie) }
    if formsUnderWay == 0, cookies.contains(where: { $0.name == GatewayOfLife.proof }) { isSignedOut = true }
  }

  private func setServer(_ new: String) {
    simulation.note("  server \(new)")
    host = new
    unread = nil
    client.setServerUrl(URL(string: "https://\(new)/mfp"))
    isSignedOut = true
  }

  private func setField() {
    if simulation.chance(0.3) {
      field = nil
      client.removeGlobalHeader("X-Life")
    } else {
      lastField += 1
      field = "h\(lastField)"
      client.addGlobalHeader("x-life", headerValue: field)
    }
  }

  private func register() {
    let handler = HandlerOfLife(self)
    self.handler = handler
    client.registerChallengeHandler(handler)
  }

  private func act() {
    switch simulation.number(0...19) {
    case 0...8: call()
    case 9, 10: logIn()
    case 11: logOut()
    case 12, 13: forget()
    case 14: setServer(simulation.one(of: GatewayOfLife.hosts))
    case 15, 16: setField()
    case 17: if simulation.chance(0.5) { gateway.dropSessions() }
    case 18: cancel()
    default: if simulation.chance(0.3) { register() }
    }
  }

  // MARK: What the handler is told

  private func cancel() {
    simulation.note("  cancel")
    hasChallenge = false
    handler?.cancel()
  }

  private func succeed(_ response: WLResponse?) {
    guard hasChallenge else { return }
    simulation.note("  submit success")
    hasChallenge = false
    answers += 1
    handler?.submitSuccess(response)
  }

  /// Does something now, or when the seed says.
  private func soon(_ what: String, _ body: @escaping () -> Void) {
    guard simulation.chance(0.5) else { return body() }
    CapturedCall(.success(Later(body: body))).start { [self] later in
      await simulation.checkpoint(what)
      later.body()
    } completion: { _ in
    }
  }

  private struct Later: @unchecked Sendable {
    // Used by the thread of the life alone.
    let body: () -> Void
  }

  func challenged(_ response: WLResponse?) {
    simulation.note("  challenged")
    hasChallenge = true
    guard !isEnding else { return cancel() }
    let choice = simulation.number(0...9)
    soon("the challenge") { [self] in
      switch choice {
      case 0: cancel()
      case 1: succeed(response)
      case 2: if isEnding { cancel() }
      default: isEnding ? cancel() : logIn()
      }
    }
  }

  /// Which form it was is not said: a failure may be any.
  func formEnded(_ response: WLResponse?) {
    simulation.note("  end of a form: \(response?.status ?? -1)")
    formsUnderWay -= 1
    guard !isEnding else { return cancel() }
    if formsUnderWay == 0, response?.responseText?.contains("signed out") == true { isSignedOut = true }
    let isAnswered = response?.responseText?.contains("Welcome") == true
    let isAgain = simulation.chance(0.3)
    soon("the form") { [self] in
      if isAnswered { return succeed(response) }
      if response?.responseText?.contains("signed out") == true { return }
      isAgain && !isEnding && hasChallenge ? logIn() : cancel()
    }
  }

  // MARK: Living

  func run() -> [String] {
    simulation.startApp(of: simulation.number(8...25), act: act) { [self] in isDone = true }
    _ = simulation.live(until: { [self] in isDone && log.areEnded && formsUnderWay == 0 }, horizon: 600)
    simulation.note("all is well again")
    network.weather = SimulatedNetwork.Weather()
    isEnding = true
    cancel()
    finish("the life")
    // The second call comes after the first one, and so does what it does.
    submit("../../pkmslogin.form", simulation.one(of: User.allCases), by: handler)
    logOut()
    finish("the last sign-out")
    _ = simulation.live()
    if !cookies.isEmpty { log.violate("\(cookies.map(\.value)) are there after the sign-out") }
    if !store.keys.isEmpty { log.violate("stored after the sign-out: \(store.keys)") }
    log.judgeOutcomes()
    simulation.dissolve()
    leave()
    return log.violations
  }

  private func finish(_ what: String) {
    let isOver = simulation.live { [self] in isDone && log.areEnded && formsUnderWay == 0 }
    if !isOver { log.violate("\(what) is stuck: \(formsUnderWay) forms are under way") }
  }
}
