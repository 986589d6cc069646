internal import ArgumentParser
internal import OstiaryExperiences

/// Which experience a server is asked for, and where it begins.
enum ExperienceType: String, Sendable, CaseIterable, ExpressibleByArgument {
  case automatic
  case newUser = "new-user"
  case login
  case recoverPassword = "recover-password"

  /// What servers call it.
  var wireName: String { rawValue.replacing("-", with: "_") }

  /// What the experience is shown for; `nil` leaves it to the document.
  var kind: Experience.Kind? {
    switch self {
    case .automatic: nil
    case .newUser: .newUser
    case .login: .login
    case .recoverPassword: .recoverPassword
    }
  }
}
