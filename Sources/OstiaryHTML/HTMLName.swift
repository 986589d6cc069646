internal import OstiaryCore

/// The name of an element in lower case, as a number: a page has very many, and each is compared with all that matter.
struct HTMLName: Hashable {
  /// The name's bytes, the last one lowest.
  private let packed: UInt64

  private init(_ packed: UInt64) { self.packed = packed }

  /// Names of more than eight bytes are all the same, as none of them matters here.
  init(_ bytes: ArraySlice<UInt8>) {
    var packed: UInt64 = bytes.count <= 8 ? 0 : .max
    if packed == 0 {
      for byte in bytes { packed = packed << 8 | UInt64(ASCII.lowercased(byte)) }
    }
    self.packed = packed
  }

  static var base: HTMLName { HTMLName(0x62_61_73_65) }
  static var br: HTMLName { HTMLName(0x62_72) }
  static var button: HTMLName { HTMLName(0x62_75_74_74_6F_6E) }
  static var div: HTMLName { HTMLName(0x64_69_76) }
  static var fieldset: HTMLName { HTMLName(0x66_69_65_6C_64_73_65_74) }
  static var form: HTMLName { HTMLName(0x66_6F_72_6D) }
  static var input: HTMLName { HTMLName(0x69_6E_70_75_74) }
  static var legend: HTMLName { HTMLName(0x6C_65_67_65_6E_64) }
  static var li: HTMLName { HTMLName(0x6C_69) }
  static var meta: HTMLName { HTMLName(0x6D_65_74_61) }
  static var optgroup: HTMLName { HTMLName(0x6F_70_74_67_72_6F_75_70) }
  static var option: HTMLName { HTMLName(0x6F_70_74_69_6F_6E) }
  static var p: HTMLName { HTMLName(0x70) }
  static var select: HTMLName { HTMLName(0x73_65_6C_65_63_74) }
  static var template: HTMLName { HTMLName(0x74_65_6D_70_6C_61_74_65) }
  static var textarea: HTMLName { HTMLName(0x74_65_78_74_61_72_65_61) }
  static var title: HTMLName { HTMLName(0x74_69_74_6C_65) }

  /// Whether elements of this name have no content and no end tag: area, base, br, col, embed, hr, img, input, link, meta, source, track and wbr.
  var isVoid: Bool {
    switch packed {
    case 0x61_72_65_61, 0x62_61_73_65, 0x62_72, 0x63_6F_6C,
      0x65_6D_62_65_64, 0x68_72, 0x69_6D_67, 0x69_6E_70_75_74,
      0x6C_69_6E_6B, 0x6D_65_74_61, 0x73_6F_75_72_63_65, 0x74_72_61_63_6B,
      0x77_62_72:
      true
    default: false
    }
  }

  /// Whether the content of such an element is text up to its own end tag: script, style, textarea, title, xmp, iframe, noembed and noframes.
  var isRaw: Bool {
    switch packed {
    case 0x73_63_72_69_70_74, 0x73_74_79_6C_65, 0x74_65_78_74_61_72_65_61, 0x74_69_74_6C_65,
      0x78_6D_70, 0x69_66_72_61_6D_65, 0x6E_6F_65_6D_62_65_64, 0x6E_6F_66_72_61_6D_65_73:
      true
    default: false
    }
  }

  /// Whether an element of this name says something of forms: button, fieldset, form, input, legend, optgroup, option, select, template or textarea.
  var isOfForms: Bool {
    switch packed {
    case 0x62_75_74_74_6F_6E, 0x66_69_65_6C_64_73_65_74, 0x66_6F_72_6D, 0x69_6E_70_75_74,
      0x6C_65_67_65_6E_64, 0x6F_70_74_67_72_6F_75_70, 0x6F_70_74_69_6F_6E, 0x73_65_6C_65_63_74,
      0x74_65_6D_70_6C_61_74_65, 0x74_65_78_74_61_72_65_61:
      true
    default: false
    }
  }

  /// The bytes of the name.
  var bytes: [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: packed >> UInt64($0 * 8)) }.drop { $0 == 0 }.map { $0 }
  }
}
