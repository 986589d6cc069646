public import Foundation

/// https://developer.apple.com/documentation/swiftui/color
public struct Color: ShapeStyle, Hashable, Sendable {
  public init(
    _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
  ) {}

  public enum RGBColorSpace: Hashable, Sendable {
    case sRGB
    case sRGBLinear
    case displayP3
  }

  public static let red = Self(red: 1, green: 0, blue: 0)
  public static let white = Self(red: 1, green: 1, blue: 1)
  public static let clear = Self(red: 0, green: 0, blue: 0, opacity: 0)
  public static let secondary = Self(red: 0, green: 0, blue: 0)
  public static let accentColor = Self(red: 0, green: 0, blue: 0)
}

extension Color: View {
  public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/shapestyle
public protocol ShapeStyle: Sendable {}

/// https://developer.apple.com/documentation/swiftui/anyshapestyle
public struct AnyShapeStyle: ShapeStyle {
  public init<S: ShapeStyle>(_ style: S) {}
}

/// https://developer.apple.com/documentation/swiftui/backgroundstyle
public struct BackgroundStyle: ShapeStyle {}

extension ShapeStyle where Self == BackgroundStyle {
  /// https://developer.apple.com/documentation/swiftui/shapestyle
  public static var background: BackgroundStyle { BackgroundStyle() }
}

/// https://developer.apple.com/documentation/swiftui/shape
public protocol Shape: View, Sendable {}

extension Shape {
  public nonisolated func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View { Opaque() }
}

/// https://developer.apple.com/documentation/swiftui/insettableshape
public protocol InsettableShape: Shape {}

/// https://developer.apple.com/documentation/swiftui/roundedrectangle
public struct RoundedRectangle: InsettableShape {
  public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
  public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/roundedcornerstyle
public enum RoundedCornerStyle: Sendable {
  case circular
  case continuous
}

/// https://developer.apple.com/documentation/swiftui/fillstyle
public struct FillStyle: Equatable, Sendable {
  public init() {}
}
