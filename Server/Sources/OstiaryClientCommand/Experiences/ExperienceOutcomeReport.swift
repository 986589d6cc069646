internal import OstiaryCore
internal import OstiaryExperiences

/// The outcome of an experience, as `ostiary experience run` reports it.
struct ExperienceOutcomeReport: Sendable, Encodable {
  /// `signed_in`, `completed`, `skipped` or `dismissed`; `nothing_to_show` when the server has no experience for now.
  let outcome: String
  /// The flow in which it ended.
  var flow: String?
  /// The user, if the server has named one.
  var user: String?
  var isNew: Bool?
  /// The entered values that are not secret, by property.
  var properties: [String: JSONValue]?
  /// Whether no server was asked: no user was signed in anywhere.
  var isLocal = false

  init(_ outcome: ExperienceOutcome, flow: String, isLocal: Bool) {
    self.flow = flow
    self.isLocal = isLocal
    switch outcome {
    case .signedIn(let signedIn):
      self.outcome = "signed_in"
      user = signedIn.id
      isNew = signedIn.isNew
      properties = signedIn.properties
    case .completed(let flow):
      self.outcome = "completed"
      self.flow = flow
    case .skipped: self.outcome = "skipped"
    case .dismissed: self.outcome = "dismissed"
    }
  }

  private init(nothing: String) { outcome = nothing }

  /// The server has no experience to show.
  static let nothing = ExperienceOutcomeReport(nothing: "nothing_to_show")

  var message: ExperienceMessage {
    switch outcome {
    case "signed_in" where isLocal: .acceptedHere
    case "signed_in": .signedIn(user: user, isNew: isNew == true)
    case "completed": .completed(flow: flow ?? "")
    case "skipped": .skipped
    case "dismissed": .dismissed
    default: .nothingToShow
    }
  }
}
