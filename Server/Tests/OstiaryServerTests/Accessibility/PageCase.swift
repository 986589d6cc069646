import Testing

@testable import OstiaryServer

/// A page in one state, and how a person comes to it. A new page gets a line for each of its states in one of the lists, and is then
/// held to every rule, in every language, by a browser and by axe.
struct PageCase: Sendable, CustomTestStringConvertible {
  /// What the person sees: the page as it opens, what was refused, what was done.
  enum State: String, Sendable { case opened, refused, done }

  /// Whose texts a page has.
  enum Wording: Sendable {
    /// The reader's language.
    case reader
    /// English: an imitated product's page, or one that only developers see.
    case english
  }

  /// The service, and the page's own name after it: `account login`.
  let page: String
  let state: State
  /// What tells the states of one page apart.
  let detail: String
  var wording = Wording.reader
  /// The fields that are said to be wrong.
  var invalid: [String] = []
  /// What was typed before and has to be there still, by field.
  var kept: [String: String] = [:]
  let open: @Sendable (PageVisitor) async throws -> String

  init(
    _ page: String, _ state: State = .opened, _ detail: String = "", wording: Wording = .reader,
    invalid: [String] = [], kept: [String: String] = [:], open: @escaping @Sendable (PageVisitor) async throws -> Answer
  ) {
    self.init(
      markupOf: page, state, detail, wording: wording, invalid: invalid, kept: kept,
      markup: { try await open($0).body })
  }

  /// A page that is drawn, and not asked for.
  init(
    drawn page: String, _ state: State = .opened, _ detail: String = "", wording: Wording = .reader,
    kept: [String: String] = [:], draw: @escaping @Sendable (PageVisitor) throws -> Page
  ) {
    self.init(
      markupOf: page, state, detail, wording: wording, kept: kept, markup: { try draw($0).html.source })
  }

  /// A page as markup.
  init(
    markupOf page: String, _ state: State, _ detail: String = "", wording: Wording = .reader, invalid: [String] = [],
    kept: [String: String] = [:], markup: @escaping @Sendable (PageVisitor) async throws -> String
  ) {
    self.page = page
    self.state = state
    self.detail = detail
    self.wording = wording
    self.invalid = invalid
    self.kept = kept
    open = markup
  }

  var testDescription: String { name }
  /// A name for images and problems.
  var name: String { "\(page) \(state.rawValue)\(detail.isEmpty ? "" : ": " + detail)" }
  /// What a language's page calls itself.
  func language(_ reader: String) -> String { wording == .english ? "en" : reader }

  /// Every page that this server has.
  static let all = accounts + drawnAccounts + doors + errors + experiences

  /// One language of each kind of writing, and its direction.
  static let kinds = ["en", "ar"]

  /// A server with every door and account page, and one that draws account pages from the starter experience, for the cases.
  static func run(_ language: String, body: (PageVisitor) async throws -> Void) async throws {
    try await TestServer.run({
      $0.accounts?.offersSignUp = true
      $0.accounts?.experience = StarterExperience.document
    }) { drawn in
      try await TestServer.run({
        $0.accounts?.offersSignUp = true
        $0.accounts?.serviceName = "Acme"
        var salesforce = SalesforceDoorConfiguration()
        salesforce.orgs = [SalesforceOrg(name: "Acme")]
        salesforce.apps = SalesforceTester.App.allCases.map(\.configuration)
        $0.salesforce = salesforce
      }) { try await body(PageVisitor($0, language: language, drawn: drawn)) }
    }
  }
}
