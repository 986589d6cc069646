import HTTPTypes
import OstiaryCore
internal import OstiaryExperiences

/// Pages that are drawn from a document, at the addresses of the server's own.
extension AccountRoutes {
  /// The name under which a page's form sends its flow. No field's key begins with a colon.
  private static let flowName = ":flow"

  /// The document, if a flow is drawn from it.
  func document(for kind: FlowKind) -> AccountExperience? {
    flows.experience.flatMap { $0.draws(kind) ? $0 : nil }
  }

  /// The page of a flow: a new one, or the one that the query names. Nil if that is one of the server's own forms.
  func showExperience(
    _ kind: FlowKind, _ account: AccountExperience, _ request: DoorRequest, _ client: FlowClient
  ) async throws -> DoorResponse? {
    guard let text = request.query.first("flow") else {
      return draw(
        try flows.beginConversation(kind, account, for: client, returnTo: request.query.first("return_to")), account)
    }
    return try await flows.currentConversation(kind, account, text, for: client).map { draw($0, account) }
  }

  /// Handles the form of a page that was drawn from the document; nil for a form of another page.
  func submitExperience(
    _ kind: FlowKind, _ form: FormFields, _ request: DoorRequest, _ client: FlowClient
  ) async throws -> DoorResponse? {
    guard let account = document(for: kind), let text = form.first(Self.flowName) else { return nil }
    let pairs = form.all.map { (name: $0.name, value: $0.value) }
    let found: FlowService.Conversation?
    do {
      found = try await flows.submitConversation(kind, account, text, pairs, for: client)
    } catch let error as ServerError where error.code == .conversationTooLarge {
      return .failure(.contentTooLarge, .requestTooLarge, for: request)
    }
    // The page of a flow that has ended says so.
    guard let shown = found else { return .redirect(to: FlowPaths.page(kind, flow: text), status: .seeOther) }
    if let session = shown.session {
      return try await signedIn(session, request, returnTo: shown.token.returnTo, telling: FlowIssue(.signedIn))
    }
    if let confirmation = shown.confirmation {
      return .redirect(to: FlowPaths.page(.signup, flow: confirmation), status: .seeOther)
    }
    if let opened = shown.opened { return .redirect(to: opened, status: .seeOther) }
    if shown.isOver {
      guard !shown.news.isEmpty else { return .redirect(to: FlowPaths.home, status: .seeOther) }
      return .page(pages.page(flows.end(shown), next: client.user == nil ? nil : FlowPaths.home))
    }
    // A redirect: reloading the page must not send the form again.
    guard shown.status != .ok else {
      return .redirect(to: FlowPaths.page(kind, flow: shown.text), status: .seeOther)
    }
    return draw(shown, account)
  }

  private func draw(_ shown: FlowService.Conversation, _ account: AccountExperience) -> DoorResponse {
    // A document may be in a language that the server has no texts in.
    let texts = shown.texts
    let language = texts.language == shown.screen.language ? nil : texts.language
    let page = ExperiencePage(
      shown.screen, action: FlowPaths.page(shown.token.kind),
      hidden: [(name: Self.flowName, value: shown.text), (name: FlowService.turnName, value: String(shown.turn))],
      news: shown.news.map { .init($0.text(in: texts), code: $0.code.rawValue, language: language) },
      links: account.pages(from: shown.screen, of: shown.flowKind).mapValues {
        FlowPaths.page($0, returnTo: shown.token.returnTo)
      },
      site: pages.service)
    let origins = flows.returnOrigins.subtracting([origin]).map(\.description) + account.origins
    let response = DoorResponse.page(
      page, status: shown.status, language: shown.screen.language, leadingTo: Set(origins).sorted())
    return shown.retryAfter.map { response.retrying(after: $0) } ?? response
  }
}
