internal import OstiaryExperiences

/// The texts of a page in one language: those of `ServerText`, and those that it shares with the account pages.
struct PageTexts: Sendable {
  static let english = PageTexts(account: .english)

  /// The texts that the account pages have, too.
  let account: AccountTexts
  private let table: PageTables.Table

  init(account: AccountTexts) {
    self.account = account
    table = PageTables.table(account.language) ?? PageTables.english
  }

  /// The texts for the reader who sent a request: looked up as for the account pages.
  init(_ request: DoorRequest) {
    self.init(account: AccountTexts(AccountTexts.language(for: request.languages)))
  }

  /// A language tag (BCP 47).
  var language: String { account.language }
  /// Whether it is written from right to left.
  var isRightToLeft: Bool { account.isRightToLeft }

  /// A text without values.
  func callAsFunction(_ text: ServerText) -> String {
    (table[text.rawValue] ?? PageTables.english[text.rawValue])?.form(.other) ?? ""
  }

  /// A text of the account pages without values.
  func callAsFunction(_ text: AccountText) -> String { account(text) }

  /// A text of the account pages that names the service.
  func callAsFunction(_ text: AccountText, service: String) -> String { account(text, service: service) }

  /// The title of a page with a form: a window's name, and what is read out first. It begins with what is wrong.
  func title(_ heading: String, isRefused: Bool) -> String {
    isRefused ? "\(account.words.problem): \(heading)" : heading
  }

  /// The sentence of a code that the account pages tell, too.
  func callAsFunction(code: FlowIssue.Code) -> String { FlowIssue(code).text(in: account) }
}
