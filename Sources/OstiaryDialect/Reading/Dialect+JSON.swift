internal import Crypto
public import Foundation
internal import OstiaryCore

extension Dialect {
  /// The most bytes of a document.
  public static let maximumSize = 65_536
  /// How deep objects and lists of a document may be nested.
  static let maximumDepth = 32

  /// The JSON schema (2020-12) of the document, for editors and authors. It is made of the table by which documents are read.
  public static let schema = String(decoding: DialectShape.documentSchema.indentedBytes, as: UTF8.self)

  /// Reads and checks a document: JSON in UTF-8, at most 64 KiB.
  /// - Throws: ``DialectError`` with every problem. No value of the document is in it.
  public init(json: Data) throws(DialectError) {
    let document = try Self.parse(json)
    var shape = DialectShapeCheck()
    shape.match(document, DialectShape.document, at: [])
    self = DialectDecoder.dialect(document)
    let content = findings().map { $0.moved(to: document.place(of: $0.place)) }
    let problems = Self.problems(shape.findings, and: content)
    guard problems.isEmpty else { throw DialectError(problems) }
  }

  /// The document: JSON in UTF-8 on indented lines, or on one where it would be too large otherwise. Reading it gives an equal
  /// dialect, where ``check()`` has no problem.
  public func json() -> Data {
    let document = DialectEncoder.document(self)
    let indented = document.indentedBytes
    return Data(indented.count <= Self.maximumSize ? indented : document.bytes)
  }

  private static func parse(_ json: Data) throws(DialectError) -> OrderedJSON {
    guard json.count <= maximumSize else {
      throw whole("The document is larger than 64 KiB.", "A dialect is a page of JSON: check the file's name.")
    }
    do {
      return try OrderedJSON(Array(json), maximumDepth: maximumDepth)
    } catch {
      switch error {
      case .malformed(let line):
        throw whole(
          "The document is not JSON in UTF-8; it can be read up to line \(line).",
          "Check commas, quotation marks and braces there.")
      case .tooDeep(let line):
        throw whole(
          "The document is nested more than \(maximumDepth) deep in line \(line).", "No dialect needs such a depth.")
      case .repeatedName(let place):
        throw DialectError([
          DialectFinding(place.map(DialectFinding.shown), "The member is there twice.", "Take one of the two out.")
            .problem
        ])
      }
    }
  }

  /// The members that give names to values and roles, and down to which depth a part that is left out may have given one.
  private static let namingDepths = [
    "servers": 2, "settings": 2, "prepare": 2, "signIn": 2, "continue": 2, "renew": 1, "who": 1,
  ]

  private static func whole(_ message: String, _ advice: String) -> DialectError {
    DialectError([DialectProblem(at: "", message, advice: advice)])
  }

  /// All problems. Where a part has not its shape, what follows from its being left out is not one more.
  private static func problems(_ shape: [DialectFinding], and content: [DialectFinding]) -> [DialectProblem] {
    let broken = shape.filter { $0.kind == .shape }
    // What a part that is left out would have read or named is not known.
    let hidesNames = broken.contains { finding in
      let depth = finding.part.first.map { Self.namingDepths[$0] ?? 0 } ?? 0
      return finding.part.count <= depth || finding.part.isEmpty || finding.part.contains("reads")
    }
    let others = content.filter { finding in
      if finding.kind == .unknownName, hidesNames { return false }
      // Whether the call is used is up to the renewal.
      if finding.place == ["renew"], broken.contains(where: { $0.part.first == "renewal" }) { return false }
      return !broken.contains { $0.part.starts(with: finding.place) || finding.place.starts(with: $0.part) }
    }
    return (shape + others).prefix(DialectFinding.most).map(\.problem)
  }
}

extension OrderedJSON {
  /// The place in this document: one thing may stand by itself, or as a list of one.
  fileprivate func place(of parts: [String]) -> [String] {
    var result: [String] = []
    var json: OrderedJSON? = self
    for part in parts {
      if let elements = json?.elements {
        if elements.count == 1, Int(part) == nil {
          result.append("0")
          json = elements[0][part]
        } else {
          json = Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        }
      } else {
        json = json?[part]
      }
      result.append(part)
    }
    return result
  }
}

extension Dialect {
  /// Reads a document that was decided on before: the file with this SHA-256 and no other.
  ///
  /// A document decides where passwords are sent, so it is code. Bundle it with the app, or pin it.
  /// - Parameters:
  ///   - file: the file.
  ///   - sha256: 64 hexadecimal digits.
  /// - Throws: ``DialectError``; also for another file, and where the file can't be read.
  public init(contentsOf file: URL, sha256: String) throws(DialectError) {
    let json = try Self.read(file)
    let digest = SHA256.hash(data: json).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
    guard digest.joined() == sha256.lowercased() else {
      throw Self.whole(
        "The file is not the one that was decided on: its SHA-256 is another.",
        "Read what has changed, and then pin the new SHA-256.")
    }
    try self.init(json: json)
  }

  /// Reads a document from a file that may have been changed since it was decided on.
  ///
  /// Who can write to the file decides where passwords are sent. Prefer ``init(contentsOf:sha256:)``.
  /// - Throws: ``DialectError``; also where the file can't be read.
  public init(insecurelyReadingUnpinned file: URL) throws(DialectError) {
    try self.init(json: Self.read(file))
  }

  /// No more than is allowed is read.
  private static func read(_ file: URL) throws(DialectError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try handle.read(upToCount: maximumSize + 1) ?? Data()
    } catch {
      throw whole("The file can't be read.", "Check its name and permissions.")
    }
  }
}
