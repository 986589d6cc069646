// begin onboarding
import Foundation
import Ostiary
import OstiaryExperiences

/// Whom the app knows. Yours asks a server.
actor Accounts {
  private var passwords: [String: Secret] = ["ada@example.com": "analytical engine"]

  func add(_ email: String, _ password: Secret) -> Bool {
    guard passwords[email] == nil else { return false }
    passwords[email] = password
    return true
  }

  func knows(_ email: String, _ password: Secret) -> Bool { passwords[email] == password }
}

/// What the app decides. Functions that it leaves out accept.
final class Onboarding: ExperienceDelegate {
  private let accounts = Accounts()

  func logIn(with fields: [String: FieldValue]) async -> UserValidation {
    guard let email = fields["email"]?.text, let password = fields["password"]?.secret,
      await accounts.knows(email, password)
    else { return .refused(.invalid("The e-mail address or the password is wrong.")) }
    return .accepted(email)
  }

  func signUp(with fields: [String: FieldValue]) async -> UserValidation {
    guard let email = fields["email"]?.text, let password = fields["password"]?.secret,
      await accounts.add(email, password)
    else { return .refused(.invalid(field: "email", message: "That address has an account. Log in, or take another.")) }
    return .accepted(email)
  }
}

func signUp(with document: Data, on terminal: some ExperienceTerminal) async throws {
  // A document that can't be used is refused with each problem and its place.
  let experience = try Experience(json: document)
  let runner = ExperienceRunner(
    experience, as: .newUser, languages: Locale.preferredLanguages, delegate: Onboarding())

  // Asks for each field, shows what is wrong beside it, and asks again. A page, SwiftUI or your own views draw the same
  // screens and messages.
  switch try await TerminalRenderer(terminal).run(runner) {
  case .signedIn(let user):
    print("Welcome, \(user.properties["first_name"]?.string ?? "you"). You are \(user.id ?? "?").")
  case .completed, .skipped, .dismissed: print("Another time, then.")
  }
}
// end onboarding
