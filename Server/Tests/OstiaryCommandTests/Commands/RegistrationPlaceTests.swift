import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryPrivateFiles
import Testing

@testable import OstiaryClientCommand

@Suite("Files of registered clients")
struct RegistrationPlaceTests {
  private static let folder = URL(filePath: "/registrations", directoryHint: .isDirectory)
  private static let address = "http://127.0.0.1/callback"
  /// Longer than the part of it that a file's name has.
  private static let longAddress = address + "/" + String(repeating: "a", count: 80)

  private static func issuer(_ tenant: String) -> String {
    "https://login.example/\(tenant)/" + String(repeating: "i", count: 150)
  }

  private static func place(
    _ issuer: String, _ redirectURI: String = address, isDevice: Bool = false, in folder: URL = folder
  ) -> RegistrationPlace {
    RegistrationPlace(issuer: issuer, redirectURI: redirectURI, isDevice: isDevice, in: folder)
  }

  @Test("FIND-42: no two clients have one file, however long their issuers and addresses are")
  func unique() {
    var places: [RegistrationPlace] = []
    for issuer in ["https://login.example", Self.issuer("a"), Self.issuer("b")] {
      for address in [Self.address, Self.longAddress, Self.longAddress.replacing("127.0.0.1", with: "localhost")] {
        for isDevice in [false, true] { places.append(Self.place(issuer, address, isDevice: isDevice)) }
      }
    }
    let names = places.map { $0.file.url.lastPathComponent }
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.utf8.count <= 255 && name.hasSuffix(".json"), "\(name)") }
    #expect(
      places[0].file.url.lastPathComponent == "https%3A%2F%2Flogin.example,http%3A%2F%2F127.0.0.1%2Fcallback.json")
  }

  /// What a server gave a client, in a file of the name that earlier versions gave it.
  private func keep(_ place: RegistrationPlace, _ members: String, for issuer: String) throws {
    let name = place.file.url.lastPathComponent
    let parts = name.dropLast(".json".count).split(separator: ",")
    try #require(parts.count == 3)
    let json = #"{"issuer":"\#(issuer)","clientID":"c-1","members":\#(members)}"#
    let url = place.file.url.deletingLastPathComponent().appending(path: "\(parts[0]),\(parts[1]).json")
    try Data(json.utf8).write(to: url)
  }

  @Test("FIND-42: what an earlier version kept is used where the server has said that it is this client's")
  func earlier() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (own, now) = (Self.issuer("a"), Date())
    let browser = Self.place(own, Self.longAddress, in: folder)
    #expect(try browser.registration(at: now).kept == nil)
    let uris = #""redirect_uris":["\#(Self.longAddress)"]"#
    let device = #""grant_types":["authorization_code","\#(RegistrationPlace.deviceGrant)"]"#
    let cases: [(members: String, issuer: String, isOwn: Bool)] = [
      ("{\(uris)}", own, true), ("{\(uris),\(device)}", own, false), ("{}", own, false),
      (#"{"redirect_uris":["\#(Self.address)"]}"#, own, false), ("{\(uris)}", Self.issuer("b"), false),
    ]
    for (members, issuer, isOwn) in cases {
      try keep(browser, members, for: issuer)
      let (file, kept) = try browser.registration(at: now)
      #expect(kept?.clientID == (isOwn ? "c-1" : nil), "\(members) \(issuer)")
      #expect((file.url == browser.file.url) == !isOwn)
    }
    // A profile goes on with the file that it names, and the newer one is found first.
    try keep(browser, "{\(uris)}", for: own)
    try Data(#"{"issuer":"\#(own)","clientID":"c-2","members":{}}"#.utf8).write(to: browser.file.url)
    #expect(try browser.registration(at: now).kept?.clientID == "c-2")
    try keep(browser, "{\(uris),\(device)}", for: own)
    // The name's end, which is all that such a file has of the address, is that of both ways to sign in.
    let other = Self.place(own, Self.longAddress, isDevice: true, in: folder)
    #expect(try other.registration(at: now).kept?.clientID == "c-1")
    try keep(browser, "{\(uris)}", for: own)
    #expect(try other.registration(at: now).kept == nil)
  }
}
