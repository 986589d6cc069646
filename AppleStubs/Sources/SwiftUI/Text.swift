/// https://developer.apple.com/documentation/swiftui/text
public struct Text: Equatable, Sendable {
  public init<S: StringProtocol>(_ content: S) {}
  public func font(_ font: Font?) -> Text { self }
  public func foregroundColor(_ color: Color?) -> Text { self }

  public struct LineStyle: Hashable, Sendable {
    public struct Pattern: Sendable {
      public static let solid = Self()
    }
  }
}

/// https://developer.apple.com/documentation/swiftui/font
public struct Font: Hashable, Sendable {
  public static let title = Self()
  public static let footnote = Self()
}

extension Text: View {
  public var body: Never { fatalError() }
}
