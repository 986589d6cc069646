/// What a part of a document may be: the one table by which documents are checked and from which their JSON schema is made.
indirect enum DialectShape: Sendable {
  case null
  case flag
  /// `true`.
  case always
  /// The number of the format's version.
  case version
  case integer(ClosedRange<Int>)
  /// Any text within the bounds.
  case text
  /// One of some texts.
  case choice([String])
  /// Any JSON scalar.
  case scalar
  /// Any JSON.
  case json
  case list(DialectShape, ClosedRange<Int>)
  /// An object whose members have names of the author's.
  case map(DialectShape, ClosedRange<Int>)
  case object(Fields)
  /// An object of one of several sorts: the first whose first member is there.
  case variants([Fields])
  /// An object whose sort is the value of one of its members.
  case sorts(of: Member, [Sort])
  /// A value of one of several kinds of JSON.
  case either([DialectShape])
  /// A part that is used in several places, or in itself.
  case definition(Definition)

  /// A member of an object.
  struct Member: Sendable {
    let name: String
    let shape: DialectShape
    let isRequired: Bool
    let comment: String

    init(_ name: String, _ shape: DialectShape, required isRequired: Bool = false, _ comment: String = "") {
      self.name = name
      self.shape = shape
      self.isRequired = isRequired
      self.comment = comment
    }
  }

  /// The members of an object, and names of which exactly one must be there.
  struct Fields: Sendable {
    let members: [Member]
    let oneOf: [String]

    init(_ members: [Member], oneOf: [String] = []) {
      self.members = members
      self.oneOf = oneOf
    }
  }

  /// What an object has besides the member that says its sort.
  struct Sort: Sendable {
    let values: [String]
    let fields: Fields

    init(_ values: [String], _ members: [Member] = []) {
      self.values = values
      fields = Fields(members)
    }
  }

  /// The parts with names.
  enum Definition: String, Sendable, CaseIterable {
    case call, continuation, templates, basic, body, answer, read, reads, expiry, expiries, condition, meaning
  }

  /// The most bytes of any text and name.
  static let maximumText = 4096
  /// The most bytes of a name of the author's.
  static let maximumName = 256
}
