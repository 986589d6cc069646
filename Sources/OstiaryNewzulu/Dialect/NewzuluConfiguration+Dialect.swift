internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
public import OstiaryDialect

extension NewzuluConfiguration {
  /// What the platform calls things, as a document: its calls, what they answer, and what its refusals mean.
  ///
  /// ``NewzuluAuthenticator`` signs in by it. Two settings are the app's: `apiKey` and `vhost`.
  public var dialect: Dialect {
    Dialect(
      name: "newzulu", title: "Newzulu Platform",
      sources: ["https://developer.filemobile.com/doc?groupId=11709"],
      servers: [DialectServer("server", title: "the platform", documented: "https://api.filemobile.com")],
      settings: [
        DialectSetting("apiKey", title: "the app's key", isSecret: true),
        DialectSetting("vhost", title: "the tenant in which the account lives"),
      ],
      signIn: [
        call(
          calls.confirmCredentials,
          signInArguments.mapValues { Argument.constant($0) }
            .merging([usernameArgument: .value("{username}"), passwordArgument: .value("{password}")]) { $1 },
          reading: DialectReads(
            token: [.pointer(inResult(tokenName))], userID: [.pointer(inResult(userKeys.id))],
            userName: [.pointer(inResult(userKeys.username))], attributes: attributes),
          meanings: [DialectMeaning(when: saysFalse, .wrongPassword)])
      ],
      verify: call(
        calls.getLoggedInUser,
        reading: DialectReads(
          userID: [.pointer(inResult(userKeys.id))], userName: [.pointer(inResult(userKeys.username))],
          attributes: attributes),
        meanings: [
          // A server that does not know the token may answer as it does to a wrong password.
          DialectMeaning(when: saysFalse, .endedForGood), DialectMeaning(when: speaksOfSession, .expired),
          // The platform answers with 200: a bare 401 is another host's.
          DialectMeaning(when: .status(401), .notThisSession),
        ]),
      proof: DialectProof(.body([DialectField(tokenName, "{token}")])),
      meanings: [DialectMeaning(when: speaksOfSession, .expired)], renewal: .none)
  }

  /// An argument of a call in the document.
  private enum Argument {
    case constant(JSONValue)
    case value(DialectTemplate)
  }

  private func call(
    _ method: String, _ arguments: [String: Argument] = [:], reading reads: DialectReads, meanings: [DialectMeaning]
  ) -> DialectCall {
    let all =
      [vhostArgument: Argument.value("{vhost}"), keyArgument: .value("{apiKey}")]
      .merging(arguments) { $1 }.merging([methodArgument: .constant(.string(method))]) { $1 }
    return DialectCall(
      .post, path, headers: [DialectField("Accept", "application/json")], body: body(all), success: isDone,
      reads: reads, meanings: meanings)
  }

  private var path: DialectTemplate {
    var address = URLComponents()
    address.path = servicesPath.hasPrefix("/") ? servicesPath : "/" + servicesPath
    return DialectTemplate(pieces: [.literal(address.percentEncodedPath)])
  }

  private func body(_ arguments: [String: Argument]) -> DialectBody {
    let sorted = arguments.sorted { $0.key < $1.key }
    switch encoding {
    case .json:
      return .json(
        .object(
          sorted.map { name, argument in
            switch argument {
            case .constant(let value): DialectJSON.Member(name, DialectJSON(constant: value))
            case .value(let template): DialectJSON.Member(name, .text(template))
            }
          }))
    case .form:
      return .form(
        sorted.flatMap { name, argument -> [DialectField] in
          switch argument {
          case .constant(let value):
            NewzuluCall.pairs([name: value.numbered]).map {
              DialectField($0.name, DialectTemplate(pieces: [.literal($0.value)]))
            }
          case .value(let template): [DialectField(name, template)]
          }
        })
    }
  }

  /// What an app reads of a user.
  private var attributes: [DialectNamedRead] {
    var names: [String] = []
    for name in [userKeys.firstName, userKeys.lastName, userKeys.email] where !names.contains(name) {
      names.append(name)
    }
    return names.map { DialectNamedRead($0, .pointer(inResult($0))) }
  }

  private func inResult(_ name: String) -> DialectPointer { DialectPointer(parts: [answerKeys.result, name]) }
}

extension JSONValue {
  /// The value with the elements of lists under their numbers: a form of a document has each name once.
  fileprivate var numbered: JSONValue {
    switch self {
    case .array(let elements):
      .object(Dictionary(uniqueKeysWithValues: elements.enumerated().map { (String($0), $1.numbered) }))
    case .object(let members): .object(members.mapValues(\.numbered))
    default: self
    }
  }
}

extension DialectJSON {
  /// A value that is sent as it is: braces in its texts stand for themselves.
  fileprivate init(constant value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .string(let text): self = .text(DialectTemplate(pieces: [.literal(text)]))
    case .array(let elements): self = .array(elements.map(DialectJSON.init(constant:)))
    case .object(let members):
      self = .object(
        members.sorted { $0.key < $1.key }.map { DialectJSON.Member($0.key, DialectJSON(constant: $0.value)) })
    }
  }
}
