import Foundation
import IBMMobileFirstPlatformFoundation
import Testing

@Suite("mfpclient.plist")
struct ClientPropertyListTests {
  private func read(_ entries: String) -> ClientPropertyList? {
    ClientPropertyList(
      Data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>\(entries)</dict></plist>
        """.utf8))
  }

  @Test("The vendor's keys make the server's address")
  func address() throws {
    let list = try #require(
      read(
        """
        <key>protocol</key><string>https</string><key>host</key><string>mfp.example.com</string>
        <key>port</key><string>9443</string><key>wlServerContext</key><string>/mfp/</string>
        <key>application id</key><string>com.example.app</string>
        """))
    #expect(list.serverURL?.absoluteString == "https://mfp.example.com:9443/mfp/")
    let brief = try #require(read("<key>host</key><string>h</string><key>port</key><integer>80</integer>"))
    #expect(brief.serverURL?.absoluteString == "http://h:80/mfp/")
  }

  @Test("A file without a host, or that is no property list, is none")
  func none() {
    #expect(read("<key>port</key><string>80</string>") == nil)
    #expect(read("<key>host</key><string></string>") == nil)
    #expect(ClientPropertyList(Data("x".utf8)) == nil)
  }
}
