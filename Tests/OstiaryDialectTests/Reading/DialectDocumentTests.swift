import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Dialect: documents")
struct DialectDocumentTests {
  @Test("DIA-02 every member of a document is read")
  func everything() throws {
    let dialect = try Dialect(json: Data(DialectSamples.everything.utf8))
    #expect(dialect.name == "acme" && dialect.title == "Acme's API" && dialect.sources.count == 2)
    #expect(dialect.servers.map(\.name) == ["server", "accounts"] && dialect.mainServer == "server")
    #expect(dialect.servers[0].documented == "https://api.acme.example")
    #expect(dialect.settings.map(\.name) == ["apiKey", "tenant", "lifetime"])
    #expect(dialect.settings[0].isSecret && dialect.settings[0].isRequired && dialect.settings[0].defaultValue == nil)
    #expect(!dialect.settings[1].isRequired && dialect.settings[1].defaultValue == "main")
    #expect(
      dialect.prepare[0].reads.values == [
        DialectNamedRead("csrf", .cookie("XSRF-TOKEN", isPercentDecoded: true)),
        DialectNamedRead("page", DialectRead(.formField("_token")), DialectRead(.meta("csrf-token"))),
      ])
    let call = dialect.signIn[0]
    #expect(call.server == "accounts" && call.method == .post && call.followsRedirects && call.carriesProof == nil)
    #expect(call.headers == [DialectField("X-Api-Key", "{apiKey}"), DialectField("X-CSRF", "{csrf}")])
    #expect(call.success == .all([.status(200...201), .pointer("/ok", .equals(true))]))
    #expect(call.reads.token == ["/access"])
    #expect(call.reads.renewalToken == ["/refresh", .header("X-Refresh", after: "Bearer ")])
    #expect(call.reads.userID == [.claim("/sub")] && call.reads.userName == [])
    #expect(
      call.reads.expiry == [
        .duration(["/expires"], .milliseconds), .date(["/until"], .sql(minutesFromUTC: 120)), .claim(of: "token"),
        .fixed(3600),
      ])
    #expect(
      call.meanings[2].meaning
        == .secondFactor(DialectDemand(.named("totp"), handle: ["/handle"], title: "The code of the app")))
    #expect(call.meanings[3].meaning == .secondFactor(DialectDemand(.read(["/need"]))))
    #expect(dialect.continuations.map(\.kind) == ["totp", "terms"])
    #expect(dialect.verify?.carriesProof == true && dialect.end?.method == .delete)
    #expect(dialect.proof.below == "/api" && dialect.proof.origins == ["server", "accounts"])
    #expect(dialect.meanings[3].meaning == .tryLater(after: [.duration([.header("Retry-After")])]))
    #expect(dialect.renewal == DialectRenewal(by: .renewalToken, rotation: .always, afterLostAnswer: .ask, grace: 10))
    #expect(dialect.check() == [])
  }

  @Test("DIA-02 what is left out is as the documentation says")
  func defaults() throws {
    let dialect = try Dialect(json: Data(DialectSamples.small.utf8))
    #expect(dialect.title == "small" && dialect.servers == [DialectServer("server")] && dialect.sources == [])
    #expect(dialect.renewal == DialectRenewal.none && dialect.renew == nil && dialect.meanings == [])
    let call = dialect.signIn[0]
    #expect(call.body == nil && call.basic == DialectBasic() && call.success == nil && !call.followsRedirects)
    #expect(
      dialect
        == Dialect(
          name: "small",
          signIn: [DialectCall(.post, "/login", basic: DialectBasic(), reads: DialectReads(token: ["/token"]))],
          proof: DialectProof(.headers([DialectField("Authorization", "Token {token}")]))))
  }

  @Test("DIA-02 a dialect is the same after it was written and read")
  func roundTrip() throws {
    var documents = [Data(DialectSamples.everything.utf8), Data(DialectSamples.small.utf8)]
    documents += try DialectSamples.proofs.map { try DialectSamples.edited("/proof", $0) }
    for document in documents {
      let dialect = try Dialect(json: document)
      let written = dialect.json()
      let again = try Dialect(json: written)
      #expect(again == dialect && again.json() == written)
      #expect(String(decoding: written, as: UTF8.self).hasSuffix("}\n"))
    }
  }

  @Test("DIA-02 the order of members is kept, and no name stands twice")
  func order() throws {
    let names = ["z", "a", "m", "b", "y"]
    let members = names.map { "\"\($0)\": {}" }.joined(separator: ", ")
    let dialect = try Dialect(json: DialectSamples.edited(DialectSamples.small, "/servers", "{\(members)}"))
    #expect(dialect.servers.map(\.name) == names && dialect.mainServer == "z")
    let text = DialectSamples.everything.replacing(#""path": "/2fa","#, with: #""path": "/2fa", "path": "/other","#)
    #expect(DialectSamples.problems(Data(text.utf8)).map(\.place) == ["/continue/totp/path"])
    let inList = DialectSamples.everything.replacing(#""server": "accounts","#, with: #""server": "a", "server": "b","#)
    #expect(DialectSamples.problems(Data(inList.utf8)).map(\.place) == ["/signIn/0/server"])
  }

  @Test("DIA-05 a text that is no document is refused, with the line up to which it can be read")
  func noDocument() throws {
    let texts = ["", "{", "nonsense", "{\"dialect\": 1,\n\n\"name\": x}", "\u{0}", "[1] 2"]
    for text in texts {
      let problems = DialectSamples.problems(Data(text.utf8))
      #expect(problems.count == 1 && problems[0].place == "", "\(text)")
    }
    #expect(DialectSamples.problems(Data(texts[3].utf8))[0].message.contains("line 3"))
    #expect(DialectSamples.problems(Data([0xFF, 0xFE, 0x7B, 0])).count == 1)
    for text in ["[]", "null", "1", "\"a\""] {
      #expect(DialectSamples.problems(Data(text.utf8)).map(\.place) == [""], "\(text)")
    }
  }

  @Test("DIA-05 a document is bounded before it is decoded")
  func bounds() throws {
    let blanks = String(repeating: " ", count: Dialect.maximumSize - DialectSamples.small.utf8.count)
    #expect(DialectSamples.problems(Data((DialectSamples.small + blanks).utf8)) == [])
    let large = DialectSamples.problems(Data((DialectSamples.small + blanks + " ").utf8))
    #expect(large.count == 1 && large[0].message.contains("64 KiB"))
    let deep = String(repeating: "[", count: 33) + "1" + String(repeating: "]", count: 33)
    let problems = DialectSamples.problems(Data(deep.utf8))
    #expect(problems.count == 1 && problems[0].message.contains("32 deep"))
    // As many problems as a document can have are reported as a bounded list.
    let many = "{" + (0..<5000).map { "\"a\($0)\":1" }.joined(separator: ",") + "}"
    #expect(many.utf8.count < Dialect.maximumSize && DialectSamples.problems(Data(many.utf8)).count == 1000)
    #expect(DialectError(DialectSamples.problems(Data(many.utf8))).description.utf8.count < 16_384)
  }

  @Test("DIA-08 a document from a file is the one that was pinned")
  func pinned() throws {
    let holder = try TemporaryFolder()
    defer { withExtendedLifetime(holder) {} }
    let folder = holder.url
    let file = folder.appending(path: "dialect.json")
    let data = Data(DialectSamples.small.utf8)
    try data.write(to: file)
    let digest = SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try Dialect(contentsOf: file, sha256: digest).name == "small")
    #expect(try Dialect(contentsOf: file, sha256: digest.uppercased()).name == "small")
    #expect(try Dialect(insecurelyReadingUnpinned: file).name == "small")
    try DialectSamples.edited(DialectSamples.small, "/signIn/0/path", "\"/other\"").write(to: file)
    #expect(throws: DialectError.self) { try Dialect(contentsOf: file, sha256: digest) }
    for wrong in ["", "0", digest + "0", String(digest.dropLast())] {
      #expect(throws: DialectError.self) { try Dialect(contentsOf: file, sha256: wrong) }
    }
    #expect(throws: DialectError.self) { try Dialect(insecurelyReadingUnpinned: folder.appending(path: "none")) }
  }

  @Test("DIA-06 no value of a document is in what it is refused with")
  func secrecy() throws {
    let planted = "planted-5ecret é\n"
    let document = try DialectSamples.json(DialectSamples.everything)
    var refused = 0
    for place in document.places {
      guard let edited = document.replacing(place[...], with: .string(planted)) else { continue }
      let problems = DialectSamples.problems(Data(edited.bytes))
      if !problems.isEmpty { refused += 1 }
      let text = "\(DialectError(problems))" + String(reflecting: DialectError(problems))
      #expect(!text.contains("5ecret"), "\(place)")
    }
    #expect(refused > 60)
    let broken = DialectSamples.everything.replacing("\"/csrf\"", with: "\"5ecret\" 5ecret")
    #expect(!"\(DialectError(DialectSamples.problems(Data(broken.utf8))))".contains("5ecret"))
  }

  @Test("DIA-02 damaged documents are refused or read, and never trap; what is read comes back")
  func damaged() throws {
    let document = try DialectSamples.json(DialectSamples.everything)
    let places = document.places
    let values = ["null", "true", "7", "-1.5", "\"\"", "\"/a\"", "\"{token}\"", "[]", "{}", "[[]]", "{\"a\": 1}"]
    for seed in Storm.seeds(300, full: 20_000) {
      var random = SplitMix64(seed: seed)
      var edited = document
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = places.randomElement(using: &random) ?? []
        let value =
          try Bool.random(using: &random) ? values.randomElement(using: &random).map(DialectSamples.json) : nil
        edited = edited.replacing(place[...], with: value) ?? .null
      }
      guard let dialect = try? Dialect(json: Data(edited.bytes)) else { continue }
      #expect(try Dialect(json: dialect.json()) == dialect, "seed \(seed)")
    }
  }
}
