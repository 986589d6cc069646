internal import Foundation
internal import OstiaryCore

/// Reads settings from one source, which messages name.
struct PegaSettingsFile {
  let source: String

  // MARK: Bytes

  /// A file's bytes, at most one more than a file may have.
  func contents(of file: URL) throws -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try handle.read(upToCount: PegaSettings.maximumSize + 1) ?? Data()
    } catch {
      throw refusal("\(source) can't be read.", "Check the file's name and permissions.")
    }
  }

  func settings(_ json: Data, defaults: PegaSettings) throws -> PegaSettings {
    guard json.count <= PegaSettings.maximumSize else {
      throw refusal("\(source) has more than 1 MiB.", "Settings are a few lines of JSON: check the file's name.")
    }
    if json.starts(with: [0xFF, 0xFE]) || json.starts(with: [0xFE, 0xFF]) || json.prefix(4).contains(0) {
      throw refusal("\(source) is not in UTF-8; it looks like UTF-16 or UTF-32.", "Save it as UTF-8.")
    }
    let text = json.starts(with: [0xEF, 0xBB, 0xBF]) ? json.dropFirst(3) : json
    guard let value = JSONValue(json: Data(text)) else {
      throw refusal("\(source) is not JSON.", "Check commas, quotation marks and braces.")
    }
    guard let members = value.object else {
      throw refusal(
        "\(source) holds \(SettingsReader.kind(of: value)) in place of an object.", "Begin with { and end with }.")
    }
    return try settings(members, defaults: defaults)
  }

  /// The members of a dictionary of a property list.
  func members(of propertyList: [String: Any]) throws -> [String: JSONValue] {
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: propertyList, format: .binary, options: 0)
      return try PropertyListDecoder().decode([String: JSONValue].self, from: data)
    } catch {
      throw refusal(
        "\(source) has a setting that is neither text, number, boolean, list nor dictionary.",
        "Write it as a text or a number.")
    }
  }

  private func refusal(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(.invalidInput, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }

  // MARK: Members

  func settings(_ members: [String: JSONValue], defaults: PegaSettings) throws -> PegaSettings {
    var settings = defaults
    var reader = SettingsReader(members, source: source)
    if let server = try reader.text("server") {
      guard let url = URL(string: server), Origin(url) != nil, url.user() == nil, url.password() == nil else {
        throw reader.refusal("server", "must be an http or https address without a user name")
      }
      settings.server = url
    }
    settings.signIn = try reader.choice("signIn") ?? settings.signIn
    settings.loginActivity = try reader.choice("loginActivity") ?? settings.loginActivity
    try readNames(&reader, &settings.names)
    try reader.object("keys") { try $0.texts(Self.keys, &settings.names.keys) }
    try reader.object("snapStart") { reader in
      try reader.texts(Self.snapStart, &settings.names.snapStart)
      settings.names.snapStart.pageTimeout =
        try reader.seconds("pageTimeout") ?? settings.names.snapStart.pageTimeout
    }
    try reader.object("errorNumbers") { reader in
      settings.errorNumbers.domain = try reader.text("domain") ?? settings.errorNumbers.domain
      for (name, path) in Self.numbers {
        settings.errorNumbers[keyPath: path] = try reader.integer(name) ?? settings.errorNumbers[keyPath: path]
      }
      guard Set(settings.errorNumbers.all).count == settings.errorNumbers.all.count else {
        throw reader.refusal("", "must all be different")
      }
    }
    try reader.end()
    return settings
  }

  private func readNames(_ reader: inout SettingsReader, _ names: inout PegaConfiguration) throws {
    try reader.texts(Self.texts, &names)
    let isPath = names.contextPath.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\\;@".utf8.contains($0) }
    let steps = names.contextPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard isPath, names.contextPath.hasPrefix("/"), !steps.contains(".."), !steps.contains("") || steps.count == 1
    else { throw reader.refusal("contextPath", "must be a path such as /prweb") }
    guard names.servletName.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#\\;@:".utf8.contains($0) }),
      !names.servletName.split(separator: "/", omittingEmptySubsequences: false).contains(where: {
        ["", "."].contains($0) || $0 == ".."
      })
    else { throw reader.refusal("servletName", "must be a name such as PRServlet") }
    names.containerVersionField =
      try reader.text("containerVersionField", mayBeEmpty: true) ?? names.containerVersionField
    guard Self.isFree(names.containerVersionField) else {
      throw reader.refusal("containerVersionField", "must be the name of a header field that has no other use")
    }
    names.emptyFormFields = try reader.list("emptyFormFields") ?? names.emptyFormFields
    names.sessionCookieNames = try reader.list("sessionCookieNames").map(Set.init) ?? names.sessionCookieNames
    guard !names.sessionCookieNames.isEmpty else {
      throw reader.refusal("sessionCookieNames", "must name at least one cookie")
    }
    names.containerCookieNames = try reader.list("containerCookieNames").map(Set.init) ?? names.containerCookieNames
    names.lockoutWait = try reader.seconds("lockoutWait") ?? names.lockoutWait
    names.isProduction = try reader.flag("isProduction") ?? names.isProduction
  }

  /// Whether a field may carry the version: it is a field's name, and not one by which requests are sent or signed in.
  private static func isFree(_ field: String) -> Bool {
    let taken: Set = [
      "host", "authorization", "proxy-authorization", "cookie", "content-length", "content-type", "transfer-encoding",
      "connection", "accept", "accept-encoding", "te", "upgrade", "expect", "origin", "referer",
    ]
    let isName = field.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    return isName && !taken.contains(field.lowercased())
  }
}
