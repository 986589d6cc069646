import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

extension NewzuluTester {
  /// An upload that has begun.
  struct Upload: Sendable {
    let id: JSONValue
    let partSize: Int
    /// The address of each part.
    let urls: [Int: String]

    /// The path of a part's address.
    func path(_ part: Int) throws -> String {
      try #require(urls[part].flatMap { URL(string: $0) }).path
    }

    var number: Int64 { id.string.flatMap { Int64($0) } ?? -1 }
  }

  func begin(
    size: Int, partSize: Int = 10, title: String = "A title", type: JSONValue = "video/mp4", vhost: String = "1281",
    token: String
  ) async throws -> Answer {
    try await call(
      "media.createMultiPartUpload",
      [
        "vhost": .string(vhost),
        "fileData": .object([
          "type": type, "filename": "a.mp4", "title": .string(title), "message": "Hello",
          "filesize": .integer(Int64(size)), "partSize": .integer(Int64(partSize)),
        ]),
      ], token: token)
  }

  func upload(size: Int, partSize: Int = 10, title: String = "A title", vhost: String = "1281", token: String)
    async throws -> Upload
  {
    let answer = try await begin(size: size, partSize: partSize, title: title, vhost: vhost, token: token)
    return try Self.upload(answer)
  }

  /// Reads the answer of a call that tells addresses.
  static func upload(_ answer: Answer) throws -> Upload {
    guard let result = answer.result, let id = result["id"], let partSize = result["partSize"]?.double else {
      throw UnexpectedAnswer(answer: answer)
    }
    var urls: [Int: String] = [:]
    for part in result["partUrls"]?.array ?? [] {
      guard let number = part["part"]?.double, let url = part["url"]?.string else {
        throw UnexpectedAnswer(answer: answer)
      }
      urls[Int(number)] = url
    }
    return Upload(id: id, partSize: Int(partSize), urls: urls)
  }

  func put(_ content: String, to url: String?) async throws -> Answer {
    try await server.client().send(
      "PUT", url ?? "/missing", headers: ["Content-Type": "application/octet-stream"], body: content)
  }

  func state(_ upload: Upload, token: String) async throws -> Answer {
    try await call("media.getMultiPartUpload", ["vhost": "1281", "id": upload.id], token: token)
  }

  func complete(_ upload: Upload, _ parts: [JSONValue]? = nil, token: String) async throws -> Answer {
    var arguments: [String: JSONValue] = ["vhost": "1281", "id": upload.id]
    if let parts { arguments["parts"] = .array(parts) }
    return try await call("media.completeMultiPartUpload", arguments, token: token)
  }

  func abort(_ upload: Upload, token: String) async throws -> Answer {
    try await call("media.abortMultiPartUpload", ["vhost": "1281", "id": upload.id], token: token)
  }

  /// Uploads a small file as a whole and returns its id.
  @discardableResult
  func file(_ content: String, title: String = "A title", vhost: String = "1281", token: String) async throws
    -> JSONValue
  {
    let upload = try await upload(
      size: content.utf8.count, partSize: 1000, title: title, vhost: vhost, token: token)
    _ = try await put(content, to: upload.urls[1])
    let answer = try await call(
      "media.completeMultiPartUpload", ["vhost": .string(vhost), "id": upload.id], token: token)
    guard answer.result != nil else { throw UnexpectedAnswer(answer: answer) }
    return upload.id
  }

  /// What the server has on its disk of a file.
  func content(of upload: Upload) async throws -> String {
    let files = try await server.application.door(NewzuluDoor.self)?.content(ofFile: upload.number) ?? []
    return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }

  /// The marks of parts, as a client sends them.
  static func marks(_ etags: [Int: String]) -> [JSONValue] {
    etags.sorted { $0.key < $1.key }.map { .object(["part": .integer(Int64($0.key)), "etag": .string($0.value)]) }
  }
}

extension TemporaryFolder {
  /// The names of all files below the folder of uploads.
  var partFiles: [String] {
    let folder = url.appendingPathComponent("newzulu")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { name in
      var isFolder = ObjCBool(false)
      let path = folder.appendingPathComponent(name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }
}
