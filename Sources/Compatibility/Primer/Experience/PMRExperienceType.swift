internal import Foundation
internal import OstiaryExperiences

/// Which experience is meant.
public enum PMRExperienceType: Int, Sendable {
  /// The SDK decides whether one is needed at all, by what it knows of the user.
  case automatic = 0
  /// The one for new users, whether or not a user is logged in.
  case newUser = 1
  /// The one for logging in, whether or not a user is logged in.
  case login = 2
  /// The one for a forgotten password, whether or not a user is logged in.
  case recoverPassword = 3

  /// The vendor's older name.
  @available(*, deprecated, renamed: "newUser")
  public static var install: PMRExperienceType { .newUser }
  /// The vendor's older name.
  @available(*, deprecated, renamed: "newUser")
  public static var loggedOut: PMRExperienceType { .newUser }
  /// The vendor's older name.
  @available(*, deprecated, renamed: "newUser")
  public static var signup: PMRExperienceType { .newUser }

  var kind: Experience.Kind {
    switch self {
    case .automatic, .newUser: .newUser
    case .login: .login
    case .recoverPassword: .recoverPassword
    }
  }
}
