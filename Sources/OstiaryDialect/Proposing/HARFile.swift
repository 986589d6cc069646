public import Foundation
internal import OstiaryCore

/// The calls of a HAR file (HTTP Archive 1.2), which a browser's developer tools save.
public enum HARFile {
  /// The largest file that is read, in bytes.
  public static let maximumBytes = 32 << 20
  /// How many calls of a file are looked at.
  public static let maximumCalls = 2000
  /// How many fields of a call are read.
  static let maximumFields = 256

  /// Reads the calls, in their order. A call that is no HTTP, or that is damaged, is left out.
  public static func calls(_ json: Data) throws(CaptureProblem) -> [CapturedCall] {
    guard json.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    // Some browsers begin it with a mark of the byte order.
    let text = json.starts(with: [0xEF, 0xBB, 0xBF]) ? json.dropFirst(3) : json
    guard let entries = JSONValue(json: Data(text))?["log"]?["entries"]?.array else { throw .notHAR }
    return entries.prefix(maximumCalls).compactMap { call($0) }
  }

  /// The call that signs in: the first one that sends a password and is answered with success, or the first that sends one.
  /// - Parameter passwordName: what the call calls the password, where it has no usual name.
  public static func login(
    in calls: [CapturedCall], passwordName: String? = nil
  ) throws(CaptureProblem) -> Int {
    let candidates = calls.indices.filter { index in
      calls[index].method != "OPTIONS"
        && calls[index].inputs.contains { input in
          passwordName.map { input.name == $0 } ?? (input.likeness == .password)
        }
    }
    let answered = candidates.first { (200...299).contains(calls[$0].answer?.status ?? 0) }
    guard let found = answered ?? candidates.first else { throw .noLogin }
    return found
  }

  private static func call(_ entry: JSONValue) -> CapturedCall? {
    guard let request = entry["request"], let method = request["method"]?.string, CapturedFields.isName(method),
      let address = request["url"]?.string, let url = try? CapturedFields.url(address)
    else { return nil }
    var fields = fields(request["headers"])
    let posted = request["postData"]
    var body = posted?["text"]?.string.map { Data($0.utf8) }
    if body?.isEmpty != false, let pairs = posted?["params"]?.array?.prefix(maximumFields), !pairs.isEmpty {
      let named = pairs.compactMap { pair in
        pair["name"]?.string.map { (name: $0, value: pair["value"]?.string ?? "") }
      }
      body = Data(FormEncoding.serialize(named).utf8)
    }
    if let type = posted?["mimeType"]?.string, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
      fields.append(("Content-Type", Secret(type)))
    }
    return CapturedCall(
      method: method.uppercased(), url: url, fields: fields, body: body, answer: answer(entry["response"]))
  }

  private static func answer(_ response: JSONValue?) -> CapturedAnswer? {
    guard let response, let status = response["status"]?.double, (100...599).contains(status) else { return nil }
    let content = response["content"]
    let text = content?["text"]?.string ?? ""
    let isEncoded = content?["encoding"]?.string == "base64"
    let body = isEncoded ? Data(base64Encoded: text) ?? Data() : Data(text.utf8)
    return CapturedAnswer(status: Int(status), fields: fields(response["headers"]), body: body)
  }

  private static func fields(_ list: JSONValue?) -> [(name: String, value: Secret)] {
    (list?.array ?? []).prefix(maximumFields).compactMap { field in
      // Names of HTTP/2 that are no fields begin with a colon.
      guard let name = field["name"]?.string, CapturedFields.isName(name), let value = field["value"]?.string else {
        return nil
      }
      return (name: name, value: Secret(value))
    }
  }
}
