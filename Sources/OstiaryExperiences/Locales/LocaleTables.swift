// Made by Scripts/locales.py from CLDR 47 (PyPI's Babel 2.18.0) and CLDR 41 (Debian's unicode-cldr-core). Do not edit.

/// What CLDR says of locales.
enum LocaleTables {
  /// The scripts that are written from right to left.
  static let rightToLeft: Set<String> = [
    "Adlm", "Arab", "Aran", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Hatr", "Hebr", "Hung", "Khar", "Lydi",
    "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo", "Orkh", "Ougr", "Palm", "Phli", "Phlp",
    "Phnx", "Prti", "Rohg", "Samr", "Sarb", "Sogd", "Sogo", "Syrc", "Syre", "Syrj", "Syrn", "Thaa", "Yezi",
  ]

  /// `tag:parent`, where that is not found by taking the last subtag away.
  static let parents: StaticString = """
    en-150:en-001 en-AG:en-001 en-AI:en-001 en-AT:en-150 en-AU:en-001 en-BB:en-001 en-BE:en-150 en-BM:en-001 \
    en-BS:en-001 en-BW:en-001 en-BZ:en-001 en-CC:en-001 en-CH:en-150 en-CK:en-001 en-CM:en-001 en-CX:en-001 \
    en-CY:en-001 en-CZ:en-150 en-DE:en-150 en-DG:en-001 en-DK:en-150 en-DM:en-001 en-ER:en-001 en-ES:en-150 \
    en-FI:en-150 en-FJ:en-001 en-FK:en-001 en-FM:en-001 en-FR:en-150 en-GB:en-001 en-GD:en-001 en-GG:en-001 \
    en-GH:en-001 en-GI:en-001 en-GM:en-001 en-GS:en-001 en-GY:en-001 en-HK:en-001 en-HU:en-150 en-ID:en-001 \
    en-IE:en-001 en-IL:en-001 en-IM:en-001 en-IN:en-001 en-IO:en-001 en-IT:en-150 en-JE:en-001 en-JM:en-001 \
    en-KE:en-001 en-KI:en-001 en-KN:en-001 en-KY:en-001 en-LC:en-001 en-LR:en-001 en-LS:en-001 en-MG:en-001 \
    en-MO:en-001 en-MS:en-001 en-MT:en-001 en-MU:en-001 en-MV:en-001 en-MW:en-001 en-MY:en-001 en-NA:en-001 \
    en-NF:en-001 en-NG:en-001 en-NL:en-150 en-NO:en-150 en-NR:en-001 en-NU:en-001 en-NZ:en-001 en-PG:en-001 \
    en-PK:en-001 en-PL:en-150 en-PN:en-001 en-PT:en-150 en-PW:en-001 en-RO:en-150 en-RW:en-001 en-SB:en-001 \
    en-SC:en-001 en-SD:en-001 en-SE:en-150 en-SG:en-001 en-SH:en-001 en-SI:en-150 en-SK:en-150 en-SL:en-001 \
    en-SS:en-001 en-SX:en-001 en-SZ:en-001 en-TC:en-001 en-TK:en-001 en-TO:en-001 en-TT:en-001 en-TV:en-001 \
    en-TZ:en-001 en-UG:en-001 en-VC:en-001 en-VG:en-001 en-VU:en-001 en-WS:en-001 en-ZA:en-001 en-ZM:en-001 \
    en-ZW:en-001 es-AR:es-419 es-BO:es-419 es-BR:es-419 es-BZ:es-419 es-CL:es-419 es-CO:es-419 es-CR:es-419 \
    es-CU:es-419 es-DO:es-419 es-EC:es-419 es-GT:es-419 es-HN:es-419 es-JP:es-419 es-MX:es-419 es-NI:es-419 \
    es-PA:es-419 es-PE:es-419 es-PR:es-419 es-PY:es-419 es-SV:es-419 es-US:es-419 es-UY:es-419 es-VE:es-419 \
    hi-Latn:en-IN ht:fr-HT nb:no nn:no pt-AO:pt-PT pt-CH:pt-PT pt-CV:pt-PT pt-FR:pt-PT pt-GQ:pt-PT pt-GW:pt-PT \
    pt-LU:pt-PT pt-MO:pt-PT pt-MZ:pt-PT pt-ST:pt-PT pt-TL:pt-PT zh-Hant-MO:zh-Hant-HK
    """

  /// `tag:signs`: those of decimals and of groups with European digits; then the same and the zero of its own.
  static let numbers: StaticString = """
    af:,\u{A0} agq:,\u{A0} ar-BH:.,\u{66B}\u{66C}\u{660} ar-DJ:.,\u{66B}\u{66C}\u{660} ar-DZ:,. \
    ar-EG:.,\u{66B}\u{66C}\u{660} ar-ER:.,\u{66B}\u{66C}\u{660} ar-IL:.,\u{66B}\u{66C}\u{660} \
    ar-IQ:.,\u{66B}\u{66C}\u{660} ar-JO:.,\u{66B}\u{66C}\u{660} ar-KM:.,\u{66B}\u{66C}\u{660} \
    ar-KW:.,\u{66B}\u{66C}\u{660} ar-LB:,.\u{66B}\u{66C}\u{660} ar-LY:,. ar-MA:,. ar-MR:,.\u{66B}\u{66C}\u{660} \
    ar-OM:.,\u{66B}\u{66C}\u{660} ar-PS:.,\u{66B}\u{66C}\u{660} ar-QA:.,\u{66B}\u{66C}\u{660} \
    ar-SA:.,\u{66B}\u{66C}\u{660} ar-SD:.,\u{66B}\u{66C}\u{660} ar-SO:.,\u{66B}\u{66C}\u{660} \
    ar-SS:.,\u{66B}\u{66C}\u{660} ar-SY:.,\u{66B}\u{66C}\u{660} ar-TD:.,\u{66B}\u{66C}\u{660} ar-TN:,. \
    ar-YE:.,\u{66B}\u{66C}\u{660} as:.,.,\u{9E6} ast:,. az-Arab:.,\u{66B}\u{66C}\u{6F0} az-Latn:,. az:,. bas:,\u{A0} \
    be:,\u{A0} bg:,\u{A0} bgc:.,.,\u{966} bgn:\u{66B}\u{60C}\u{66B}\u{66C}\u{6F0} bho:.,.,\u{966} blo:,\u{A0} \
    bn:.,.,\u{9E6} br:,\u{A0} bs-Cyrl:,. bs-Latn:,. bs:,. ca:,. ccp:.,.,\u{11136} ckb:.,\u{66B}\u{66C}\u{660} \
    cs:,\u{A0} cv:,\u{A0} da:,. de-CH:.\u{2019} de-LI:.\u{2019} de:,. dje:.\u{A0} dsb:,. dua:,\u{A0} dyo:,\u{A0} \
    dz:.,.,\u{F20} el:,. en-AT:,. en-BE:,. en-CH:.\u{2019} en-CZ:,\u{A0} en-DE:,. en-DK:,. en-ES:,. en-FI:,\u{A0} \
    en-FR:,\u{202F} en-HU:,\u{A0} en-ID:,. en-IT:,. en-NL:,. en-NO:,\u{A0} en-PL:,. en-PT:,\u{A0} en-RO:,. \
    en-SE:,\u{A0} en-SI:,. en-SK:,\u{A0} en-ZA:,\u{A0} eo:,\u{A0} es-419:., es-AR:,. es-BO:,. es-CL:,. es-CO:,. \
    es-CR:,\u{A0} es-EC:,. es-PY:,. es-UY:,. es-VE:,. es:,. et:,\u{A0} eu:,. ewo:,\u{A0} fa:.,\u{66B}\u{66C}\u{6F0} \
    ff-Adlm:.\u{2E41}.\u{2E41}\u{1E950} ff-Latn:,\u{A0} ff:,\u{A0} fi:,\u{A0} fo:,. fr-CA:,\u{A0} fr-LU:,. \
    fr:,\u{202F} fy:,. gl:,. gsw:.\u{2019} hnj-Hmnp:.,.,\u{1E140} hnj:.,.,\u{1E140} hr:,. hsb:,. ht:,\u{A0} \
    hu:,\u{A0} hy:,\u{A0} ia:,. id:,. ie:,\u{A0} is:,. it-CH:.\u{2019} it:,. jgo:,. jv:,. ka:,\u{A0} kab:,\u{A0} \
    kea:,\u{A0} kgp:,. khq:.\u{A0} kk-Cyrl:,\u{A0} kk:,\u{A0} kkj:,. kl:,. ks-Arab:.\u{60C}\u{66B}\u{66C}\u{6F0} \
    ks:.\u{60C}\u{66B}\u{66C}\u{6F0} ksf:,\u{A0} ku:,. ky:,\u{A0} lb:,. lij:,. lld:,. ln:,. lo:,. \
    lrc:.,\u{66B}\u{66C}\u{6F0} lt:,\u{A0} lu:,. lv:,\u{A0} mfe:.\u{A0} mgh:,. mk:,. mni-Beng:.,.,\u{9E6} \
    mni-Mtei:.,.,\u{ABF0} mni:.,.,\u{9E6} mr:.,.,\u{966} ms-Arab-BN:,. ms-BN:,. ms-ID:,. mua:,. my:.,.,\u{1040} \
    mzn:.,\u{66B}\u{66C}\u{6F0} ne:.,.,\u{966} nl:,. nmg:,\u{A0} nnh:,. no:,\u{A0} nqo:.\u{60C}.\u{60C}\u{7C0} \
    nr:,\u{A0} nso:.\u{A0} pa-Arab:.,\u{66B}\u{66C}\u{6F0} pl:,\u{A0} ps:,.\u{66B}\u{66C}\u{6F0} pt-PT:,\u{A0} pt:,. \
    qu-BO:,. raj:.,.,\u{966} rm:.\u{2019} rn:,. ro:,. ru:,\u{A0} rw:,. sa:.,.,\u{966} sah:,\u{A0} \
    sat-Deva:.,.,\u{966} sat-Olck:.,.,\u{1C50} sat:.,.,\u{1C50} sc:,. sd-Arab:.,\u{66B}\u{66C}\u{660} \
    sd:.,\u{66B}\u{66C}\u{660} sdh:.,\u{66B}\u{66C}\u{660} se:,\u{A0} seh:,. ses:.\u{A0} sg:,. shi-Latn:,\u{A0} \
    shi-Tfng:,\u{A0} shi:,\u{A0} sk:,\u{A0} sl:,. smn:,\u{A0} sq:,\u{A0} sr-Cyrl:,. sr-Latn:,. sr:,. ss:,\u{A0} \
    su-Latn:,. su:,. sv:,\u{A0} sw-CD:,. tg:,\u{A0} tk:,\u{A0} tn:.\u{2019} tok:,\u{A0} tr:,. ts:,\u{A0} tt:,\u{A0} \
    twq:.\u{A0} tzm:,\u{A0} uk:,\u{A0} ur-IN:.,\u{66B}\u{66C}\u{6F0} uz-Arab:,.\u{66B}\u{66C}\u{6F0} uz-Cyrl:,\u{A0} \
    uz-Latn:,\u{A0} uz:,\u{A0} ve:,\u{A0} vec:,\u{202F} vi:,. wo:,. xh:.\u{A0} yav:,\u{A0} yrl:,. zgh:,\u{A0}
    """
}
