/// Words that a renderer needs around a screen.
public struct ScreenWords: Sendable, Hashable {
  /// Said while the screen is covered.
  public var waiting: String
  /// Stands above what is wrong.
  public var problem: String
  /// Stands beside fields that may stay empty.
  public var optional: String
  /// Stands for no choice.
  public var choose: String
  /// Takes a choice or an entry back.
  public var clear: String
  /// Leads to what can be done besides answering.
  public var others: String
  /// Leads back.
  public var back: String
  /// Yes, for toggles.
  public var yes: String
  /// No, for toggles.
  public var no: String

  /// The languages of the words that are not in the screen's, by the property's name.
  var otherLanguages: [String: String] = [:]

  /// Makes words. What isn't given is English.
  public init(
    waiting: String = "One moment …", problem: String = "There is a problem", optional: String = "optional",
    choose: String = "Please choose", clear: String = "Clear", others: String = "Something else", back: String = "Back",
    yes: String = "yes", no: String = "no"
  ) {
    self.waiting = waiting
    self.problem = problem
    self.optional = optional
    self.choose = choose
    self.clear = clear
    self.others = others
    self.back = back
    self.yes = yes
    self.no = no
  }
}
