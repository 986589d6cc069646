internal import Foundation
internal import OstiaryCore

/// A `curl` line, as people and browsers copy it, read as a call. It is never run.
public enum CurlLine {
  /// Options that change nothing in what is sent to the server.
  private static let withoutEffect: Set<String> = [
    "s", "S", "i", "v", "k", "L", "g", "f", "N", "#", "silent", "show-error", "include", "verbose", "insecure",
    "location", "globoff", "fail", "fail-with-body", "no-buffer", "compressed", "http1.1", "http2",
    "http2-prior-knowledge", "no-progress-meter", "progress-bar", "path-as-is", "ipv4", "ipv6", "4", "6", "tlsv1.2",
    "tlsv1.3",
  ]
  /// The same, of options that have a value.
  private static let withoutEffectButValue: Set<String> = [
    "o", "output", "m", "max-time", "connect-timeout", "x", "proxy", "cacert", "w", "write-out", "retry", "D",
    "dump-header", "c", "cookie-jar", "resolve", "max-redirs",
  ]
  private static let withValue: Set<String> = [
    "X", "request", "H", "header", "d", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "u",
    "user", "b", "cookie", "url", "A", "user-agent", "e", "referer", "F", "form", "form-string", "T", "upload-file",
  ]

  /// Reads a line.
  public static func call(_ line: String) throws(CaptureProblem) -> CapturedCall {
    var words = try ShellWords.split(line)
    // A prompt that was copied along.
    if words.first == "$" { words.removeFirst() }
    guard let program = words.first, program == "curl" || program.hasSuffix("/curl") || program == "curl.exe" else {
      throw .notCurl
    }
    var reader = Reader()
    try reader.read(words.dropFirst())
    return try reader.call()
  }

  private struct Reader {
    var method: String?
    var addresses: [String] = []
    var fields: [(name: String, value: Secret)] = []
    var data: [String] = []
    var isJSON = false
    var isQuery = false
    var user: String?

    mutating func read(_ words: ArraySlice<String>) throws(CaptureProblem) {
      var rest = words
      var hasEnded = false
      while let word = rest.popFirst() {
        if hasEnded || !word.hasPrefix("-") || word == "-" {
          addresses.append(word)
        } else if word == "--" {
          hasEnded = true
        } else if word.hasPrefix("--") {
          try long(word, &rest)
        } else {
          try short(word.dropFirst(), &rest)
        }
      }
    }

    private mutating func long(_ word: String, _ rest: inout ArraySlice<String>) throws(CaptureProblem) {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      if name == "get" {
        isQuery = true
      } else if CurlLine.withoutEffect.contains(name), name.count > 1 {
        return
      } else if name.count > 1, CurlLine.withoutEffectButValue.contains(name) || CurlLine.withValue.contains(name) {
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
          throw .optionWithoutValue("--\(name)")
        }
        try take(name, value, shown: "--\(name)")
      } else {
        throw .unknownOption(Self.shown("--\(name)"))
      }
    }

    /// Letters that may stand together, the last one with its value.
    private mutating func short(_ letters: Substring, _ rest: inout ArraySlice<String>) throws(CaptureProblem) {
      var letters = letters
      while let letter = letters.popFirst().map({ String($0) }) {
        if letter == "G" {
          isQuery = true
        } else if CurlLine.withoutEffect.contains(letter) {
          continue
        } else if CurlLine.withoutEffectButValue.contains(letter) || CurlLine.withValue.contains(letter) {
          guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
            throw .optionWithoutValue("-\(letter)")
          }
          try take(letter, value, shown: "-\(letter)")
          return
        } else {
          throw .unknownOption(Self.shown("-\(letter)"))
        }
      }
    }

    private mutating func take(_ name: String, _ value: String, shown: String) throws(CaptureProblem) {
      switch name {
      case "X", "request": method = value
      case "H", "header": try addField(value)
      case "A", "user-agent": fields.append(("User-Agent", Secret(value)))
      case "e", "referer": fields.append(("Referer", Secret(value)))
      case "b", "cookie":
        // A word without a sign of equality names a file.
        guard value.contains("=") else { throw .readsFile(option: shown) }
        fields.append(("Cookie", Secret(value)))
      case "u", "user": user = value
      case "url": addresses.append(value)
      case "json":
        guard !value.hasPrefix("@") else { throw .readsFile(option: shown) }
        data.append(value)
        isJSON = true
      case "d", "data", "data-ascii", "data-binary":
        guard !value.hasPrefix("@") else { throw .readsFile(option: shown) }
        data.append(value)
      case "data-raw": data.append(value)
      case "data-urlencode":
        guard let field = Self.encoded(value) else { throw .readsFile(option: shown) }
        data.append(field)
      case "F", "form", "form-string": throw .multipart
      case "T", "upload-file": throw .readsFile(option: shown)
      default: break
      }
    }

    /// The content of `--data-urlencode`: `content`, `=content` or `name=content`; nil where it is a file's.
    private static func encoded(_ value: String) -> String? {
      guard let equals = value.firstIndex(of: "=") else {
        return value.contains("@") ? nil : PercentEncoding.encode(value)
      }
      let name = value[..<equals]
      // curl takes the first of the two signs.
      guard !name.contains("@") else { return nil }
      let content = PercentEncoding.encode(String(value[value.index(after: equals)...]))
      return name.isEmpty ? content : "\(name)=\(content)"
    }

    private mutating func addField(_ text: String) throws(CaptureProblem) {
      guard !text.hasPrefix("@") else { throw .readsFile(option: "-H") }
      guard let colon = text.firstIndex(of: ":") else {
        // `Name;` is a field without a value.
        guard text.hasSuffix(";") else { throw .badField }
        return fields.append((String(text.dropLast()), Secret("")))
      }
      let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      let name = String(text[..<colon])
      guard !name.isEmpty, CapturedFields.isName(name) else { throw .badField }
      // Without a value, curl leaves out a field of its own.
      if !value.isEmpty { fields.append((name, Secret(value))) }
    }

    func call() throws(CaptureProblem) -> CapturedCall {
      guard let address = addresses.first else { throw .noAddress }
      guard addresses.count == 1 else { throw .severalAddresses }
      var text = address.contains("://") ? address : "http://\(address)"
      var fields = fields
      let content = data.joined(separator: "&")
      if isQuery, !data.isEmpty {
        let start = text.prefix { $0 != "#" }
        text = "\(start)\(start.contains("?") ? "&" : "?")\(content)"
      }
      let sends = !isQuery && !data.isEmpty
      if let user {
        guard user.contains(":") else { throw .optionWithoutValue("-u") }
        fields.append(("Authorization", Secret("Basic " + Data(user.utf8).base64EncodedString())))
      }
      let hasType = fields.contains { $0.name.lowercased() == "content-type" }
      if sends, !hasType {
        // curl calls JSON a form as well, if no field says otherwise. No document can: its JSON is sent as what it is.
        let isObject = JSONValue(json: Data(content.utf8))?.object != nil
        fields.append(("Content-Type", Secret(isJSON || isObject ? "application/json" : FormEncoding.mediaType)))
      }
      let method = method ?? (sends ? "POST" : "GET")
      guard CapturedFields.isName(method) else { throw .badMethod }
      let url = try CapturedFields.url(text)
      return CapturedCall(method: method, url: url, fields: fields, body: sends ? Data(content.utf8) : nil)
    }

    /// An option as it can be shown: its value could stand behind it without a blank.
    private static func shown(_ option: String) -> String {
      String(option.prefix(24).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") })
    }
  }
}

/// What every capture has to fulfil.
enum CapturedFields {
  /// Whether a text can be a field's name or a method (RFC 9110 §5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256
      && text.utf8.allSatisfy { byte in
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// An address of HTTP without a user name.
  static func url(_ text: String) throws(CaptureProblem) -> URL {
    guard text.utf8.count <= 8192, let url = URL(string: text), Origin(url) != nil, url.user() == nil,
      url.password() == nil
    else { throw .badAddress }
    return url
  }
}
