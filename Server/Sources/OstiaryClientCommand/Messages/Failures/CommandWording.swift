/// The SDK's words in those of this command: an app sets a property where a person types an option.
struct CommandWording: CommandMessage {
  /// The SDK's sentence.
  let sentence: String

  var line: Line { Line(Self.advice(sentence)) }

  static let examples = advices.keys.sorted().map { CommandWording(sentence: $0) }

  /// What to do next, for a person at a terminal.
  static func advice(_ text: String) -> String { advices[text] ?? text }

  /// The same, where there is no session that could be kept.
  static func adviceWithoutSession(_ text: String) -> String {
    ["; the session is kept", "; the user stays signed in"].reduce(advice(text)) { $0.replacing($1, with: "") }
  }

  /// What happened, for a person at a terminal: the app that asked is this command, and a person has typed it.
  static func event(_ text: String) -> String {
    text.replacing("because the app asked for it", with: "because you asked for it")
  }

  private static let protected =
    "Write --server with an address that the gateway protects, and --option login=… if its login page is elsewhere."

  /// By the SDK's sentence.
  static let advices = [
    "Make it with a NewzuluAuthenticator.": "Write --profile with a profile of kind newzulu.",
    "Set checkURL to an address that the server protects.":
      "Write --option check=… with an address or path that needs the password.",
    "Set checkURL to an address that the server answers with the right ones.":
      "Write --option check=… with an address or path that this user may read.",
    "If it belongs to the gateway, add its address to the form login's origins.":
      "If it belongs to the gateway, write --option login=… with the login page's address.",
    "Send requests; a sign-in begins when one is challenged.": protected,
    "Check what the challenge handler recognises.": protected,
    "Check the form's sign and the login page's address.": protected,
    "Give the form login a way to ask for it (oneTimeCode).":
      "Use an account without one-time codes: this command can't enter them.",
    "Use https, or allow plain http in the configuration.":
      "Use https, or write --option insecure-http=allowed in a network that you trust.",
    "Allow the hash in the configuration, or ask the server's administrator for a stronger one.":
      "Ask the server's administrator for a stronger one.",
    "Use an https address, or say in the configuration that this is no production.":
      "Sign in with --server https://…; the file of --config can say that a server is for development.",
    "Give an address such as https://host/prweb.": "Write --server https://host/prweb.",
    "Give an address such as https://api.filemobile.com.": "Write --server https://api.filemobile.com.",
    "Give an address such as https://example.org/.": "Write --server https://example.org/.",
    "Check the API key, the tenant, and the names of the arguments in the configuration.":
      "Check --option api-key, --option vhost and the request.",
    "Give the client a userinfo or introspection endpoint.":
      "Check --option client-id, and what the server lets that client ask.",
    "Check how the client is registered and configured; no user has been signed out.":
      "Check --option client-id, redirect-uri and scope against the registration; no user has been signed out.",
    "Free the port of the redirect URI, or leave the port out if the server allows any.":
      "Free the port of --option redirect-uri, or write another one that is registered.",
    "Sign in again where they came from.": signIn, "Sign in again.": signIn, "Sign in first.": signIn,
    "Sign in.": signIn, "Sign in to continue.": signIn,
    "Sign out first.": AdviceMessage.signOutFirst.line.plain, "Log off first.": AdviceMessage.signOutFirst.line.plain,
    "Send the request again if repeating it is harmless.": AdviceMessage.repeatIfHarmless.line.plain,
    "Raise the request's response limit, or read the response as a stream.":
      "Check that the address is the right server's.",
    "Give one among the endpoints.": "Write another --method: no address is known for this one.",
    "Use https, or allow plain http if no other host can listen on the way.":
      "Use https. Plain http is for servers on this machine.",
    "Have the server bind the tokens of this client to its key (RFC 9449).":
      "Have the server bind the tokens of this client to its key (RFC 9449), or leave --dpop out.",
    "Begin the sign-in again.": signIn, "Get a new token.": signIn,
    "Wait for restore() to finish.": "Run the command again.", "Update this app.": "Update this command.",
    "Update this program.": "Update this command.",
    "Sign in to the wireless network with a browser; the session is kept.":
      "Sign in to the network with a browser. If it is the gateway's own page, write --option login=… with its address.",
    "Ask for less time, or sign in again.": "Write a shorter --min-validity, or sign in again with `ostiary login`.",
    "It must have a member access_token or accessToken.": "It must have a member access_token.",
    "Set snapStart.activity to the name that the server has for it.":
      "Write the name that the server has for it into the file of --config, as “snapStart”: {“activity”: …}.",
    "Set what the server calls the method: the group “calls” of the configuration.":
      "Write what the server calls the method into the group “calls” of the file of --config.",
    "Give the authenticator questions that ask the user.": "Sign in from a terminal.",
    "Check the closure that reads it.": "Check the dialect.",
    "Sign in again where it came from.": signIn,
    "Sign in with a user name and a password, or hand over a token.": "Write --user NAME.",
    "Give an address such as https://api.example.com.": "Write --server https://api.host.",
    "Give one for each role of the document.": "Write --server ROLE=URL for each server of the dialect.",
    "Set the name that the server uses in the configuration.":
      "Write the name that the server uses into the file of --config.",
  ]

  private static let signIn = AdviceMessage.signIn.line.plain
}
