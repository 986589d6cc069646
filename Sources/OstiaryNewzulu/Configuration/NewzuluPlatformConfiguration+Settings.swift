internal import Foundation
internal import OstiaryCore

extension NewzuluPlatformConfiguration {
  /// Every setting of a file. The article "Settings" has the same list; a test compares them.
  static var settings: [Setting<Self>] {
    [
      .server("server", \.server),
      .value("apiKey", \.apiKey, "a key of 1 to 100 letters, digits and signs without spaces", of: [.text]) {
        SettingName.read($0).map { .some(Secret($0)) }
      },
      .value("vhost", \.vhost, "a tenant's name or number", of: [.text, .number]) { value in
        (value.wholeNumber.map(String.init) ?? SettingName.read(value)).map { .some($0) }
      },
      .value(
        "servicesPath", \.names.servicesPath, "a path below the server's address, such as services/json", of: [.text]
      ) { SettingName.path($0) },
      .choice("encoding", \.names.encoding),
      .seconds("loginTimeout", \.names.loginTimeout),
      .seconds("callTimeout", \.names.callTimeout),
      .value(
        "signInArguments", \.names.signInArguments, "an object of texts, numbers and booleans", of: [.object]
      ) { arguments($0) },
      .group("arguments", \.names, argumentNames),
      .group("calls", \.names.calls, callNames),
      .group("answer", \.names.answerKeys, answerKeys),
      .group("user", \.names.userKeys, userKeys),
      .group("file", \.names.fileKeys, fileKeys),
      .group("failures", \.names, failures),
      .group("uploads", \.names.uploads, uploads),
    ]
  }

  /// The paths of all settings.
  package static var settingNames: [String] { Setting.paths(settings) }

  /// Fixed arguments, which are neither lists nor objects.
  private static func arguments(_ value: JSONValue) -> [String: JSONValue]? {
    guard let members = value.object, members.count <= 50 else { return nil }
    let fits = members.allSatisfy { name, value in
      switch value {
      case .string, .bool, .integer, .number: SettingName.read(.string(name)) != nil
      case .null, .array, .object: false
      }
    }
    return fits ? members : nil
  }

  private static var argumentNames: [Setting<NewzuluConfiguration>] {
    [
      .name("method", \.methodArgument), .name("vhost", \.vhostArgument), .name("key", \.keyArgument),
      .name("token", \.tokenName), .name("username", \.usernameArgument), .name("password", \.passwordArgument),
    ]
  }

  private static var callNames: [Setting<NewzuluConfiguration.CallNames>] {
    [
      .name("confirmCredentials", \.confirmCredentials), .name("getLoggedInUser", \.getLoggedInUser),
      .name("getUserInfo", \.getUserInfo), .name("getUserInfoByEmail", \.getUserInfoByEmail),
      .name("register", \.register), .name("verifyUserEmail", \.verifyUserEmail), .name("getFiles", \.getFiles),
      .name("getFileInfo", \.getFileInfo), .name("createMultiPartUpload", \.createMultiPartUpload),
      .name("completeMultiPartUpload", \.completeMultiPartUpload),
      .name("abortMultiPartUpload", \.abortMultiPartUpload),
    ]
  }

  private static var answerKeys: [Setting<NewzuluConfiguration.AnswerKeys>] {
    [
      .name("status", \.status), .name("result", \.result), .name("message", \.message), .name("code", \.code),
      .name("totalCount", \.totalCount), .name("items", \.items),
    ]
  }

  private static var userKeys: [Setting<NewzuluConfiguration.UserKeys>] {
    [
      .name("id", \.id), .name("username", \.username), .name("firstName", \.firstName),
      .name("lastName", \.lastName), .name("email", \.email),
    ]
  }

  private static var fileKeys: [Setting<NewzuluConfiguration.FileKeys>] {
    [
      .name("id", \.id), .name("title", \.title), .name("message", \.message), .name("filename", \.filename),
      .name("contentType", \.contentType), .name("size", \.size), .name("status", \.status),
      .name("uploaderID", \.uploaderID), .name("thumbnailURL", \.thumbnailURL),
    ]
  }

  private static let failureNumbers: ClosedRange<Int64> = -1_000_000_000...1_000_000_000

  private static var failures: [Setting<NewzuluConfiguration>] {
    [
      .value("session", \.sessionFailureNumbers, "a list of whole numbers", of: [.list]) { value in
        let numbers = value.array?.map(\.wholeNumber)
        guard let numbers, numbers.count <= 100, numbers.allSatisfy({ $0.map(failureNumbers.contains) ?? false })
        else { return nil }
        return Set(numbers.compactMap { $0.flatMap { Int(exactly: $0) } })
      },
      .value("sessionPhrases", \.sessionFailurePhrases, "a list, each \(SettingName.wantedPhrase)", of: [.list]) {
        value in
        let phrases = value.array?.map { SettingName.phrase($0) }
        guard let phrases, phrases.count <= 100, !phrases.contains(nil) else { return nil }
        return phrases.compactMap(\.self)
      },
      .number("unknownMethod", \.unknownMethodNumber, failureNumbers),
      .phrase("unknownMethodPhrase", \.unknownMethodPhrase),
      .number("unknownItem", \.unknownItemNumber, failureNumbers),
      .phrase("unknownItemPhrase", \.unknownItemPhrase),
      .number("missingParts", \.missingPartsNumber, failureNumbers),
    ]
  }

  private static var uploads: [Setting<NewzuluConfiguration.UploadOptions>] {
    let sizes: ClosedRange<Int64> = 1...(1 << 40)
    return [
      .number("partSize", \.partSize, sizes), .number("maximumPartSize", \.maximumPartSize, sizes),
      .number("maximumParts", \.maximumParts, 1...1_000_000), .number("parallelParts", \.parallelParts, 1...64),
      .number("attempts", \.attempts, 1...1000), .number("slowestRate", \.slowestRate, 1...(1 << 30)),
      .nameOrNull("resumeCall", \.resumeMethod), .seconds("journalDelay", \.journalDelay, from: 0),
      .number("incompleteStatus", \.incompleteStatus, failureNumbers), .group("keys", \.keys, uploadKeys),
    ]
  }

  private static var uploadKeys: [Setting<NewzuluConfiguration.UploadKeys>] {
    [
      .name("fileData", \.fileData), .name("partSize", \.partSize), .name("addresses", \.addresses),
      .name("parts", \.parts), .name("number", \.number), .name("address", \.address), .name("size", \.size),
      .name("tag", \.tag),
    ]
  }
}

extension NewzuluConfiguration {
  /// Settings that can't hold at once.
  var contradictions: [SettingProblem] {
    var problems: [SettingProblem] = []
    let arguments = [
      ("arguments.method", methodArgument), ("arguments.vhost", vhostArgument), ("arguments.key", keyArgument),
      ("arguments.token", tokenName), ("arguments.username", usernameArgument),
      ("arguments.password", passwordArgument),
    ]
    problems += Self.doubled(arguments + signInArguments.keys.sorted().map { ("signInArguments.\($0)", $0) })
    problems += Self.doubled([
      ("answer.status", answerKeys.status), ("answer.result", answerKeys.result), ("answer.code", answerKeys.code),
    ])
    problems += Self.doubled([("answer.totalCount", answerKeys.totalCount), ("answer.items", answerKeys.items)])
    let user = userKeys
    problems += Self.doubled([("user.id", user.id), ("user.email", user.email), ("arguments.token", tokenName)])
    let sessions = sessionFailureNumbers
    for (name, number) in [
      ("unknownMethod", unknownMethodNumber), ("unknownItem", unknownItemNumber), ("missingParts", missingPartsNumber),
    ] where sessions.contains(number) {
      problems.append(
        SettingProblem("failures.\(name)", "is a number of “failures.session” too, which ends sessions"))
    }
    if uploads.partSize > uploads.maximumPartSize {
      problems.append(SettingProblem("uploads.partSize", "is more than “uploads.maximumPartSize”"))
    }
    return problems
  }

  /// The settings that have the name of one before.
  private static func doubled(_ names: [(String, String)]) -> [SettingProblem] {
    var seen: [String: String] = [:]
    return names.compactMap { setting, name in
      guard let other = seen[name] else {
        seen[name] = setting
        return nil
      }
      return SettingProblem(setting, "has the name of “\(SettingText.shown(other))”")
    }
  }
}
