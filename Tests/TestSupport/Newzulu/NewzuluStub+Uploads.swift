import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

extension NewzuluStub {
  static func create(
    _ arguments: [String: JSONValue], _ user: Account, _ base: URL, _ state: inout State
  ) throws -> JSONValue {
    let data = arguments["fileData"]
    guard let size = Int64(data?["filesize"]?.text ?? ""), size > 0, data?["filename"]?.text != nil,
      data?["type"]?.text != nil, let asked = Int64(data?["partSize"]?.text ?? "")
    else { throw StubFailure.argument("fileData") }
    let upload = StubUpload(
      id: state.newID(), owner: user.id, title: data?["title"]?.text ?? "", size: size,
      partSize: max(asked, state.minimumPartSize), secret: "secret\(state.lastID)")
    state.uploads[upload.id] = upload
    return .object([
      "id": state.id(upload.id), "status": "5", "partSize": .integer(upload.partSize),
      "partUrls": upload.addresses(upload.missing, base),
    ])
  }

  static func resume(
    _ arguments: [String: JSONValue], _ user: Account, _ base: URL, _ state: State
  ) throws -> JSONValue {
    let id = arguments["id"]?.text ?? ""
    if let file = state.files[id], file.owner == user.id { return .object(["id": state.id(id), "status": "1"]) }
    guard let upload = state.uploads[id], upload.owner == user.id else { throw StubFailure.notFound }
    let parts = upload.parts.sorted { $0.key < $1.key }.map { number, part -> JSONValue in
      .object(["part": .integer(Int64(number)), "size": .integer(part.size), "etag": .string(part.tag)])
    }
    return .object([
      "id": state.id(id), "status": "5", "filesize": .integer(upload.size), "partSize": .integer(upload.partSize),
      "parts": .array(parts), "partUrls": upload.addresses(upload.missing, base),
    ])
  }

  static func complete(_ arguments: [String: JSONValue], _ user: Account, _ state: inout State) throws -> JSONValue {
    let id = arguments["id"]?.text ?? ""
    if let file = state.files[id], file.owner == user.id { return file.json(state) }
    guard let upload = state.uploads[id], upload.owner == user.id else { throw StubFailure.notFound }
    var content = Data()
    var missing: [Int] = []
    let told = arguments["parts"]?.list ?? []
    for number in 1...upload.count {
      let tag = told.first { $0["part"]?.text == String(number) }?["etag"]?.text
      guard let part = upload.parts[number], part.tag == tag else {
        missing.append(number)
        continue
      }
      if let bytes = part.content { content.append(bytes) }
    }
    guard missing.isEmpty else {
      throw StubFailure(number: 142, text: "Parts missing: \(missing.map(String.init).joined(separator: ", "))")
    }
    var file = StubFile(id: id, title: upload.title, isModerated: false, owner: user.id, status: 1, size: upload.size)
    file.content = content
    state.files[id] = file
    state.uploads[id] = nil
    return file.json(state)
  }

  static func put(
    _ request: TransportRequest, _ path: String, _ state: inout State, _ keepsContent: Bool
  ) -> TransportResponse {
    state.puts += 1
    let steps = path.split(separator: "/")
    guard steps.count == 4, let number = Int(steps[3]),
      let upload = state.uploads.values.first(where: { $0.secret == steps[2] }), (1...upload.count).contains(number)
    else { return .status(.forbidden) }
    let body = request.body ?? Data()
    guard Int64(body.count) == upload.length(number) else { return .status(.badRequest) }
    let tag = String(body.prefix(4096).reduce(UInt64(body.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    state.uploads[upload.id]?.parts[number] = StubUpload.Part(
      size: Int64(body.count), content: keepsContent ? Data(body) : nil, tag: tag)
    return .status(.ok, headerFields: [.eTag: "\"\(tag)\""])
  }
}
