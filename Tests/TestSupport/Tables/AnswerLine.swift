package import Foundation
package import HTTPTypes
package import OstiaryCore

/// A row of a table *answer → meaning* with the columns Asked, Status, Fields, Body, Means, Source.
package struct AnswerLine: Sendable {
  /// What was asked.
  package let asked: String
  package let status: Int
  package let fields: HTTPFields
  package let body: String
  package let means: String

  /// The lines of a table, in order.
  package static func lines(ofArticle article: String, heading: String) throws -> [AnswerLine] {
    try AnswerTable.rows(ofArticle: article, heading: heading).map { cells in
      guard cells.count == 6, let status = Int(cells[1]), !cells[5].isEmpty else { throw NoLine(cells: cells) }
      let texts = cells.map(AnswerTable.text)
      var fields: HTTPFields = [:]
      if let colon = texts[2].firstIndex(of: ":"), let name = HTTPField.Name(String(texts[2][..<colon])) {
        fields[name] = texts[2][texts[2].index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
      return AnswerLine(asked: texts[0], status: status, fields: fields, body: texts[3], means: texts[4])
    }
  }

  /// The answer.
  package var response: TransportResponse { response(Data(body.utf8)) }

  /// The answer with another body, status or field.
  package func response(_ body: Data, status: Int? = nil, fields: HTTPFields? = nil) -> TransportResponse {
    TransportResponse(
      HTTPResponse(status: .init(code: status ?? self.status), headerFields: fields ?? self.fields), body: body)
  }

  /// A row that is no line of such a table.
  package struct NoLine: Error {
    package let cells: [String]
  }
}
