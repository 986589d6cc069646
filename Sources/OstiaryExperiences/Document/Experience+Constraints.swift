extension Experience {
  /// What a value must be like. Lengths count Unicode code points.
  public struct Constraints: Sendable, Hashable {
    /// The fewest characters.
    public var minLength: Int?
    /// The most characters. No value is longer than ``Experience/Field/longestValue`` in any case.
    public var maxLength: Int?
    /// What the whole value must match.
    public var pattern: Pattern?
    /// The least number or the first day.
    public var minimum: Bound?
    /// The greatest number or the last day.
    public var maximum: Bound?
    /// The key of a field of the same flow that must have the same value.
    public var matches: String?

    /// Makes constraints.
    public init(
      minLength: Int? = nil, maxLength: Int? = nil, pattern: Pattern? = nil, minimum: Bound? = nil,
      maximum: Bound? = nil, matches: String? = nil
    ) {
      self.minLength = minLength
      self.maxLength = maxLength
      self.pattern = pattern
      self.minimum = minimum
      self.maximum = maximum
      self.matches = matches
    }

    /// An end of a range.
    public enum Bound: Sendable, Hashable {
      /// For a ``FieldKind/number``.
      case number(Double)
      /// For a ``FieldKind/date``.
      case day(CalendarDay)
    }
  }
}
