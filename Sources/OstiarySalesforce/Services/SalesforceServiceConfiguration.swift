public import OstiaryCore

/// How services behave where there is a choice.
public struct SalesforceServiceConfiguration: Sendable {
  /// How long an app may take to answer a question for settings, its user's answer included. Callers that wait are then
  /// told that no answer came, and the next need asks again. 10 minutes; `nil` waits as long as it takes.
  public var answerPatience: Duration? = .seconds(600)
  /// How many failures in a row end as a guest. 2: the settings that the app was asked for again after a failure get one
  /// chance.
  public var maximumFailures = 2
  /// How sessions are kept.
  public var sessions = SessionConfiguration()

  /// The defaults.
  public init() {}
}
