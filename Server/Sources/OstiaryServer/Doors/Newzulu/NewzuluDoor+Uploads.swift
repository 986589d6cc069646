public import Foundation
import HTTPTypes
package import NIOCore
import OstiaryCore

extension NewzuluDoor {
  /// `media.createMultiPartUpload`.
  func createUpload(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let user = try caller.requireUser()
    let vhost = try caller.requireOwnVhost()
    guard let data = try call.arguments.members("fileData") else { throw call.arguments.invalid("fileData") }
    guard let size = try data.integer("filesize"), size >= 0 else { throw data.invalid("filesize") }
    let partSize = try data.integer("partSize") ?? 0
    guard partSize >= 0 else { throw data.invalid("partSize") }
    let plan = NewzuluUploads.Plan(
      vhost: vhost, user: user, title: try Self.printable("title", in: data, most: 1024),
      message: try Self.printable("message", in: data, most: 16_384),
      filename: try Self.printable("filename", in: data, most: 255), type: try Self.mediaType(in: data),
      channel: try data.storableText("channel", most: 64) ?? "0", size: size, partSize: partSize)
    let file = try await uploads.begin(plan)
    return state(of: file, parts: nil)
  }

  /// `media.getMultiPartUpload`: the parts that have arrived, and the addresses of the others.
  func uploadState(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let (file, parts) = try await ownUpload(call, caller)
    return state(of: file, parts: parts)
  }

  /// `media.completeMultiPartUpload`.
  func completeUpload(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let user = try caller.requireUser()
    var marks: [Int: String]?
    if let parts = try call.arguments.list("parts") {
      var known: [Int: String] = [:]
      for part in parts {
        guard case .object(let members) = part else { throw call.arguments.invalid("parts") }
        let arguments = NewzuluArguments(members, of: "parts")
        guard let number = try arguments.integer("part") else { throw arguments.invalid("part") }
        known[number] = try arguments.requiredText("etag").replacing("\"", with: "").lowercased()
      }
      marks = known
    }
    return item(try await uploads.complete(try fileID(call), of: user, vhost: caller.vhost, marks: marks))
  }

  /// `media.abortMultiPartUpload`.
  func abortUpload(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    try await uploads.abort(try fileID(call), of: try caller.requireUser(), vhost: caller.vhost)
    return true
  }

  /// `PUT` of a part, to an address that contains the permission.
  func takePart(_ request: DoorRequest, _ body: BodyStream) async throws -> DoorResponse {
    try await withFailures {
      guard let secret = request.parameters["secret"], let upload = addresses.upload(of: secret, at: identity.clock.now)
      else { throw NewzuluFailure.addressExpired }
      guard let part = request.parameters["part"].flatMap({ Int($0) }) else { throw NewzuluFailure.gone }
      let etag = try await uploads.take(body, part: part, ofUpload: upload)
      return DoorResponse(status: .ok, headers: [.eTag: "\"\(etag)\""])
    }
  }

  private func ownUpload(
    _ call: NewzuluReceivedCall, _ caller: NewzuluCaller
  ) async throws -> (NewzuluFileRecord, [NewzuluUploads.Part]) {
    let user = try caller.requireUser()
    guard let found = try await uploads.find(try fileID(call), of: user, vhost: caller.vhost) else {
      throw NewzuluFailure.notFound
    }
    return found
  }

  /// - Parameter parts: The parts that have arrived; nil if the upload has just begun.
  private func state(of file: NewzuluFileRecord, parts: [NewzuluUploads.Part]?) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": id(file.id), "status": .string(String(file.status.rawValue)), "filesize": .integer(Int64(file.size)),
      "partSize": .integer(Int64(file.partSize)),
    ]
    if let parts {
      members["parts"] = .array(
        parts.map { part in
          .object([
            "part": .integer(Int64(part.number)), "size": .integer(Int64(part.size)), "etag": .string(part.etag),
          ])
        })
    }
    if file.status == .incomplete {
      let arrived = Set((parts ?? []).map(\.number))
      let secret = addresses.secret(
        forUpload: file.id,
        until: identity.clock.now.addingTimeInterval(configuration.partAddressLifetime.timeInterval))
      members["partUrls"] = .array(
        (1...file.partCount).filter { !arrived.contains($0) }.map { part in
          .object(["part": .integer(Int64(part)), "url": .string(addresses.address(secret: secret, part: part))])
        })
    }
    return .object(members)
  }

  private static func printable(
    _ name: String, in data: NewzuluArguments, most limit: Int
  ) throws(NewzuluFailure) -> String {
    let text = try data.text(name, most: limit) ?? ""
    let isPrintable = !text.unicodeScalars.contains { $0.isUnprintable && $0 != "\n" && $0 != "\r" && $0 != "\t" }
    guard isPrintable else { throw data.invalid(name) }
    return text
  }

  /// A media type without parameters (RFC 9110 §8.3.1).
  private static func mediaType(in data: NewzuluArguments) throws(NewzuluFailure) -> String {
    guard let type = try data.text("type", most: 127), !type.isEmpty else { return "application/octet-stream" }
    let parts = type.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    let isToken = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "!#$&-^_.+".utf8.contains(byte)
        }
    }
    guard parts.count == 2, isToken else { throw data.invalid("type") }
    return parts.joined(separator: "/")
  }
}

extension NewzuluDoor {
  /// Makes an uploaded file visible to all callers, as a moderator's approval does.
  /// - Returns: Whether there is such a file.
  @discardableResult
  public func moderate(file id: Int64, isVisible: Bool = true) async throws(ServerError) -> Bool {
    try await media.moderate(id, isVisible: isVisible)
  }

  /// Reads an uploaded file, a piece after another.
  /// - Parameter take: Gets each piece; the next one is not asked for before it returns.
  package func read(file id: Int64, _ take: (ByteBuffer) async throws -> Void) async throws {
    try await uploads.read(id, take)
  }

  /// The files on this machine's disk that, one after the other, contain an uploaded file; empty where uploads are in a bucket.
  public func content(ofFile id: Int64) async throws(ServerError) -> [URL] {
    try await uploads.content(of: id)
  }
}
