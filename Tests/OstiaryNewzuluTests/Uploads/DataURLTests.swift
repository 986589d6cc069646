import Foundation
import OstiaryCore
import OstiaryNewzulu
import Testing

@Suite("data: URLs")
struct DataURLTests {
  @Test(
    "What they say (RFC 2397)",
    arguments: [
      ("data:,A%20brief%20note", "text/plain", "A brief note"),
      ("data:text/plain;base64,SGVsbG8=", "text/plain", "Hello"),
      ("data:image/gif;base64,R0lG", "image/gif", "GIF"), ("DATA:Image/PNG,x", "image/png", "x"),
      ("data:;charset=utf-8,x", "text/plain", "x"),
      ("data:text/plain;charset=utf-8;base64,eA%3D%3D", "text/plain", "x"),
      ("data:,", "text/plain", ""), ("data:,a,b", "text/plain", "a,b"),
    ])
  func read(_ text: String, _ type: String, _ content: String) throws {
    let url = try #require(URL(string: text))
    let data = try #require(DataURL(url))
    #expect(data.mediaType == type)
    #expect(String(decoding: data.data, as: UTF8.self) == content)
  }

  @Test("What is none", arguments: ["http://x/", "data:nothing", "file:///x", "data:;base64,*"])
  func none(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(DataURL(url)?.data.isEmpty ?? true)
  }

  @Test("Uploads of URLs: files, data, and nothing else")
  func uploads() throws {
    let file = try NewzuluUpload(source: URL(filePath: "/tmp/Holiday.MP4"), title: "T")
    #expect(file.filename == "Holiday.MP4" && file.contentType == "video/mp4")
    let image = try #require(URL(string: "data:image/png;base64,eA=="))
    let data = try NewzuluUpload(source: image, title: "T")
    #expect(data.filename == "upload.png" && data.contentType == "image/png")
    let strange = try #require(URL(string: "data:x/y,z"))
    let odd = try NewzuluUpload(source: strange, title: "T")
    #expect(odd.filename == "upload.bin" && odd.contentType == "x/y")
    for text in ["http://x/a.jpg", "assets-library://asset/asset.JPG?id=1", "photos:1"] {
      let url = try #require(URL(string: text))
      #expect(throws: OstiaryError(.unusableUpload, "")) { try NewzuluUpload(source: url, title: "T") }
    }
  }
}
