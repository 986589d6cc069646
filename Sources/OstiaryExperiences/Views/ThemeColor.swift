internal import Foundation

/// A colour of the sRGB space.
public struct ThemeColor: Sendable, Hashable {
  /// 0…1
  public let red: Double
  /// 0…1
  public let green: Double
  /// 0…1
  public let blue: Double

  /// Makes a colour. Parts beyond 0…1 are cut; a part that is no number is 0.
  public init(red: Double, green: Double, blue: Double) {
    func part(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
    (self.red, self.green, self.blue) = (part(red), part(green), part(blue))
  }

  /// Reads `#1d4f91` or `#14f`, as CSS writes a colour; `nil` for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "#"), bytes.count == 7 || bytes.count == 4 else { return nil }
    let digits = bytes.dropFirst().compactMap { byte -> Double? in
      switch byte {
      case 48...57: Double(byte - 48)
      case 65...70: Double(byte - 55)
      case 97...102: Double(byte - 87)
      default: nil
      }
    }
    guard digits.count == bytes.count - 1 else { return nil }
    let parts =
      digits.count == 3 ? digits.map { $0 * 17 } : [0, 2, 4].map { digits[$0] * 16 + digits[$0 + 1] }
    self.init(red: parts[0] / 255, green: parts[1] / 255, blue: parts[2] / 255)
  }

  /// Black.
  public static let black = ThemeColor(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = ThemeColor(red: 1, green: 1, blue: 1)

  /// The contrast ratio with another colour, 1…21 (WCAG 2.2, definition of contrast ratio). Text needs 4.5.
  public func contrast(with other: ThemeColor) -> Double {
    let (first, second) = (luminance, other.luminance)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// Black or white, whichever can be read better on this colour.
  public var ink: ThemeColor {
    contrast(with: .white) >= contrast(with: .black) ? .white : .black
  }

  /// WCAG 2.2, definition of relative luminance.
  private var luminance: Double {
    func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
