import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import Testing

@Suite("WLResponse and WLFailResponse")
struct WLResponseTests {
  private func response(_ body: [UInt8], _ type: String? = nil) -> WLResponse {
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = type
    return WLResponse(TransportResponse(head, body: Data(body)))
  }

  @Test(
    "Text is in the character set that is named, in UTF-8, or, if it is text, in ISO 8859-1",
    arguments: [
      ([0xC3, 0xA9], nil, "é"), ([0xE9], "text/html", "é"), ([0xE9], "text/html; charset=utf-8", "é"),
      ([0xE9], "text/plain; Charset=\"ISO-8859-1\"", "é"), ([0x80], "text/html;charset=windows-1252", "€"),
      ([0xE9], "application/octet-stream", nil), ([0xE9], nil, nil), ([], nil, ""),
      ([0xE9, 0x20], "application/xhtml+xml", "é "),
    ] as [([UInt8], String?, String?)])
  func text(_ body: [UInt8], _ type: String?, _ text: String?) {
    #expect(response(body, type).responseText == text)
  }

  @Test(
    "JSON is an object or nothing",
    arguments: [
      (#"{"first":"Ann","n":1}"#, "Ann"), ("[1]", nil), ("", nil), ("{", nil), ("\u{0}", nil), ("null", nil),
    ] as [(String, String?)])
  func json(_ body: String, _ first: String?) {
    let response = response(Array(body.utf8))
    #expect(response.responseJSON?["first"] as? String == first)
    #expect((response.responseJSON == nil) == (first == nil))
  }

  @Test("Deeply nested JSON is nothing, and ends nobody")
  func deepJSON() {
    #expect(response(Array(String(repeating: #"{"a":"#, count: 100_000).utf8)).responseJSON == nil)
  }

  @Test("Fields are there as they were spelled, repeated ones joined")
  func headers() {
    var head = HTTPResponse(status: .ok)
    head.headerFields.append(HTTPField(name: .setCookie, value: "a=1"))
    head.headerFields.append(HTTPField(name: .setCookie, value: "b=2"))
    let response = WLResponse(TransportResponse(head))
    #expect(response.headers as? [String: String] == ["Set-Cookie": "a=1, b=2"])
    #expect(response.status == 200 && response.responseData == Data())
  }

  @Test("A failure made of a response keeps its content, and the code and message of its JSON")
  func failResponse() throws {
    let original = response(Array(#"{"errorCode":"PROCEDURE_ERROR","errorMsg":"no such thing"}"#.utf8))
    let error = NSError(domain: "x", code: 1)
    let failure = try #require(WLFailResponse.createFailResponse(from: original, error: error))
    #expect(failure.status == 200 && failure.responseText == original.responseText)
    #expect(failure.errorCode == "PROCEDURE_ERROR" && failure.errorMsg == "no such thing")
    #expect(failure.clientErrorCode == WLErrorCodeProcedureError)
    #expect((failure.error as NSError?) === error)
    let empty = try #require(WLFailResponse.createFailResponse(from: nil, error: nil))
    #expect(empty.status == 0 && empty.errorCode == WLErrorCode.unexpectedError)
    for code in [WLErrorCodeUnexpectedError, WLErrorCodeProcedureError, WLErrorCodeSubmitFailure] {
      #expect(WLFailResponse.getErrorMessage(from: code)?.isEmpty == false)
    }
  }
}
