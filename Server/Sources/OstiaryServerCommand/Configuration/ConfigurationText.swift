internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore

/// The text of a configuration file: one JSON document (RFC 8259).
struct ConfigurationText: Sendable {
  let document: JSONValue
  /// The names that an object has twice. Of two, a reader may take either.
  let repeated: [String]

  /// The most bytes that it may have.
  private static let sizeLimit = 1 << 20

  /// - Throws: ``OstiaryError`` for a file that can't be read, `ConfigurationProblem` for one that is no JSON.
  init(contentsOf url: URL, path: String) throws {
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      data = try file.read(upToCount: Self.sizeLimit + 1) ?? Data()
    } catch {
      throw OstiaryError.file(FileMessage.unreadable(path))
    }
    try self.init(data)
  }

  init(_ data: Data) throws(ConfigurationProblem) {
    guard data.count <= Self.sizeLimit else { throw .tooLarge }
    guard let document = JSONValue(json: data) else {
      throw .notJSON(line: ConfigurationSyntax.line(ofErrorIn: [UInt8](data)))
    }
    self.document = document
    repeated = Self.repeated(in: [UInt8](data))
  }

  /// An object or a list that has begun.
  private struct Container {
    let isObject: Bool
    var names: Set<String> = []
    /// The member that is read now.
    var name = ""
    var expectsName: Bool
  }

  /// The names that are twice in an object, in a text that is JSON.
  private static func repeated(in bytes: [UInt8]) -> [String] {
    var (open, found, position): ([Container], [String], Int) = ([], [], 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"): open.append(Container(isObject: true, expectsName: true))
      case UInt8(ascii: "["): open.append(Container(isObject: false, expectsName: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","):
        if let last = open.indices.last { open[last].expectsName = open[last].isObject }
      case UInt8(ascii: "\""):
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard let last = open.indices.last, open[last].expectsName, position < bytes.count else { break }
        open[last].expectsName = false
        let text = Data(bytes[start...position])
        open[last].name = (try? JSONDecoder().decode(String.self, from: text)) ?? ""
        if !open[last].names.insert(open[last].name).inserted {
          found.append(open.filter(\.isObject).map(\.name).joined(separator: "."))
        }
      default: break
      }
      position += 1
    }
    return found
  }
}
