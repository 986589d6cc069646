// Made by Scripts/locales.py from CLDR 47 (PyPI's Babel 2.18.0). Do not edit.

extension LikelySubtags {
  /// `tag:script:region` of other languages; nothing is `Latn`, or what the tag names.
  static let knownLanguages: StaticString = """
    aa::ET aaf:Mlym:IN aao:Arab:DZ aat:Grek:GR ab:Cyrl:GE abh:Arab:TJ abl:Rjng:ID abv:Arab:BH acm:Arab:IQ \
    acq:Arab:YE acw:Arab:SA acx:Arab:OM adf:Arab:OM adx:Tibt:CN ady:Cyrl:RU ae:Avst:IR aeb:Arab:TN aec:Arab:EG \
    aee:Arab:AF aeq:Arab:PK af::ZA afb:Arab:KW agi:Deva:IN agj:Ethi:ET agx:Cyrl:RU ahg:Ethi:ET aho:Ahom:IN \
    ahr:Deva:IN aib:Arab:CN aii:Syrc:IQ aij:Hebr:IL ain:Kana:JP aio:Mymr:IN aiq:Arab:AF ak::GH akk:Xsux:IQ \
    akv:Cyrl:RU alk:Laoo:LA all:Mlym:IN alr:Cyrl:RU alt:Cyrl:RU alw:Ethi:ET am:Ethi:ET ams:Jpan:JP amw:Syrc:SY \
    an::ES ani:Cyrl:RU anp:Deva:IN anq:Deva:IN anr:Deva:IN anu:Ethi:ET aot:Beng:BD apc:Arab:SY apd:Arab:SD \
    aph:Deva:NP aqc:Cyrl:RU ar:Arab:EG arc-Hatr::IQ arc-Nbat::JO arc-Palm::SY arc:Armi:IR arq:Arab:DZ ars:Arab:SA \
    ary:Arab:MA arz:Arab:EG as:Beng:IN ase:Sgnw:US ask:Arab:AF asr:Deva:IN atn:Arab:IR atv:Cyrl:RU auj:Arab:LY \
    auz:Arab:UZ av:Cyrl:RU avd:Arab:IR avk::001 avl:Arab:EG awa:Deva:IN awn:Ethi:ET axm:Armn:AM ay::BO ayh:Arab:YE \
    ayl:Arab:LY ayn:Arab:YE ayp:Arab:IQ az-Arab::IR az-IQ:Arab: az-IR:Arab: az-RU:Cyrl: az::AZ azb:Arab:IR \
    ba:Cyrl:RU bal:Arab:PK bap-Krai::IN bap:Deva:NP bax:Bamu:CM bbl:Geor:GE bcq:Ethi:ET bdv:Orya:IN bdz:Arab:PK \
    be:Cyrl:BY bee:Deva:IN bej:Arab:SD bfb:Deva:IN bfq:Taml:IN bft:Arab:PK bfu:Tibt:IN bfw:Orya:IN bfy:Deva:IN \
    bfz:Deva:IN bg:Cyrl:BG bgc:Deva:IN bgd:Deva:IN bgn:Arab:PK bgp:Arab:PK bgq:Deva:IN bgw:Deva:IN bgx:Grek:TR \
    bha:Deva:IN bhb:Deva:IN bhd:Deva:IN bhe:Arab:PK bhh:Cyrl:IL bhi:Deva:IN bhj:Deva:NP bhm:Arab:OM bhn:Syrc:GE \
    bho:Deva:IN bht:Deva:IN bhu:Deva:IN bi::VU biy:Deva:IN bjf:Syrc:IL bjj:Deva:IN bjm:Arab:IQ bkk:Tibt:IN \
    blk:Mymr:MM blt:Tavt:VN bm::ML bmj:Deva:NP bn:Beng:BD bns:Deva:IN bo:Tibt:CN bph:Cyrl:RU bpx:Deva:IN bpy:Beng:IN \
    bqi:Arab:IR br::FR bra:Deva:IN brb:Khmr:KH brd:Deva:NP brh:Arab:PK brk:Arab:SD bro:Tibt:BT brv:Laoo:LA \
    brw:Knda:IN brx:Deva:IN bs::BA bsh:Arab:AF bsk:Arab:PK bsq:Bass:LR bst:Ethi:ET btd:Batk:ID btm:Batk:ID \
    btv:Deva:PK bua:Cyrl:RU bwe:Mymr:MM bxm:Cyrl:MN bxu:Mong:CN byh:Deva:NP byn:Ethi:ER byw:Deva:NP bzi:Thai:TH \
    bzt::001 ca::ES cbn:Thai:TH ccp:Cakm:BD cde:Telu:IN cdh:Deva:IN cdi:Gujr:IN cdj:Deva:IN cdm:Deva:NP cdo:Hans:CN \
    cdz:Beng:IN ce:Cyrl:RU cgk:Tibt:BT ch::GU chg:Arab:TM chm:Cyrl:RU chr:Cher:US chx:Deva:NP cih:Deva:IN \
    cja:Arab:KH cji:Cyrl:RU cjm:Cham:VN cjy:Hans:CN ckb:Arab:IQ ckt:Cyrl:RU clh:Arab:PK clw:Cyrl:RU cmg:Soyo:MN \
    cna:Tibt:IN cnp:Hans:CN co::FR cog:Thai:TH cop:Copt:EG cpg:Grek:GR cr:Cans:CA crh:Cyrl:UA crj:Cans:CA \
    crk:Cans:CA crl:Cans:CA crm:Cans:CA cs::CZ csh:Mymr:MM csp:Hans:CN csw:Cans:CA ctd:Pauc:MM ctg:Beng:BD \
    ctn:Deva:NP ctt:Taml:IN cty:Taml:IN cu-Glag::BG cu:Cyrl:RU cuu:Lana:CN cv:Cyrl:RU cy::GB czh:Hans:CN czk:Hebr:CZ \
    da::DK daq:Deva:IN dar:Cyrl:RU dcc:Arab:IN ddo:Cyrl:RU de::DE def:Arab:IR deh:Arab:PK der:Beng:IN dgl:Arab:SD \
    dhi:Deva:NP dhn:Gujr:IN dho:Deva:IN dhw:Deva:NP dka:Tibt:BT dlg:Cyrl:RU dmf:Medf:NG dmk:Arab:PK dml:Arab:PK \
    dng:Cyrl:KG dnu:Mymr:MM dnv:Mymr:MM doi:Deva:IN dox:Ethi:ET dre:Tibt:NP drq:Deva:NP drs:Ethi:ET dry:Deva:NP \
    dso:Orya:IN dty:Deva:NP dub:Gujr:IN duh:Deva:IN dus:Deva:NP dv:Thaa:MV dwk:Orya:IN dws::001 dwz:Deva:NP \
    dz:Tibt:BT dzl:Tibt:BT ecr:Grek:GR ecy:Cprt:CY ee::GH egy:Egyp:EG eky:Kali:MM el:Grek:GR emg:Deva:NP emu:Deva:IN \
    en-Shaw::GB en::US enf:Cyrl:RU enh:Cyrl:RU eo::001 era:Taml:IN es::ES esg:Gonm:IN esh:Arab:IR et::EE ett:Ital:IT \
    eu::ES eve:Cyrl:RU evn:Cyrl:RU fa:Arab:IR fay:Arab:IR faz:Arab:IR ff-Adlm::GN ff::SN fi::FI fia:Arab:SD fj::FJ \
    fmu:Deva:IN fo::FO fr::FR fub:Arab:CM fy::NL ga::IE gan:Hans:CN gaq:Orya:IN gas:Gujr:IN gau:Telu:IN gbj:Orya:IN \
    gbk:Deva:IN gbl:Gujr:IN gbm:Deva:IN gbz:Arab:IR gd::GB gdb:Orya:IN gdo:Cyrl:RU gdx:Deva:IN gez:Ethi:ET \
    ggg:Arab:PK gha:Arab:LY ghe:Deva:NP gho:Tfng:MA ghr:Arab:PK ght:Tibt:NP gig:Arab:PK gin:Cyrl:RU gjk:Arab:PK \
    gju:Arab:PK gl::ES gld:Cyrl:RU glh:Arab:AF glk:Arab:IR gml:Latf:DE gmv:Ethi:ET gmy:Linb:GR gn::PY goe:Tibt:BT \
    gof:Ethi:ET goj:Deva:IN gok:Deva:IN gon:Deva:IN got:Goth:UA gra:Deva:IN grc:Grek:GR grt:Beng:IN gru:Ethi:ET \
    gu:Gujr:IN gv::IM gvr:Deva:NP gwc:Arab:PK gwf:Arab:PK gwt:Arab:AF gyo:Deva:NP gzi:Arab:IR ha-CM:Arab: \
    ha-SD:Arab: ha::NG hac:Arab:IR hak-Hant::TW hak-TW:Hant: hak:Hans:CN har:Ethi:ET haz:Arab:AF hbo:Hebr:IL \
    hdy:Ethi:ET he:Hebr:IL hi:Deva:IN hif:Deva:FJ hii:Takr:IN hit:Xsux:TR hkh:Arab:IN hlb:Deva:IN hlu:Hluw:TR \
    hmd:Plrd:CN hmj:Bopo:CN hmq:Bopo:CN hnd:Arab:PK hne:Deva:IN hnj-Hmng::LA hnj:Hmnp:US hno:Arab:PK ho::PG \
    hoc:Deva:IN hoh:Arab:OM hoj:Deva:IN how:Hani:CN hoy:Deva:IN hpo:Mymr:MM hr::HR hrt:Syrc:TR hrz:Arab:IR \
    hsn:Hans:CN hss:Arab:OM ht::HT htx:Xsux:TR hu::HU hut:Deva:NP huy:Hebr:IL huz:Cyrl:RU hy:Armn:AM hyw:Armn:AM \
    hz::NA ia::001 id::ID ie::EE ig::NG igs::001 ii:Yiii:CN ik::US imy:Lyci:TR in::ID inh:Cyrl:RU int:Mymr:MM \
    io::001 ior:Ethi:ET iru:Taml:IN is::IS isk:Arab:AF it::IT itk:Hebr:IT itl:Cyrl:RU iu:Cans:CA iw:Hebr:IL \
    ja:Jpan:JP jad:Arab:GN jat:Arab:AF jbe:Hebr:IL jbn:Arab:LY jbo::001 jct:Cyrl:UA jda:Tibt:IN jdg:Arab:PK \
    jdt:Cyrl:RU jee:Deva:NP jge:Geor:GE ji:Hebr:UA jje:Hang:KR jkm:Mymr:MM jml:Deva:NP jna:Takr:IN jnd:Arab:PK \
    jnl:Deva:IN jns:Deva:IN jog:Arab:PK jpa:Hebr:PS jpr:Hebr:IL jrb:Hebr:IL jul:Deva:NP jun:Orya:IN juy:Orya:IN \
    jv::ID jw::ID jya:Tibt:CN jye:Hebr:IL ka:Geor:GE kaa:Cyrl:UZ kap:Cyrl:RU kaw:Bali:ID kbd:Cyrl:RU kbg:Tibt:IN \
    kbu:Arab:PK kby:Arab:NE kca:Cyrl:RU kcy:Arab:DZ kdq:Beng:IN kdt:Thai:TH ket:Cyrl:RU kev:Mlym:IN kex:Deva:IN \
    key:Telu:IN kfa:Knda:IN kfb:Deva:IN kfc:Telu:IN kfd:Knda:IN kfe:Taml:IN kfg:Knda:IN kfh:Mlym:IN kfi:Taml:IN \
    kfk:Deva:IN kfm:Arab:IR kfp:Deva:IN kfq:Deva:IN kfr:Deva:IN kfs:Deva:IN kfu:Deva:IN kfx:Deva:IN kfy:Deva:IN \
    kg::CD kgj:Deva:NP kgy:Deva:NP khb:Talu:CN khf:Thai:LA khg:Tibt:CN khn:Deva:IN kho:Brah:IR kht:Mymr:IN \
    khv:Cyrl:RU khw:Arab:PK ki::KE kif:Deva:NP kim:Cyrl:RU kip:Deva:NP kj::NA kjg:Laoo:LA kjh:Cyrl:RU kjl:Deva:NP \
    kjo:Deva:IN kjp:Mymr:MM kjt:Thai:TH kjz:Tibt:BT kk-AF:Arab: kk-Arab::CN kk-CN:Arab: kk-IR:Arab: kk-MN:Arab: \
    kk:Cyrl:KZ kkf:Tibt:IN kkh:Lana:MM kkt:Deva:NP kl::GL kle:Deva:NP klj:Arab:IR klr:Deva:NP km:Khmr:KH kmj:Deva:IN \
    kmz:Arab:IR kn:Knda:IN knn:Deva:IN ko:Kore:KR koi:Cyrl:RU kok:Deva:IN kpt:Cyrl:RU kpy:Cyrl:RU kqd:Syrc:IQ \
    kqy:Ethi:ET kr::NG kra:Deva:NP krc:Cyrl:RU krk:Cyrl:RU krr:Khmr:KH kru:Deva:IN krv:Khmr:KH ks:Arab:IN \
    ksu:Mymr:IN ksw:Mymr:MM ksz:Deva:IN ktb:Ethi:ET kte:Deva:NP ktl:Arab:IR ktp:Plrd:CN ku-Arab::IQ ku-LB:Arab: \
    ku-Yezi::GE ku::TR kuf:Laoo:LA kum:Cyrl:RU kv:Cyrl:RU kva:Cyrl:RU kvq:Mymr:MM kvt:Mymr:MM kvx:Arab:PK \
    kvy:Kali:MM kw::GB kxf:Mymr:MM kxk:Mymr:MM kxm:Thai:TH kxp:Arab:PK ky-Arab::CN ky-CN:Arab: ky-Latn::TR ky-TR:: \
    ky:Cyrl:KG kyu:Kali:MM kyv:Deva:NP kyw:Deva:IN la::VA lab:Lina:GR lad:Hebr:IL lae:Deva:IN lah:Arab:PK lb::LU \
    lbe:Cyrl:RU lbf:Deva:IN lbj:Tibt:IN lbm:Deva:IN lbo:Laoo:LA lbr:Deva:NP lcp:Thai:CN ldn::001 lep:Lepc:IN \
    lez:Cyrl:RU lfn::001 lg::UG lhm:Deva:NP lhs:Syrc:SY li::NL lif-Limb::IN lif:Deva:NP lis:Lisu:CN lkh:Tibt:BT \
    lki:Arab:IR lmh:Deva:NP lmn:Telu:IN ln::CD lo:Laoo:LA loy:Deva:NP lpo:Plrd:CN lrc:Arab:IR lrk:Arab:PK \
    lrl:Arab:IR lsa:Arab:IR lsd:Hebr:IL lss:Arab:PK lt::LT ltc:Hant:CN lu::CD luk:Tibt:BT luu:Deva:NP luv:Arab:OM \
    luz:Arab:IR lv::LV lwl:Thai:TH lwm:Thai:CN lya:Tibt:BT lzh:Hans:CN lzz-GE:Geor: lzz-Geor::GE mag:Deva:IN \
    mai:Deva:IN man-Nkoo::GN mby:Arab:PK mde:Arab:TD mdf:Cyrl:RU mdx:Ethi:ET mdy:Ethi:ET mfa:Arab:TH mfi:Arab:CM \
    mg::MG mga:Latg:IE mgp:Deva:NP mh::MH mhj:Arab:AF mi::NZ mid:Mand:IQ mjl:Deva:IN mjq:Mlym:IN mjr:Mlym:IN \
    mjt:Deva:IN mju:Telu:IN mjv:Mlym:IN mjz:Deva:NP mk:Cyrl:MK mkb:Deva:IN mke:Deva:IN mki:Arab:PK mkm:Thai:TH \
    ml:Mlym:IN mlf:Thai:LA mn-CN:Mong: mn-Mong::CN mn:Cyrl:MN mnc:Mong:CN mni:Beng:IN mnj:Arab:AF mns:Cyrl:RU \
    mnw:Mymr:MM mo::RO mpz:Thai:TH mr:Deva:IN mra:Thai:TH mrd:Deva:NP mrj:Cyrl:RU mro:Mroo:BD mrr:Deva:IN \
    ms-CC:Arab: ms::MY mt::MT mtm:Cyrl:RU mtr:Deva:IN mud:Cyrl:RU muk:Tibt:NP mut:Deva:IN muv:Taml:IN muz:Ethi:ET \
    mve:Arab:PK mvf:Mong:CN mvy:Arab:PK mvz:Ethi:ET mwr:Deva:IN mwt:Mymr:MM mww:Hmnp:US my:Mymr:MM mym:Ethi:ET \
    myv:Cyrl:RU myz:Mand:IR mzn:Arab:IR na::NR nan-Hant::TW nan-TW:Hant: nan:Hans:CN nao:Deva:NP nb::NO ncd:Deva:NP \
    ncq:Laoo:LA nd::ZW ndf:Cyrl:RU ne:Deva:NP neg:Cyrl:RU neh:Tibt:BT nei:Xsux:TR neu::001 new:Deva:NP ng::NA \
    ngt:Laoo:LA nio:Cyrl:RU nit:Telu:IN niv:Cyrl:RU nl::NL nli:Arab:AF nlm:Arab:PK nlx:Deva:IN nmm:Deva:NP nn::NO \
    nnp:Wcho:IN no::NO nod:Lana:TH noe:Deva:IN nog:Cyrl:RU noi:Deva:IN non:Runr:SE nos:Yiii:CN nov::001 npb:Tibt:BT \
    nqo:Nkoo:GN nr::ZA nrn:Runr:GB nsd:Yiii:CN nsf:Yiii:CN nsk:Cans:CA nst:Tnsa:IN nsv:Yiii:CN nty:Yiii:VN \
    ntz:Arab:IR nv::US nwc:Newa:NP nwx:Deva:NP ny::MW nyl:Thai:TH nyq:Arab:IR nyw:Thai:TH oaa:Cyrl:RU oac:Cyrl:RU \
    oar:Syrc:SY oav:Geor:GE obm:Phnx:JO obr:Mymr:MM oc::FR odk:Arab:PK oht:Xsux:TR oj:Cans:CA ojs:Cans:CA \
    okm:Hang:KR oko:Hani:KR okz:Khmr:KH ola:Deva:NP ole:Tibt:BT om::ET omk:Cyrl:RU omp:Mtei:IN omr:Modi:IN \
    omx:Mymr:MM oon:Deva:IN or:Orya:IN ort:Telu:IN oru:Arab:PK orv:Cyrl:RU os:Cyrl:GE osa:Osge:US osc:Ital:IT \
    osi:Java:ID ota:Arab:TR otb:Tibt:CN otk:Orkh:MN oty:Gran:IN oui:Ougr:CN pa-Arab::PK pa-PK:Arab: pa:Guru:IN \
    pal-Phlp::CN pal:Phli:IR paq:Cyrl:TJ pbt:Arab:AF pcb:Khmr:KH pce:Mymr:MM pcf:Mlym:IN pcg:Mlym:IN pch:Deva:IN \
    pci:Deva:IN pcj:Telu:IN peg:Orya:IN peo:Xpeo:IR pgd:Khar:PK pgg:Deva:IN pgl:Ogam:IE pgn:Ital:IT phd:Deva:IN \
    phk:Mymr:IN phl:Arab:PK phn:Phnx:LB pho:Laoo:LA phr:Arab:PK pht:Thai:TH phu:Thai:TH phv:Arab:AF phw:Deva:NP \
    pi:Sinh:IN pka:Brah:IN pkr:Mlym:IN pl::PL plk:Arab:PK pll:Mymr:MM pmh:Brah:IN pnt-Cyrl::RU pnt-Latn::TR \
    pnt-RU:Cyrl: pnt-TR:: pnt:Grek:GR pra:Khar:PK prc:Arab:AF prd:Arab:IR prt:Thai:TH prx:Arab:IN ps:Arab:AF \
    psh:Arab:AF psi:Arab:AF pst:Arab:PK psu:Brah:IN pt::BR pum:Deva:NP pwo:Mymr:MM pwr:Deva:IN pww:Thai:TH \
    pyx:Mymr:MM qu::PE qxq:Arab:IR qya::001 raa:Deva:NP rab:Deva:NP raf:Deva:NP rah:Beng:IN raj:Deva:IN rav:Deva:NP \
    rbb:Mymr:MM rdb:Arab:IR rei:Orya:IN rhg:Rohg:MM rji:Deva:NP rjs:Deva:NP rka:Khmr:KH rki:Mymr:MM rkt:Beng:BD \
    rm::CH rmi:Armn:AM rmt:Arab:IR rmz:Mymr:IN rn::BI ro::RO rsk:Cyrl:RS rtw:Deva:IN ru:Cyrl:RU rue:Cyrl:UA \
    rut:Cyrl:RU rw::RW rwr:Deva:IN ryu:Kana:JP sa:Deva:IN sah:Cyrl:RU sam:Samr:PS sat:Olck:IN saz:Saur:IN \
    sbn:Arab:PK sbu:Tibt:IN sc::IT sck:Deva:IN scl:Arab:PK scp:Deva:NP sct:Laoo:LA scu:Takr:IN scx:Grek:IT \
    sd-Deva::IN sd-IN:Deva: sd-Khoj::IN sd-Sind::IN sd:Arab:PK sdb:Arab:IQ sdf:Arab:IQ sdg:Arab:AF sdh:Arab:IR \
    sdr:Beng:BD sds:Arab:TN se::NO sel:Cyrl:RU sfm:Plrd:CN sg::CF sgh:Cyrl:TJ sgj:Deva:IN sgr:Arab:IR sgt:Tibt:BT \
    sgw:Ethi:ET sgy:Arab:AF shd:Arab:PK shi:Tfng:MA shm:Arab:IR shn:Mymr:MM shu:Arab:TD shv:Arab:OM si:Sinh:LK \
    sia:Cyrl:RU sip:Tibt:IN siy:Arab:IR siz:Arab:EG sjd:Cyrl:RU sjp:Deva:IN sjt:Cyrl:RU sk::SK skb:Thai:TH \
    skj:Deva:NP skr:Arab:PK sl::SI sm::WS smh:Yiii:CN smp:Samr:IL smu:Khmr:KH smy:Arab:IR sn::ZW so::SO soa:Tavt:TH \
    sog:Sogd:UZ soi:Deva:NP sou:Thai:TH spt:Tibt:IN spv:Orya:IN sq::AL sqo:Arab:IR sqq:Laoo:LA sqt:Arab:YE sr-ME:: \
    sr-RO:: sr-TR:: sr:Cyrl:RS srb:Sora:IN srh:Arab:CN srx:Deva:IN srz:Arab:IR ss::ZA ssh:Arab:AE sss:Laoo:LA st::ZA \
    sts:Arab:AF stv:Ethi:ET sty:Cyrl:RU su::ID suz:Sunu:NP sv::SE sva:Geor:GE sw::TZ swb:Arab:YT swi:Hani:CN \
    swv:Deva:IN sxu:Runr:DE syc:Syrc:TR syl:Beng:BD syn:Syrc:IR syr:Syrc:IQ syw:Deva:NP ta:Taml:IN tab:Cyrl:RU \
    taj:Deva:NP tbk:Tagb:PH tcn:Tibt:NP tco:Mymr:MM tcx:Taml:IN tcy:Knda:IN tda:Tfng:NE tdb:Deva:IN tdd:Tale:CN \
    tdg:Deva:NP tdh:Deva:NP te:Telu:IN tes:Java:ID tg-Arab::PK tg-PK:Arab: tg:Cyrl:TJ tge:Deva:NP tgf:Tibt:BT \
    th:Thai:TH the:Deva:NP thf:Deva:NP thi:Tale:LA thl:Deva:NP thm:Thai:TH thq:Deva:NP thr:Deva:NP ths:Deva:NP \
    ti:Ethi:ET tig:Ethi:ER tij:Deva:NP tin:Cyrl:RU tjl:Mymr:MM tjo:Arab:DZ tk::TM tkb:Deva:IN tks:Arab:IR \
    tkt:Deva:NP tl::PH tmr:Syrc:IL tn::ZA tnv:Cakm:BD to::TO tok::001 tov:Arab:IR tpu:Khmr:KH tr::TR tra:Arab:AF \
    trg:Hebr:IL trm:Arab:AF trw:Arab:PK ts::ZA tsd:Grek:GR tsj:Tibt:BT tt:Cyrl:RU tth:Laoo:LA tto:Laoo:LA \
    tts:Thai:TH ttz:Deva:NP tvn:Mymr:MM twm:Deva:IN txg:Tang:CN txo:Toto:IN ty::PF tyr:Tavt:VN tyv:Cyrl:RU tzl::001 \
    ude:Cyrl:RU udg:Mlym:IN udi:Cyrl:RU udm:Cyrl:RU ug-Cyrl::KZ ug-KZ:Cyrl: ug-MN:Cyrl: ug:Arab:CN uga:Ugar:SY \
    ugh:Cyrl:RU ugo:Thai:TH uk:Cyrl:UA uki:Orya:IN ulc:Cyrl:RU unr-Deva::NP unr-NP:Deva: unr:Beng:IN unx:Beng:IN \
    ur:Arab:PK urk:Thai:TH ush:Arab:PK uum:Grek:GE uz-AF:Arab: uz-Arab::AF uz-CN:Cyrl: uz::UZ uzs:Arab:AF \
    vaa:Taml:IN vaf:Arab:IR vah:Deva:IN vai:Vaii:LR vas:Deva:IN vav:Deva:IN vay:Deva:NP ve::ZA vgr:Arab:PK vi::VN \
    vjk:Deva:IN vmd:Knda:IN vmh:Arab:IR vo::001 wa::BE wal:Ethi:ET wbk:Arab:AF wbq:Telu:IN wbr:Deva:IN wle:Ethi:ET \
    wlo:Arab:ID wme:Deva:NP wne:Arab:PK wni:Arab:KM wo::SN wsg:Gong:IN wsv:Arab:AF wtm:Deva:IN wuu:Hans:CN \
    xag:Aghb:AZ xal:Cyrl:RU xan:Ethi:ET xas:Cyrl:RU xco:Chrs:UZ xcr:Cari:TR xdq:Cyrl:RU xh::ZA xhe:Arab:PK \
    xhm:Khmr:KH xis:Orya:IN xka:Arab:PK xkc:Arab:IR xkf:Tibt:BT xkj:Arab:IR xkp:Arab:IR xlc:Lyci:TR xld:Lydi:TR \
    xly:Elym:IR xmf:Geor:GE xmn:Mani:CN xmr:Merc:SD xna:Narb:SA xnr:Deva:IN xpg:Grek:TR xpi:Ogam:GB xpm:Cyrl:RU \
    xpr:Prti:IR xrm:Cyrl:RU xrn:Cyrl:RU xsa:Sarb:YE xsr:Deva:NP xtq:Brah:IR xub:Taml:IN xuj:Taml:IN xve:Ital:IT \
    xvi:Arab:AF xwo:Cyrl:RU xzh:Marc:CN yai:Cyrl:TJ ybh:Deva:NP ybi:Deva:NP ydg:Arab:PK yea:Mlym:IN yej:Grek:GR \
    yeu:Telu:IN ygp:Plrd:CN yhd:Hebr:IL yi:Hebr:UA yig:Yiii:CN yih:Hebr:DE yiv:Yiii:CN ykg:Cyrl:RU ykh:Cyrl:MN \
    yna:Plrd:CN ynk:Cyrl:RU yo::NG yoi:Jpan:JP yoy:Thai:TH yrk:Cyrl:RU ysd:Yiii:CN ysn:Yiii:CN ysp:Yiii:CN \
    ysr:Cyrl:RU ysy:Plrd:CN yud:Hebr:IL yue-CN:Hans: yue-Hans::CN yue:Hant:HK yug:Cyrl:RU yux:Cyrl:RU ywq:Plrd:CN \
    ywu:Plrd:CN za::CN zau:Tibt:IN zba:Arab:001 zch:Hani:CN zdj:Arab:KM zeh:Hani:CN zen:Tfng:MR zgb:Hani:CN \
    zgh:Tfng:MA zgm:Hani:CN zgn:Hani:CN zh-AU:Hant: zh-BN:Hant: zh-Bopo::TW zh-GB:Hant: zh-GF:Hant: zh-HK:Hant: \
    zh-Hanb::TW zh-Hant::TW zh-ID:Hant: zh-MO:Hant: zh-PA:Hant: zh-PF:Hant: zh-PH:Hant: zh-SR:Hant: zh-TH:Hant: \
    zh-TW:Hant: zh-US:Hant: zh-VN:Hant: zh:Hans:CN zhd:Hani:CN zhx:Nshu:CN zko:Cyrl:RU zkt:Kits:CN zkz:Cyrl:RU \
    zlj:Hani:CN zln:Hani:CN zlq:Hani:CN zqe:Hani:CN zrg:Orya:IN zrp:Hebr:FR zu::ZA zum:Arab:OM zwa:Ethi:ET \
    zyg:Hani:CN zyn:Hani:CN zzj:Hani:CN
    """

  /// `tag:language:script:region` of tags without one, so, too.
  static let unknownLanguage: StaticString = """
    419:es:: AD:ca:: AE:ar:Arab: AF:fa:Arab: AL:sq:: AM:hy:Armn: AO:pt:: AR:es:: AS:sm:: AT:de:: AW:nl:: AX:sv:: \
    AZ:az:: Adlm:ff::GN Aghb:xag::AZ Ahom:aho::IN Arab-AF:fa:: Arab-AZ:az:: Arab-BN:ms:: Arab-CC:ms:: Arab-CN:ug:: \
    Arab-GB:ur:: Arab-ID:ms:: Arab-IN:ur:: Arab-IR:fa:: Arab-KH:cja:: Arab-MM:rhg:: Arab-MN:kk:: Arab-MU:ur:: \
    Arab-NG:ha:: Arab-PK:ur:: Arab-TH:mfa:: Arab-TJ:fa:: Arab-TR:apc:: Arab-YT:swb:: Arab:ar::EG Armi:arc::IR \
    Armn:hy::AM Avst:ae::IR BA:bs:: BD:bn:Beng: BE:nl:: BF:fr:: BG:bg:Cyrl: BH:ar:Arab: BI:rn:: BJ:fr:: BL:fr:: \
    BN:ms:: BO:es:: BQ:pap:: BR:pt:: BT:dz:Tibt: BV:no:: BY:be:Cyrl: Bali:ban::ID Bamu:bax::CM Bass:bsq::LR \
    Batk:bbc::ID Beng:bn::BD Bhks:sa::IN Bopo:zh::TW Brah:pka::IN Brai:fr::FR Bugi:bug::ID Buhd:bku::PH CC:ms:Arab: \
    CD:fr:: CF:sg:: CG:fr:: CH:de:: CI:fr:: CL:es:: CM:fr:: CN:zh:Hans: CO:es:: CR:es:: CU:es:: CV:pt:: CW:pap:: \
    CY:el:Grek: CZ:cs:: Cakm:ccp::BD Cans:iu::CA Cari:xcr::TR Cham:cjm::VN Cher:chr::US Chrs:xco::UZ Copt:cop::EG \
    Cpmn:und::CY Cprt:ecy::CY Cyrl-AF:kaa:: Cyrl-AL:mk:: Cyrl-AZ:az:: Cyrl-BA:sr:: Cyrl-BG:bg:: Cyrl-BY:be:: \
    Cyrl-GE:ab:: Cyrl-GR:mk:: Cyrl-IR:kaa:: Cyrl-KG:ky:: Cyrl-MD:uk:: Cyrl-ME:sr:: Cyrl-MK:mk:: Cyrl-MN:mn:: \
    Cyrl-RO:bg:: Cyrl-RS:sr:: Cyrl-SK:uk:: Cyrl-TJ:tg:: Cyrl-TR:kbd:: Cyrl-UA:uk:: Cyrl-UZ:uz:: Cyrl-XK:sr:: \
    Cyrl:ru::RU DE:de:: DJ:fr:: DK:da:: DO:es:: DZ:ar:Arab: Deva-BT:ne:: Deva-FJ:hif:: Deva-MU:bho:: Deva-NP:ne:: \
    Deva-PK:btv:: Deva:hi::IN Diak:dv::MV Dogr:doi::IN Dupl:fr::FR EA:es:: EC:es:: EE:et:: EG:ar:Arab: EH:ar:Arab: \
    ER:ti:Ethi: ES:es:: ET:am:Ethi: Egyp:egy::EG Elba:sq::AL Elym:arc::IR Ethi-ER:ti:: Ethi:am::ET FI:fi:: FO:fo:: \
    FR:fr:: GA:fr:: GE:ka:Geor: GF:fr:: GH:ak:: GL:kl:: GN:fr:: GP:fr:: GQ:es:: GR:el:Grek: GT:es:: GW:pt:: \
    Gara:wo::SN Geor:ka::GE Glag:cu::BG Gong:wsg::IN Gonm:esg::IN Goth:got::UA Gran:sa::IN Grek-TR:bgx:: Grek:el::GR \
    Gujr:gu::IN Gukh:gvr::NP Guru:pa::IN HK:zh:Hant: HN:es:: HR:hr:: HT:ht:: HU:hu:: Hanb:zh::TW Hang:ko::KR \
    Hani:zh::CN Hano:hnn::PH Hans:zh::CN Hant-CA:yue:: Hant-CN:yue:: Hant:zh::TW Hatr:arc::IQ Hebr-SE:yi:: \
    Hebr-UA:yi:: Hebr-US:yi:: Hebr:he::IL Hira:ja::JP Hluw:hlu::TR Hmng:hnj::LA Hmnp:hnj::US Hung:hu::HU IC:es:: \
    ID:id:: IL:he:Hebr: IN:hi:Deva: IQ:ar:Arab: IR:fa:Arab: IS:is:: IT:it:: Ital:ett::IT JO:ar:Arab: JP:ja:Jpan: \
    Jamo:ko::KR Java:jv::ID Jpan:ja::JP KE:sw:: KG:ky:Cyrl: KH:km:Khmr: KM:ar:Arab: KP:ko:Kore: KR:ko:Kore: \
    KW:ar:Arab: KZ:ru:Cyrl: Kali:eky::MM Kana:ja::JP Kawi:kaw::ID Khar:pra::PK Khmr:km::KH Khoj:sd::IN Kits:zkt::CN \
    Knda:kn::IN Kore:ko::KR Krai:bap::IN Kthi:bho::IN LA:lo:Laoo: LB:ar:Arab: LI:de:: LK:si:Sinh: LS:st:: LT:lt:: \
    LU:fr:: LV:lv:: LY:ar:Arab: Lana:nod::TH Laoo:lo::LA Latn-AE:en:: Latn-AF:tk:: Latn-AM:ku:: Latn-BD:en:: \
    Latn-BG:en:: Latn-BT:en:: Latn-CC:en:: Latn-CN:za:: Latn-CY:tr:: Latn-DZ:fr:: Latn-EG:en:: Latn-ER:en:: \
    Latn-ET:en:: Latn-GE:ku:: Latn-GR:en:: Latn-HK:en:: Latn-IL:en:: Latn-IN:en:: Latn-IQ:en:: Latn-IR:tk:: \
    Latn-JO:en:: Latn-KM:fr:: Latn-KZ:en:: Latn-LB:en:: Latn-LK:en:: Latn-MA:fr:: Latn-MK:sq:: Latn-MM:kac:: \
    Latn-MO:en:: Latn-MR:fr:: Latn-MV:en:: Latn-NP:en:: Latn-PK:en:: Latn-RU:krl:: Latn-SD:en:: Latn-SS:en:: \
    Latn-SY:ku:: Latn-TD:fr:: Latn-TH:en:: Latn-TN:fr:: Latn-TW:trv:: Latn-UA:pl:: Latn-YE:en:: Lepc:lep::IN \
    Limb:lif::IN Lina:lab::GR Linb:gmy::GR Lisu:lis::CN Lyci:xlc::TR Lydi:xld::TR MA:ar:Arab: MC:fr:: MD:ro:: \
    ME:sr:: MF:fr:: MG:mg:: MK:mk:Cyrl: ML:bm:: MM:my:Mymr: MN:mn:Cyrl: MO:zh:Hant: MQ:fr:: MR:ar:Arab: MT:mt:: \
    MU:fr:: MV:dv:Thaa: MX:es:: MY:ms:: MZ:pt:: Mahj:hi::IN Maka:mak::ID Mand:myz::IR Mani:xmn::CN Marc:bo::CN \
    Medf:dmf::NG Mend:men::SL Merc:xmr::SD Mero:xmr::SD Mlym:ml::IN Modi:mr::IN Mong:mn::CN Mroo:mro::BD \
    Mtei:mni::IN Mult:skr::PK Mymr-IN:kht:: Mymr-TH:mnw:: Mymr:my::MM NA:af:: NC:fr:: NE:ha:: NI:es:: NL:nl:: \
    NO:nb:: NP:ne:Deva: Nagm:unr::IN Nand:sa::IN Narb:xna::SA Nbat:arc::JO Newa:new::NP Nkoo-ML:bm:: Nkoo:man::GN \
    Nshu:zhx::CN OM:ar:Arab: Ogam:sga::IE Olck:sat::IN Onao:unr::IN Orkh:otk::MN Orya:or::IN Osge:osa::US \
    Osma:so::SO Ougr:oui::CN PA:es:: PE:es:: PF:fr:: PG:tpi:: PH:fil:: PK:ur:Arab: PL:pl:: PM:fr:: PR:es:: \
    PS:ar:Arab: PT:pt:: PW:pau:: PY:gn:: Palm:arc::SY Pauc:ctd::MM Perm:kv::RU Phag:lzh::CN Phli:pal::IR \
    Phlp:pal::CN Phnx:phn::LB Plrd:hmd::CN Prti:xpr::IR QA:ar:Arab: RE:fr:: RO:ro:: RS:sr:Cyrl: RU:ru:Cyrl: RW:rw:: \
    Rjng:rej::ID Rohg:rhg::MM Runr:non::SE SA:ar:Arab: SC:fr:: SD:ar:Arab: SE:sv:: SI:sl:: SJ:nb:: SK:sk:: SM:it:: \
    SN:wo:: SO:so:: SR:nl:: SS:ar:Arab: ST:pt:: SV:es:: SY:ar:Arab: Samr:smp::IL Sarb:xsa::YE Saur:saz::IN \
    Sgnw:ase::US Shaw:en::GB Shrd:sa::IN Sidd:sa::IN Sind:sd::IN Sinh:si::LK Sogd:sog::UZ Sogo:sog::UZ Sora:srb::IN \
    Soyo:cmg::MN Sund:su::ID Sunu:suz::NP Sylo:syl::BD Syrc:syr::IQ TD:ar:Arab: TF:fr:: TG:fr:: TH:th:Thai: \
    TJ:tg:Cyrl: TK:tkl:: TL:pt:: TM:tk:: TN:ar:Arab: TO:to:: TR:tr:: TV:tvl:: TW:zh:Hant: TZ:sw:: Tagb:tbw::PH \
    Takr:doi::IN Tale:tdd::CN Talu:khb::CN Taml:ta::IN Tang:txg::CN Tavt:blt::VN Telu:te::IN Tfng:zgh::MA \
    Tglg:fil::PH Thaa:dv::MV Thai-CN:lcp:: Thai-KH:kdt:: Thai-LA:kdt:: Thai:th::TH Tibt-BT:dz:: Tibt:bo::CN \
    Tirh:mai::IN Tnsa:nst::IN Todr:sq::AL Toto:txo::IN Tutg:sa::IN UA:uk:Cyrl: UG:sw:: UY:es:: UZ:uz:: Ugar:uga::SY \
    VA:it:: VE:es:: VN:vi:: VU:bi:: Vaii:vai::LR Vith:sq::AL WF:fr:: WS:sm:: Wara:hoc::IN Wcho:nnp::IN XK:sq:: \
    Xpeo:peo::IR Xsux:akk::IQ YE:ar:Arab: YT:fr:: Yezi:ku::GE Yiii:ii::CN ZW:sn:: Zanb:cmg::MN und:en::US
    """
}
