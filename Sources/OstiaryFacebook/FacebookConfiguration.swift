public import Foundation
public import OstiaryCore

/// An app that is registered with Facebook, and where Facebook is.
public struct FacebookConfiguration: Sendable {
  /// The app's identifier.
  public var appID: String
  /// The app's secret, for programs that can keep one: servers and tools. With it tokens are checked by `debug_token`, and
  /// every call proves that it comes from the app (`appsecret_proof`). Never build it into what others can take apart:
  /// leave it out, and tokens are checked by asking which app they belong to.
  public var appSecret: Secret?
  /// The version of the Graph API.
  public var version = "v23.0"
  /// The Graph API's address.
  public var graph: URL
  /// The address of the page on which users log in.
  public var dialog: URL
  /// The fields of the user that are asked for. A field whose permission the user has declined is not in the answer.
  public var fields = ["id", "name", "email", "first_name", "last_name"]
  /// What is asked of the user.
  public var permissions = ["public_profile", "email"]
  /// Whether the login page asks again for permissions that the user has declined before (`auth_type=rerequest`, Facebook Login,
  /// "Manually Build a Login Flow"). Otherwise Facebook leaves them out of its page. Set it for the login with which the app
  /// explains why it needs them: Facebook does not want users to be asked each time. It is for ``FacebookTokenSource/browser(_:redirectURI:)``;
  /// another library that hands tokens over has a way of its own.
  public var asksAgainForDeclinedPermissions = false
  /// Width and height of the picture whose address becomes `profile_pic`, in pixels. 800, as Primer's SDK asked for; `nil`
  /// asks for none.
  public var pictureSize: Int? = 800
  /// How long each call may take. 15 seconds.
  public var timeout: Duration = .seconds(15)

  /// Makes a configuration.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when there is no app identifier.
  public init(appID: String, appSecret: Secret? = nil) throws {
    guard !appID.isEmpty, appSecret?.isEmpty != true, let graph = URL(string: "https://graph.facebook.com"),
      let dialog = URL(string: "https://www.facebook.com")
    else {
      throw OstiaryError(
        .invalidInput, "The Facebook app has an empty identifier or secret.",
        advice: "Give the identifier from the app's dashboard, and no secret in an app.", requestMayHaveExecuted: false)
    }
    self.appID = appID
    self.appSecret = appSecret
    self.graph = graph
    self.dialog = dialog
  }
}
