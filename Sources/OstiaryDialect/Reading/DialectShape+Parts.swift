extension DialectShape.Definition {
  /// What the part may be.
  var shape: DialectShape {
    switch self {
    case .call: .object(.init(Self.callMembers))
    case .continuation: .object(.init([Self.beforeMember] + Self.callMembers))
    case .templates: .map(.text, 0...64)
    case .basic: .object(.init(Self.basicMembers))
    case .body: Self.bodyShape
    case .answer: .object(.init(Self.answerMembers))
    case .read: .either([.text, Self.readShape])
    case .reads: .either([.text, Self.readShape, .list(.definition(.read), 1...8)])
    case .expiry: Self.expiryShape
    case .expiries: .either([Self.expiryShape, .list(.definition(.expiry), 1...8)])
    case .condition: Self.conditionShape
    case .meaning: Self.meaningShape
    }
  }

  /// What the part is, for the schema.
  var comment: String {
    switch self {
    case .call: "A request, and what is read of its answer."
    case .continuation: "The call with the answer to a question, and calls before the question."
    case .templates:
      "Names and templates. {token} is a value, {code?} one that may be absent (then the member is left out), {{ is a brace."
    case .basic: "User name and password of an Authorization field."
    case .body:
      "What the request sends. Texts in JSON are templates; a whole {n:number} or {b:boolean} is sent as such."
    case .answer: "What is read of a success."
    case .read: "Where one value is. A text is a JSON Pointer (RFC 6901) into the JSON body."
    case .reads: "Where one value is; of a list, the first that is there."
    case .expiry: "Until when something counts."
    case .expiries: "Until when something counts; of a list, the first that is there."
    case .condition: "What holds of an answer."
    case .meaning: "What an answer means that is no success."
    }
  }

  private typealias Member = DialectShape.Member
  private typealias Fields = DialectShape.Fields

  private static let beforeMember = Member(
    "before", .list(.definition(.call), 1...16),
    "Calls before the question, such as one by which the server sends a code. They have no password.")

  private static let callMembers = [
    Member("server", .text, "The role of the server. Default: the main one."),
    Member("method", .choice(["GET", "POST", "PUT", "PATCH", "DELETE"]), required: true),
    Member(
      "path", .text, required: true,
      "A template that begins with /. A value is escaped as one segment, or a part of one."),
    Member("query", .definition(.templates), "Items of the query."),
    Member("headers", .definition(.templates), "Fields of the request."),
    Member("body", .definition(.body)),
    Member("success", .definition(.condition), "What makes an answer a success. Default: a status from 200 to 299."),
    Member("redirects", .choice(["follow", "stop"]), "Default: stop, and the redirect is the answer."),
    Member(
      "proof", .flag,
      "Whether it carries the session's proof. Default: true for verify, who and end, and for renew by the token."),
    Member("reads", .definition(.answer)),
    Member("meanings", .list(.definition(.meaning), 0...64), "What refusals of this call mean."),
  ]

  private static let basicMembers = [
    Member("username", .text, required: true, "A template."), Member("password", .text, required: true, "A template."),
  ]

  private static let bodyShape: DialectShape = {
    let basic = Member("basic", .definition(.basic), "User name and password of an Authorization field.")
    return .variants([
      Fields([Member("json", .json, required: true, "A JSON object or array whose texts are templates."), basic]),
      Fields([Member("form", .definition(.templates), required: true, "An HTML form's fields."), basic]),
      Fields([
        Member(
          "basic", .definition(.basic), required: true, "User name and password of an Authorization field; no body.")
      ]),
    ])
  }()

  private static let answerMembers = [
    Member(
      "token",
      .either([
        .text,
        tokenShape, .list(.either([.text, tokenShape]), 1...8), .null,
      ]), "The session's token."),
    Member("renewalToken", optionalReads, "The token that renews the session."),
    Member("kind", optionalReads, "What kind of token it is: {kind} in the proof."),
    Member("userID", optionalReads, "The user's identifier."),
    Member("userName", optionalReads, "The user's name."),
    Member("expiry", optionalExpiries, "When the token expires."),
    Member("renewalExpiry", optionalExpiries, "When the renewal token expires."),
    Member("attributes", .map(.definition(.reads), 0...32), "What the session keeps for the app."),
    Member("values", .map(.definition(.reads), 0...32), "What later calls of this session use: templates name them."),
  ]

  private static let applicationPassword =
    "The password that was given is a long-lived token of one application. Only where renewal is none."
  private static let tokenShape = DialectShape.variants(
    readVariants + [Fields([Member("applicationPassword", .always, required: true, applicationPassword)])])
  private static let optionalReads = DialectShape.either([.text, readShape, .list(.definition(.read), 1...8), .null])
  private static let optionalExpiries = DialectShape.either([expiryShape, .list(.definition(.expiry), 1...8), .null])

  // MARK: Reads

  private static let readShape = DialectShape.variants(readVariants)

  private static let readVariants: [Fields] = [
    [
      Member("jwt", .text, required: true, "The name of a value that is a JWT. Its signature is not verified."),
      Member("pointer", .text, required: true, "The claim, as a JSON Pointer."),
    ],
    [Member("pointer", .text, required: true, "A JSON Pointer into the JSON body.")],
    [Member("body", .always, required: true, "The whole body as a text of one line.")],
    [Member("header", .text, required: true, "A field of the answer.")],
    [Member("cookie", .text, required: true, "A cookie.")],
    [Member("formField", .text, required: true, "A field of a form in an HTML page.")],
    [Member("meta", .text, required: true, "The name of an HTML meta element; its content is read.")],
    [Member("text", .text, required: true, "A template of values that are there.")],
  ].map {
    Fields(
      $0 + [
        Member("after", .text, "What the value begins with, and is taken off. A value without it is absent."),
        Member("as", .choice(["percentDecoded"]), "Whether the value is percent-encoded."),
      ])
  }

  private static let expiryShape = DialectShape.variants([
    Fields([
      Member(
        "in", .either([.integer(1...315_360_000_000), .text, readShape, .list(.definition(.read), 1...8)]),
        required: true,
        "A duration: where it is, or a number."),
      Member("unit", .choice(DialectExpiry.Unit.allCases.map(\.rawValue)), "Default: seconds."),
    ]),
    Fields([
      Member("zone", .text, required: true, "The zone of a date that names none, such as +02:00."),
      Member("at", .definition(.reads), required: true, "Where a date is."),
      Member("as", .choice(["iso8601NoZone", "sql"]), required: true, "How the date is written."),
    ]),
    Fields([
      Member("at", .definition(.reads), required: true, "Where a date is."),
      Member(
        "as", .choice(DialectExpiry.Form.names), required: true,
        "How the date is written. iso8601NoZone and sql are in UTC unless there is a zone."),
    ]),
    Fields([
      Member("jwt", .text, required: true, "The name of a value that is a JWT: its exp. Its signature is not verified.")
    ]),
  ])

  // MARK: Conditions

  private static let conditionShape = DialectShape.variants([
    Fields([Member("all", .list(.definition(.condition), 1...16), required: true, "All of them hold.")]),
    Fields([Member("any", .list(.definition(.condition), 1...16), required: true, "One of them holds.")]),
    Fields([Member("not", .definition(.condition), required: true, "It does not hold.")]),
    Fields([
      Member(
        "status",
        .either([
          .integer(100...599),
          .object(
            Fields([
              Member("from", .integer(100...599), required: true), Member("to", .integer(100...599), required: true),
            ])),
        ]), required: true, "The status, or the first and the last of a range.")
    ]),
    Fields(
      [
        Member("header", .text, required: true, "A field of the answer."),
        Member("is", .text, "It is this text, in any case of ASCII letters."),
        Member("contains", .text, "It has this text in it, in any case of ASCII letters."),
        Member("exists", .flag, "Whether it is there."),
      ], oneOf: ["is", "contains", "exists"]),
    Fields(
      [
        Member("pointer", .text, required: true, "A JSON Pointer into the JSON body."),
        Member("is", .scalar, "It is this value."),
        Member("isOneOf", .list(.scalar, 1...64), "It is one of these values."),
        Member("contains", .text, "It is a text with this text in it, in any case of ASCII letters."),
        Member("exists", .flag, "Whether it is there and not null."),
      ], oneOf: ["is", "isOneOf", "contains", "exists"]),
    Fields([
      Member(
        "body", .object(Fields([Member("contains", .text, required: true)])), required: true,
        "The first 16 KiB of the body have a text in them, in any case of ASCII letters.")
    ]),
  ])

  // MARK: Meanings

  private static let meaningShape: DialectShape = {
    let when = Member("when", .definition(.condition), required: true)
    let demand = [
      when,
      Member(
        "kind", .definition(.reads),
        "The member of continue that answers it: its name, or a read of it. A text with / is a pointer."),
      Member("handle", .definition(.reads), "What the next call sends back: {handle}."),
      Member("title", .text, "The question, for people."),
    ]
    return .sorts(
      of: Member("means", .text, required: true, "What it means."),
      [
        .init(
          ["wrongPassword", "passwordChange", "expired", "endedForGood", "notThisSession"], [when]),
        .init(["lockedUntil"], [when, Member("until", .definition(.expiries), "Until when.")]),
        .init(["secondFactor", "acceptTerms"], demand),
        .init(["tryLater"], [when, Member("after", .definition(.expiries), "When.")]),
      ])
  }()
}
