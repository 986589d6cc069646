extension DialectShape {
  /// The whole document.
  static let document = DialectShape.object(
    Fields([
      Member("$schema", .text, "The address of this schema, for editors."),
      Member("dialect", .version, required: true, "The version of the format."),
      Member("name", .text, required: true, "A short name: letters in lower case, digits and hyphens."),
      Member("title", .text, "The API's name for people."),
      Member("sources", .list(.text, 0...16), "The pages that the document was written from."),
      Member(
        "servers", .map(.object(Fields(server)), 1...16),
        "The server's roles, of which the first is the main one. The app gives an origin for each. Default: one, \"server\"."
      ),
      Member(
        "settings", .map(.object(Fields(setting)), 0...32),
        "Values that the app gives, such as the key of its project: templates name them."),
      Member("prepare", .list(.definition(.call), 0...16), "Calls before signing in. They have no password."),
      Member("signIn", .list(.definition(.call), 1...16), required: true, "The calls that sign in, in their order."),
      Member(
        "continue", .map(.definition(.continuation), 0...16),
        "The calls that answer a question in the middle of a sign-in, by the kind of question: \"totp\"."),
      Member("renew", .definition(.call), "The call that renews the session."),
      Member("verify", .definition(.call), "The call that tells by its success whether the session is good."),
      Member("who", .definition(.call), "The call that tells who the user is."),
      Member("end", .definition(.call), "The call that ends the session at the server."),
      Member("proof", proof, required: true, "What the session's requests carry."),
      Member(
        "meanings", .list(.definition(.meaning), 0...64),
        "What refusals mean, in all calls and requests; a call's own come first. The first that holds counts."),
      Member("renewal", .object(Fields(renewal)), "How the session is renewed. Default: not at all."),
    ]))

  private static let server = [
    Member("title", .text, "What it is, for people."),
    Member("documented", .text, "The address in the API's documentation. It is shown, and no request is sent to it."),
  ]

  private static let setting = [
    Member("title", .text, "What it is, for people."),
    Member("secret", .flag, "Whether it must not be shown. A secret has no default."),
    Member("required", .flag, "Whether the app must give it, where it has no default. Default: true."),
    Member("default", .either([.text, .null]), "What counts where the app gives none."),
  ]

  private static let renewal = [
    Member(
      "by", .choice(DialectRenewal.Way.allCases.map(\.rawValue)), required: true,
      "A renewal token; the token itself; cookies that each answer prolongs; a new sign-in with what the app's source of "
        + "credentials gives; nothing."),
    Member(
      "rotation", .choice(DialectRenewal.Rotation.allCases.map(\.rawValue)),
      "Whether each renewal gives another renewal token. Default: sometimes (what the answer has counts)."),
    Member(
      "afterLostAnswer", .choice(DialectRenewal.AfterLostAnswer.allCases.map(\.rawValue)),
      "What helps where the answer to a renewal was lost: the same call again, or a sign-in once it is refused. "
        + "Default: ask where rotation is always, otherwise sendSameAgain."),
    Member("grace", .integer(0...31_536_000), "For how many seconds the server accepts the renewal token before."),
    Member(
      "idle", .integer(1...31_536_000),
      "With cookies: for how many seconds the server keeps a session that is not used. Default: what their dates say."),
  ]

  private static let fixedHeaders = Member(
    "headers", .definition(.templates), "Fields beside it, such as one that names the tenant.")

  private static let proof = DialectShape.variants(
    [
      [Member("basic", .definition(.basic), required: true, "The scheme Basic."), fixedHeaders],
      [
        Member(
          "cookie",
          .object(
            Fields([
              Member("name", .text, required: true), Member("value", .text, required: true, "A template."),
            ])), required: true, "One cookie of a value that was read."), fixedHeaders,
      ],
      [
        Member(
          "cookies", .list(.text, 1...32), required: true,
          "The cookies that the server has set: names, or beginnings that end with *. * alone is all of them."),
        Member("csrf", csrf, "A value that requests carry beside the cookies (double submit)."), fixedHeaders,
      ],
      [
        Member(
          "insecureQuery", .definition(.templates), required: true,
          "Items of the query, which is in the logs of servers and proxies."), fixedHeaders,
      ],
      [
        Member(
          "body", .definition(.templates), required: true,
          "Members of the JSON object, or fields of the form, that a request sends."), fixedHeaders,
      ],
      // The last one: the others may have fields beside them.
      [Member("headers", .definition(.templates), required: true, "Fields: {\"Authorization\": \"Bearer {token}\"}.")],
    ].map {
      Fields(
        $0 + [
          Member("below", .text, "The path below which requests carry it: \"/api\"."),
          Member("origins", .list(.text, 1...16), "The servers' roles whose requests carry it. Default: the main one."),
        ])
    })

  private static let csrf = DialectShape.variants([
    Fields([
      Member("cookie", .text, required: true, "The cookie's name."),
      Member("as", .choice(["percentDecoded"]), "Whether the cookie's value is percent-encoded."),
      Member("header", .text, required: true, "The field of the request."),
    ]),
    Fields([
      Member("value", .text, required: true, "The name of a value that a call has read."),
      Member("header", .text, required: true, "The field of the request."),
    ]),
  ])
}
