// Made by Scripts/locales.py from CLDR 47 (PyPI's Babel 2.18.0). Do not edit.

/// CLDR's likely subtags. Sorted by their bytes, with one space between two.
enum LikelySubtags {
  /// `tag:script:region` of languages before `n`; no script is `Latn`.
  static let first: StaticString = """
    aa::ET aaa::NG aab::NG aac::PG aad::PG aae::IT aaf:Mlym:IN aag::PG aah::PG aai::PG aak::PG aal::CM aan::BR \
    aao:Arab:DZ aap::BR aaq::US aas::TZ aat:Grek:GR aau::PG aaw::PG aax::ID aaz::ID ab:Cyrl:GE aba::CI abb::CM \
    abc::PH abd::PH abe::CA abf::MY abg::PG abh:Arab:TJ abi::CI abl:Rjng:ID abm::NG abn::NG abo::NG abp::PH abr::GH \
    abs::ID abt::PG abu::CI abv:Arab:BH abw::PG abx::PH aby::PG abz::ID aca::CO acb::NG acd::GH ace::ID acf::LC \
    ach::UG acm:Arab:IQ acn::CN acp::NG acq:Arab:YE acr::GT acs::BR act::NL acu::EC acv::US acw:Arab:SA acx:Arab:OM \
    acy::CY acz::SD ada::GH adb::TL add::CM ade::TG adf:Arab:OM adg::AU adh::UG adi::IN adj::CI adl::IN adn::ID \
    ado::PG adq::GH adr::ID adt::AU adu::NG adw::BR adx:Tibt:CN ady:Cyrl:RU adz::PG ae:Avst:IR aea::AU aeb:Arab:TN \
    aec:Arab:EG aee:Arab:AF aek::NC ael::CM aem::VN aeq:Arab:PK aer::AU aeu::CN aew::PG aey::PG aez::PG af::ZA \
    afb:Arab:KW afd::PG afe::NG afh::GH afi::PG afk::PG afn::NG afo::NG afp::PG afs::MX afu::GH afz::ID aga::PE \
    agb::NG agc::NG agd::PG age::PG agf::ID agg::PG agh::CD agi:Deva:IN agj:Ethi:ET agk::PH agl::PG agm::PG agn::PH \
    ago::PG agq::CM agr::PE ags::CM agt::PH agu::GT agv::PH agw::SB agx:Cyrl:RU agy::PH agz::PH aha::GH ahb::VU \
    ahg:Ethi:ET ahh::ID ahi::CI ahk::MM ahl::TG ahm::CI ahn::NG aho:Ahom:IN ahp::CI ahr:Deva:IN ahs::NG aht::US \
    aia::SB aib:Arab:CN aic::PG aid::AU aie::PG aif::PG aig::AG aii:Syrc:IQ aij:Hebr:IL aik::NG ail::PG aim::IN \
    ain:Kana:JP aio:Mymr:IN aip::ID aiq:Arab:AF air::ID ait::BR aiw::ET aix::PG aiy::CF aja::SS ajg::BJ aji::NC \
    ajn::AU ajw::NG ajz::IN ak::GH akb::ID akc::ID akd::NG ake::GY akf::NG akg::ID akh::PG aki::PG akk:Xsux:IQ \
    akl::PH ako::SR akp::GH akq::PG akr::VU aks::TG akt::PG aku::CM akv:Cyrl:RU akw::CG akz::US ala::NG alc::CL \
    ald::CI ale::US alf::NG alh::AU ali::PG alj::PH alk:Laoo:LA all:Mlym:IN alm::VU aln::XK alo::ID alp::ID alq::CA \
    alr:Cyrl:RU alt:Cyrl:RU alu::SB alw:Ethi:ET alx::PG aly::AU alz::CD am:Ethi:ET ama::BR amb::NG amc::PE ame::PE \
    amf::ET amg::AU ami::TW amj::TD amk::ID amm::PG amn::PG amo::NG amp::PG amq::ID amr::PE ams:Jpan:JP amt::PG \
    amu::MX amv::ID amw:Syrc:SY amx::AU amy::AU amz::AU an::ES ana::CO anb::PE anc::NG and::ID ane::NC anf::GH \
    ang::GB anh::PG ani:Cyrl:RU anj::PG ank::NG anl::MM anm::IN ann::NG ano::CO anp:Deva:IN anq:Deva:IN anr:Deva:IN \
    ans::CO ant::AU anu:Ethi:ET anv::CM anw::NG anx::PG any::CI anz::PG aoa::ST aob::PG aoc::VE aod::PG aoe::PG \
    aof::PG aog::PG aoi::AU aoj::PG aok::NC aol::ID aom::PG aon::PG aor::VU aos::ID aot:Beng:BD aox::GY aoz::ID \
    apb::SB apc:Arab:SY apd:Arab:SD ape::PG apf::PH apg::ID aph:Deva:NP api::BR apj::US apk::US apl::US apm::US \
    apn::BR apo::PG app::VU apr::PG aps::PG apt::IN apu::BR apv::BR apw::US apx::ID apy::BR apz::PG aqc:Cyrl:RU \
    aqd::ML aqg::NG aqk::NG aqm::ID aqn::PH aqr::NC aqt::PY aqz::BR ar:Arab:EG arc-Hatr:Hatr:IQ arc-Nbat:Nbat:JO \
    arc-Palm:Palm:SY arc:Armi:IR ard::AU are::AU arh::CO ari::US arj::BR ark::BR arl::PE arn::CL aro::BO arp::US \
    arq:Arab:DZ arr::BR ars:Arab:SA aru::BR arw::SR arx::BR ary:Arab:MA arz:Arab:EG as:Beng:IN asa::TZ asb::CA \
    asc::ID ase:Sgnw:US asg::NG ash::PE asi::ID asj::CM ask:Arab:AF asl::ID asn::BR aso::PG asr:Deva:IN ass::CM \
    ast::ES asu::BR asv::CD asx::PG asy::ID asz::ID ata::PG atb::CN atc::PE atd::PH ate::PG atg::NG ati::CI atj::CA \
    atk::PH atl::PH atm::PH atn:Arab:IR ato::CM atp::PH atq::ID atr::BR ats::US att::PH atu::SS atv:Cyrl:RU atw::US \
    atx::BR aty::VU atz::PH aua::SB auc::EC aud::SB aug::BJ auh::ZM aui::PG auj:Arab:LY auk::PG aul::VU aum::NG \
    aun::PG auo::NG aup::PG auq::ID aur::PG aut::PF auu::ID auw::ID auy::PG auz:Arab:UZ av:Cyrl:RU avb::PG \
    avd:Arab:IR avi::CI avk::001 avl:Arab:EG avm::AU avn::GH avo::BR avs::PE avt::PG avu::SS avv::BR awa:Deva:IN \
    awb::PG awc::NG awe::BR awg::AU awh::ID awi::PG awk::AU awm::PG awn:Ethi:ET awo::NG awr::ID aws::ID awt::BR \
    awu::ID awv::ID aww::PG awx::PG awy::ID axb::AR axe::AU axg::BR axk::CF axl::AU axm:Armn:AM axx::NC ay::BO \
    aya::PG ayb::BJ ayc::PE ayd::AU aye::NG ayg::TG ayh:Arab:YE ayi::NG ayk::NG ayl:Arab:LY ayn:Arab:YE ayo::PY \
    ayp:Arab:IQ ayq::PG ays::PH ayt::PH ayu::NG ayz::ID az-Arab:Arab:IR az-IQ:Arab:IQ az-IR:Arab:IR az-RU:Cyrl:RU \
    az::AZ azb:Arab:IR azd::MX azg::MX azm::MX azn::MX azo::CM azt::PH azz::MX ba:Cyrl:RU baa::SB bab::GW bac::ID \
    bae::VE baf::CM bag::CM bah::BS baj::ID bal:Arab:PK ban::ID bao::CO bap-Krai:Krai:IN bap:Deva:NP bar::AT bas::CM \
    bau::NG bav::CM baw::CM bax:Bamu:CM bay::ID bba::BJ bbb::PG bbc::ID bbd::PG bbe::CD bbf::PG bbg::GA bbi::CM \
    bbj::CM bbk::CM bbl:Geor:GE bbm::CD bbn::PG bbo::BF bbp::CF bbq::CM bbr::PG bbs::NG bbt::NG bbu::NG bbv::PG \
    bbw::CM bbx::CM bby::CM bca::CN bcb::SN bcd::ID bce::CM bcf::PG bcg::GN bch::PG bci::CI bcj::AU bck::AU bcm::PG \
    bcn::NG bco::PG bcp::CD bcq:Ethi:ET bcr::CA bcs::NG bct::CD bcu::PG bcv::NG bcw::CM bcy::NG bcz::SN bda::SN \
    bdb::ID bdc::CO bdd::PG bde::NG bdf::PG bdg::MY bdh::SS bdi::SD bdj::SS bdk::AZ bdl::ID bdm::TD bdn::CM bdo::TD \
    bdp::TZ bdq::VN bdr::MY bds::TZ bdt::CF bdu::CM bdv:Orya:IN bdw::ID bdx::ID bdy::AU bdz:Arab:PK be:Cyrl:BY \
    bea::CA beb::CM bec::CM bed::ID bee:Deva:IN bef::PG beh::BJ bei::ID bej:Arab:SD bek::PG bem::ZM beo::PG bep::ID \
    beq::CG bes::TD bet::CI beu::ID bev::CI bew::ID bex::SS bey::PG bez::TZ bfa::SS bfb:Deva:IN bfc::CN bfd::CM \
    bfe::ID bff::CF bfg::ID bfh::PG bfj::CM bfl::CF bfm::CM bfn::TL bfo::BF bfp::CM bfq:Taml:IN bfs::CN bft:Arab:PK \
    bfu:Tibt:IN bfw:Orya:IN bfx::PH bfy:Deva:IN bfz:Deva:IN bg:Cyrl:BG bga::NG bgb::ID bgc:Deva:IN bgd:Deva:IN \
    bgf::CM bgg::IN bgi::PH bgj::CM bgn:Arab:PK bgo::GN bgp:Arab:PK bgq:Deva:IN bgr::IN bgs::PH bgt::SB bgu::NG \
    bgv::ID bgw:Deva:IN bgx:Grek:TR bgy::ID bgz::ID bha:Deva:IN bhb:Deva:IN bhc::ID bhd:Deva:IN bhe:Arab:PK bhf::PG \
    bhg::PG bhh:Cyrl:IL bhi:Deva:IN bhj:Deva:NP bhl::PG bhm:Arab:OM bhn:Syrc:GE bho:Deva:IN bhp::ID bhq::ID bhr::MG \
    bhs::CM bht:Deva:IN bhu:Deva:IN bhv::ID bhw::ID bhy::CD bhz::ID bi::VU bia::AU bib::BF bid::TD bie::PG bif::GW \
    big::PG bik::PH bil::NG bim::GH bin::NG bio::PG bip::CD biq::PG bir::PG bit::PG biu::IN biv::GH biw::CM \
    biy:Deva:IN biz::CD bja::CD bjb::AU bjc::PG bjf:Syrc:IL bjg::GW bjh::PG bji::ET bjj:Deva:IN bjk::PG bjl::PG \
    bjm:Arab:IQ bjn::ID bjo::CF bjp::PG bjr::PG bjs::BB bjt::SN bju::CM bjv::TD bjw::CI bjx::PH bjy::AU bjz::PG \
    bka::NG bkc::CM bkd::PH bkf::CD bkg::CF bkh::CM bki::VU bkj::CF bkk:Tibt:IN bkl::ID bkm::CM bkn::ID bko::CM \
    bkp::CD bkq::BR bkr::ID bks::PH bkt::CD bku::PH bkv::NG bkw::CG bkx::TL bky::NG bkz::ID bla::CA blb::SB blc::CA \
    bld::ID ble::GW blf::ID blh::LR bli::CD blj::ID blk:Mymr:MM blm::SS bln::PH blo::BJ blp::SB blq::PG blr::CN \
    bls::ID blt:Tavt:VN blv::AO blw::PH blx::PH bly::BJ blz::ID bm::ML bma::NG bmb::CD bmc::PG bmd::GN bme::CF \
    bmf::SL bmg::CD bmh::PG bmi::TD bmj:Deva:NP bmk::PG bml::CD bmm::MG bmn::PG bmo::CM bmp::PG bmq::ML bmr::CO \
    bms::NE bmu::PG bmv::CM bmw::CG bmx::PG bmz::PG bn:Beng:BD bna::ID bnb::MY bnc::PH bnd::ID bne::ID bnf::ID \
    bng::GQ bni::CD bnj::PH bnk::VU bnm::GQ bnn::TW bno::PH bnp::PG bnq::ID bnr::VU bns:Deva:IN bnu::ID bnv::ID \
    bnw::PG bnx::CD bny::MY bnz::CM bo:Tibt:CN boa::PE bob::KE boe::CM bof::BF boh::CD boj::PG bok::CG bol::NG \
    bom::NG bon::PG boo::ML bop::PG boq::PG bor::BR bot::SS bou::TZ bov::GH bow::PG box::BF boy::CF boz::ML bpa::VU \
    bpc::CM bpd::CF bpe::PG bpg::ID bph:Cyrl:RU bpi::PG bpj::CD bpk::NC bpl::AU bpm::PG bpo::ID bpp::ID bpq::ID \
    bpr::PH bps::PH bpt::AU bpu::PG bpv::ID bpw::PG bpx:Deva:IN bpy:Beng:IN bpz::ID bqa::BJ bqb::ID bqc::BJ bqd::CM \
    bqf::GN bqg::TG bqi:Arab:IR bqj::SN bqk::CF bql::PG bqm::CM bqo::CM bqp::NG bqq::ID bqr::ID bqs::PG bqt::CM \
    bqu::CD bqv::CI bqw::NG bqx::NG bqz::CM br::FR bra:Deva:IN brb:Khmr:KH brc::GY brd:Deva:NP brf::CD brg::BO \
    brh:Arab:PK bri::CM brj::VU brk:Arab:SD brl::BW brm::CD brn::CR bro:Tibt:BT brp::ID brq::PG brr::SB brs::ID \
    brt::NG bru::VN brv:Laoo:LA brw:Knda:IN brx:Deva:IN bry::PG brz::PG bs::BA bsa::ID bsb::BN bsc::SN bse::CM \
    bsf::NG bsh:Arab:AF bsi::CM bsj::NG bsk:Arab:PK bsl::NG bsm::ID bsn::CO bso::TD bsp::GN bsq:Bass:LR bsr::NG \
    bss::CM bst:Ethi:ET bsu::ID bsv::GN bsw::ET bsx::NG bsy::MY bta::NG btc::CM btd:Batk:ID bte::NG btf::TD btg::CI \
    bth::MY bti::ID btj::ID btm:Batk:ID btn::PH bto::PH btp::PG btq::MY btr::VU bts::ID btt::NG btu::NG btv:Deva:PK \
    btw::PH btx::ID bty::ID btz::ID bua:Cyrl:RU bub::TD buc::YT bud::TG bue::CA buf::CD bug::ID buh::CN bui::CG \
    buj::NG buk::PG bum::CM bun::SL buo::PG bup::ID buq::PG bus::NG but::PG buu::CD buv::PG buw::GA bux::NG buy::SL \
    buz::NG bva::TD bvb::GQ bvc::SB bvd::SB bve::ID bvf::TD bvg::CM bvh::NG bvi::SS bvj::NG bvk::ID bvm::CM bvn::PG \
    bvo::TD bvq::CF bvr::AU bvt::ID bvu::ID bvv::VE bvw::NG bvx::CG bvy::PH bvz::ID bwa::NC bwb::FJ bwc::ZM bwd::PG \
    bwe:Mymr:MM bwf::PG bwg::MZ bwh::CM bwi::VE bwj::BF bwk::PG bwl::CD bwm::PG bwo::ET bwp::ID bwq::BF bwr::NG \
    bws::CD bwt::CM bwu::GH bww::CD bwx::CN bwy::BF bwz::CG bxa::SB bxb::SS bxc::GQ bxf::PG bxg::CD bxh::PG bxi::AU \
    bxj::AU bxl::BF bxm:Cyrl:MN bxn::AU bxo::NG bxp::CM bxq::NG bxs::CM bxu:Mong:CN bxv::TD bxw::ML bxz::PG bya::PH \
    byb::CM byc::NG byd::ID bye::PG byf::NG byh:Deva:NP byi::CD byj::NG byk::CN byl::ID bym::AU byn:Ethi:ER byp::NG \
    byr::PG bys::NG byv::CM byw:Deva:NP byx::PG byz::PG bza::LR bzb::ID bzc::MG bzd::CR bze::ML bzf::PG bzh::PG \
    bzi:Thai:TH bzj::BZ bzk::NI bzl::ID bzm::CD bzn::ID bzo::CD bzp::ID bzq::ID bzr::AU bzt::001 bzu::ID bzv::CM \
    bzw::NG bzx::ML bzy::NG bzz::NG ca::ES caa::GT cab::HN cac::GT cad::US cae::SN caf::CA cag::PY cah::PE caj::BO \
    cak::GT cal::MP cam::NC can::PG cao::BO cap::BO caq::IN car::VE cas::BO cav::BO caw::BO cax::BO cay::CA caz::BO \
    cbb::CO cbc::CO cbd::CO cbg::CO cbi::EC cbj::BJ cbk::PH cbl::MM cbn:Thai:TH cbo::NG cbq::NG cbr::PE cbs::PE \
    cbt::PE cbu::PE cbv::CO cbw::PH cby::CO ccc::PE ccd::BR cce::MZ ccg::NG cch::NG ccj::GW ccl::TZ ccm::MY cco::MX \
    ccp:Cakm:BD ccr::SV cde:Telu:IN cdf::IN cdh:Deva:IN cdi:Gujr:IN cdj:Deva:IN cdm:Deva:NP cdo:Hans:CN cdr::NG \
    cdz:Beng:IN ce:Cyrl:RU cea::US ceb::PH ceg::PY cek::MM cen::NG cet::NG cey::MM cfa::NG cfd::NG cfg::NG cfm::MM \
    cga::PG cgc::PH cgg::UG cgk:Tibt:BT ch::GU chb::CO chd::MX chf::MX chg:Arab:TM chh::US chj::MX chk::FM chl::US \
    chm:Cyrl:RU chn::US cho::US chp::CA chq::MX chr:Cher:US cht::PE chw::MZ chx:Deva:NP chy::US chz::MX cia::ID \
    cib::BJ cic::US cie::NG cih:Deva:IN cim::IT cin::BR cip::MX cir::NC ciw::US ciy::VE cja:Arab:KH cje::VN cjh::US \
    cji:Cyrl:RU cjk::AO cjm:Cham:VN cjn::PG cjo::PE cjp::CR cjs::RU cjv::PG cjy:Hans:CN ckb:Arab:IQ ckl::NG ckm::HR \
    ckn::MM cko::GH ckq::TD ckr::PG cks::NC ckt:Cyrl:RU cku::US ckv::TW ckx::CM cky::NG ckz::GT cla::NG clc::CA \
    cle::MX clh:Arab:PK cli::GH clj::MM clk::IN cll::GH clm::US clo::MX clt::MM clu::PH clw:Cyrl:RU cly::MX cma::VN \
    cme::BF cmg:Soyo:MN cmi::CO cml::ID cmo::VN cmr::MM cms::IT cmt::ZA cna:Tibt:IN cnb::MM cnc::VN cng::CN cnh::MM \
    cni::PE cnk::MM cnl::MX cnp:Hans:CN cnq::CM cns::ID cnt::MX cnw::MM cnx::GB co::FR coa::AU cob::MX coc::MX \
    cod::PE coe::CO cof::EC cog:Thai:TH coh::KE coj::MX cok::MX col::US com::US coo::CA cop:Copt:EG coq::US cot::PE \
    cou::SN cox::PE coz::MX cpa::MX cpb::PE cpc::PE cpg:Grek:GR cpi::NR cpn::GH cpo::BF cps::PH cpu::PE cpx::CN \
    cpy::PE cqd::CN cr:Cans:CA cra::ET crb::VC crc::VU crd::US crf::CO crg::CA crh:Cyrl:UA cri::ST crj:Cans:CA \
    crk:Cans:CA crl:Cans:CA crm:Cans:CA crn::MX cro::US crq::AR crs::SC crt::AR crv::IN crw::VN crx::CA cry::NG \
    crz::US cs::CZ csa::MX csb::PL csh:Mymr:MM csj::MM csk::SN csm::US cso::MX csp:Hans:CN css::US cst::US csv::MM \
    csw:Cans:CA csy::MM csz::US cta::MX ctc::US ctd:Pauc:MM cte::MX ctg:Beng:BD cth::MM ctl::MX ctm::US ctn:Deva:NP \
    cto::CO ctp::MX cts::PH ctt:Taml:IN ctu::MX cty:Taml:IN ctz::MX cu-Glag:Glag:BG cu:Cyrl:RU cua::VN cub::CO \
    cuc::MX cuh::KE cui::CO cuj::PE cuk::PA cul::BR cuo::VE cup::US cut::MX cuu:Lana:CN cuv::CM cux::MX cuy::MX \
    cv:Cyrl:RU cvg::IN cvn::MX cwa::TZ cwb::MZ cwe::TZ cwg::MY cwt::SN cxh::NG cy::GB cya::MX cyb::BO cyo::PH \
    czh:Hans:CN czk:Hebr:CZ czn::MX czt::MM da::DK daa::TD dac::PG dad::PG dae::CM dag::GH dah::PG dai::TD daj::SD \
    dak::US dal::KE dam::NG dao::MM daq:Deva:IN dar:Cyrl:RU das::CI dau::TD dav::KE daw::PH dax::AU daz::ID dba::ML \
    dbb::NG dbd::NG dbe::ID dbf::ID dbg::ML dbi::NG dbj::MY dbl::AU dbm::NG dbn::ID dbo::NG dbp::NG dbq::CM dbt::ML \
    dbu::ML dbv::NG dbw::ML dby::PG dcc:Arab:IN dcr::VI dda::AU ddd::SS dde::CG ddg::TL ddi::PG ddj::AU ddn::BJ \
    ddo:Cyrl:RU ddr::AU dds::ML ddw::ID de::DE dec::SD ded::PG dee::LR def:Arab:IR deg::NG deh:Arab:PK dei::ID \
    dek::CM del::US dem::ID den::CA deq::CF der:Beng:IN des::BR dev::PG dez::CD dga::GH dgb::ML dgc::PH dgd::BF \
    dge::PG dgg::PG dgh::NG dgi::BF dgk::CF dgl:Arab:SD dgn::AU dgr::CA dgs::BF dgt::AU dgw::AU dgx::PG dgz::PG \
    dhg::AU dhi:Deva:NP dhl::AU dhm::AO dhn:Gujr:IN dho:Deva:IN dhr::AU dhs::TZ dhu::AU dhv::NC dhw:Deva:NP dhx::AU \
    dia::PG dib::SS dic::CI did::SS dif::AU dig::KE dih::MX dii::CM dij::ID dil::SD din::SS dio::NG dip::SS dir::NG \
    dis::IN diu::NA diw::SS dix::VU diy::ID diz::CD dja::AU djb::AU djc::TD djd::AU dje::NE djf::AU dji::AU djj::AU \
    djk::SR djm::ML djn::AU djo::ID djr::AU dju::PG djw::AU dka:Tibt:BT dkg::NG dkk::ID dkr::MY dks::SS dkx::CM \
    dlg:Cyrl:RU dlm::HR dln::IN dma::GA dmb::ML dmc::PG dmd::AU dme::CM dmf:Medf:NG dmg::MY dmk:Arab:PK dml:Arab:PK \
    dmm::CM dmo::CM dmr::ID dms::ID dmu::ID dmv::MY dmw::AU dmx::MZ dmy::ID dna::ID dnd::PG dne::TZ dng:Cyrl:KG \
    dni::ID dnj::CI dnk::ID dnn::BF dno::CD dnr::PG dnt::ID dnu:Mymr:MM dnv:Mymr:MM dnw::ID dny::BR doa::PG dob::PG \
    doc::CN doe::TZ dof::PG doh::NG doi:Deva:IN dok::ID dol::PG don::PG doo::CD dop::BJ dor::SB dos::BF dot::NG \
    dov::ZW dow::CM dox:Ethi:ET doy::GH dpp::MY drc::PT dre:Tibt:NP drg::MY dri::NG drl::AU drn::ID dro::MY \
    drq:Deva:NP drs:Ethi:ET drt::NL dru::TW dry:Deva:NP dsb::DE dsh::KE dsi::TD dsk::NG dsn::ID dso:Orya:IN dsq::ML \
    dta::CN dtb::MY dtd::CA dth::AU dti::ML dtk::ML dtm::ML dto::ML dtp::MY dtr::MY dts::ML dtt::ML dtu::ML \
    dty:Deva:NP dua::CM dub:Gujr:IN duc::PG due::PH duf::NC dug::KE duh:Deva:IN dui::PG duk::PG dul::PH dum::NL \
    dun::ID duo::PH dup::ID duq::ID dur::CM dus:Deva:NP duu::CN duv::ID duw::ID dux::ML duy::PH duz::CM dv:Thaa:MV \
    dva::PG dwa::NG dwk:Orya:IN dwr::ET dws::001 dwu::AU dww::PG dwy::AU dwz:Deva:NP dya::BF dyb::AU dyd::AU dyg::PH \
    dyi::CI dym::ML dyn::AU dyo::SN dyr::NG dyu::BF dyy::AU dz:Tibt:BT dza::NG dzd::NG dze::AU dzg::TD dzl:Tibt:BT \
    dzn::CD eaa::AU ebc::ID ebg::NG ebk::PH ebo::CG ebr::CI ebu::KE ecr:Grek:GR ecy:Cprt:CY ee::GH efa::NG efe::CD \
    efi::NG ega::CI egl::IT egm::TZ ego::NG egy:Egyp:EG ehu::NG eip::ID eit::PG eiv::PG eja::GW eka::NG eke::NG \
    ekg::ID eki::NG ekl::BD ekm::CM eko::MZ ekp::NG ekr::NG eky:Kali:MM el:Grek:GR ele::PG elk::PG elm::NG elo::KE \
    elu::PG ema::NG emb::ID eme::GF emg:Deva:NP emi::PG emm::MX emn::CM emp::PA ems::US emu:Deva:IN emw::ID emx::FR \
    emz::CM en-Shaw:Shaw:GB en::US ena::PG enb::KE enc::VN end::ID enf:Cyrl:RU enh:Cyrl:RU enl::PY enm::GB enn::NG \
    eno::ID enq::PG enr::ID env::NG enw::NG enx::PY eo::001 eot::CI epi::NG era:Taml:IN erg::VU erh::NG eri::PG \
    erk::VU err::AU ers::CN ert::ID erw::ID es::ES ese::BO esg:Gonm:IN esh:Arab:IR esi::US esm::CI ess::US esu::US \
    esy::PH et::EE etb::NG etn::VU eto::CM etr::PG ets::NG ett:Ital:IT etu::NG etx::NG etz::ID eu::ES eud::MX \
    eve:Cyrl:RU evh::NG evn:Cyrl:RU ewo::CM ext::ES eya::US eyo::KE eza::NG eze::NG fa:Arab:IR faa::PG fab::GQ \
    fad::PG faf::SB fag::PG fah::NG fai::PG faj::PG fak::CM fal::CM fam::NG fan::GQ fap::SN far::SB fau::ID fax::ES \
    fay:Arab:IR faz:Arab:IR fbl::PH fer::SS ff-Adlm:Adlm:GN ff::SN ffi::PG ffm::ML fgr::TD fi::FI fia:Arab:SD \
    fie::NG fif::SA fil::PH fip::TZ fir::NG fit::SE fiw::PG fj::FJ fkk::NG fkv::NO fla::US flh::ID fli::NG fll::CM \
    fln::AU flr::CD fly::ZA fmp::CM fmu:Deva:IN fnb::VU fng::ZA fni::TD fo::FO fod::BJ foi::PG fom::CD fon::BJ \
    for::PG fos::TW fpe::GQ fqs::PG fr::FR frc::US frd::ID frk::DE frm::FR fro::FR frp::FR frq::PG frr::DE frs::DE \
    frt::VU fub:Arab:CM fud::WF fue::BJ fuf::GN fuh::NE fui::TD fum::NG fun::BR fuq::NE fur::IT fut::VU fuu::CD \
    fuv::NG fuy::PG fvr::SD fwa::NC fwe::NA fy::NL ga::IE gaa::GH gab::TD gac::IN gad::PH gae::VE gaf::PG gag::MD \
    gah::PG gai::PG gaj::PG gak::ID gal::TL gam::PG gan:Hans:CN gao::PG gap::PG gaq:Orya:IN gar::PG gas:Gujr:IN \
    gat::PG gau:Telu:IN gaw::PG gax::ET gay::ID gba::CF gbb::AU gbd::AU gbe::PG gbf::PG gbg::CF gbh::BJ gbi::ID \
    gbj:Orya:IN gbk:Deva:IN gbl:Gujr:IN gbm:Deva:IN gbn::SS gbp::CF gbq::CF gbr::NG gbs::BJ gbu::AU gbv::CF gbw::AU \
    gbx::BJ gby::NG gbz:Arab:IR gcc::PG gcd::AU gcf::GP gcl::GD gcn::PG gcr::GF gct::VE gd::GB gdb:Orya:IN gdc::AU \
    gdd::PG gde::NG gdf::NG gdg::PH gdh::AU gdi::CF gdj::AU gdk::TD gdl::ET gdm::TD gdn::PG gdo:Cyrl:RU gdq::YE \
    gdr::PG gdt::AU gdu::NG gdx:Deva:IN gea::NG geb::PG gec::LR ged::NG gef::ID geg::NG geh::CA gei::ID gej::TG \
    gek::NG gel::NG geq::CF ges::ID gev::GA gew::NG gex::SO gey::CD gez:Ethi:ET gfk::PG gga::SB ggb::LR ggd::AU \
    gge::AU ggg:Arab:PK ggk::AU ggl::PG ggt::PG ggu::CI ggw::PG gha:Arab:LY ghc::GB ghe:Deva:NP ghk::MM ghn::SB \
    gho:Tfng:MA ghr:Arab:PK ghs::PG ght:Tibt:NP gia::AU gib::NG gic::ZA gid::CM gie::CI gig:Arab:PK gih::AU gil::KI \
    gim::PG gin:Cyrl:RU gip::PG giq::VN gir::VN gis::CM git::CA gix::CD giy::AU giz::CM gjk:Arab:PK gjm::AU gjn::GH \
    gjr::AU gju:Arab:PK gka::PG gkd::PG gke::CM gkn::NG gko::AU gkp::GN gku::ZA gl::ES glb::NG glc::TD gld:Cyrl:RU \
    glh:Arab:AF glj::TD glk:Arab:IR gll::AU glo::NG glr::LR glu::TD glw::NG gma::AU gmb::SB gmd::NG gmg::PG gmh::DE \
    gml:Latf:DE gmm::CM gmn::CM gmr::AU gmu::PG gmv:Ethi:ET gmx::TZ gmy:Linb:GR gmz::NG gn::PY gna::BF gnb::IN \
    gnc::ES gnd::CM gne::NG gng::TG gnh::NG gni::AU gnj::CI gnk::BW gnl::AU gnm::PG gnn::AU gnq::MY gnr::AU gnt::PG \
    gnu::PG gnw::BO gnz::CF goa::CI gob::CO goc::PG god::CI goe:Tibt:BT gof:Ethi:ET gog::TZ goh::DE goi::PG \
    goj:Deva:IN gok:Deva:IN gol::LR gon:Deva:IN goo::FJ gop::ID goq::ID gor::ID gos::NL got:Goth:UA gou::CM gov::CI \
    gow::TZ gox::CD goy::TD gpa::NG gpe::GH gpn::PG gqa::NG gqn::BR gqr::TD gra:Deva:IN grb::LR grc:Grek:GR grd::NG \
    grg::PG grh::NG gri::SB grj::LR grm::MY grq::PG grs::ID grt:Beng:IN gru:Ethi:ET grv::LR grw::PG grx::PG gry::LR \
    grz::PG gsl::SN gsn::PG gso::CF gsp::PG gsw::CH gta::BR gtu::AU gu:Gujr:IN gua::NG gub::BR guc::CO gud::CI \
    gue::AU guf::AU guh::CO gui::BO guk::ET gul::US gum::CO gun::BR guo::CO gup::AU guq::PY gur::GH gut::CR guu::VE \
    guw::BJ gux::BF guz::KE gv::IM gva::PY gvc::BR gve::PG gvf::PG gvj::BR gvl::TD gvm::NG gvn::AU gvo::BR gvp::BR \
    gvr:Deva:NP gvs::PG gvy::AU gwa::CI gwb::NG gwc:Arab:PK gwd::ET gwe::TZ gwf:Arab:PK gwg::NG gwi::CA gwj::BW \
    gwm::AU gwn::NG gwr::UG gwt:Arab:AF gwu::AU gww::AU gwx::GH gxx::CI gyb::PG gyd::AU gye::NG gyf::AU gyg::CF \
    gyi::CM gyl::ET gym::PA gyn::GY gyo:Deva:NP gyr::BO gyy::AU gyz::NG gza::SD gzi:Arab:IR gzn::ID ha-CM:Arab:CM \
    ha-SD:Arab:SD ha::NG haa::US hac:Arab:IR had::ID hae::ET hag::GH hah::PG hai::CA haj::IN hak-Hant:Hant:TW \
    hak-TW:Hant:TW hak:Hans:CN hal::VN ham::PG han::TZ hao::PG hap::ID haq::TZ har:Ethi:ET has::CA hav::CD haw::US \
    hax::CA hay::TZ haz:Arab:AF hba::CD hbb::NG hbn::SD hbo:Hebr:IL hbu::TL hch::MX hdy:Ethi:ET he:Hebr:IL hed::TD \
    heg::ID heh::TZ hei::CA hem::CD hgm::NA hgw::PG hhi::PG hhr::SN hhy::PG hi:Deva:IN hia::NG hib::PE hid::US \
    hif:Deva:FJ hig::NG hih::PG hii:Takr:IN hij::CM hik::ID hil::PH hio::BW hir::BR hit:Xsux:TR hiw::VU hix::BR \
    hji::ID hka::TZ hke::CD hkh:Arab:IN hkk::PG hla::PG hlb:Deva:IN hld::VN hlt::MM hlu:Hluw:TR hma::CN hmb::ML \
    hmd:Plrd:CN hmf::VN hmj:Bopo:CN hmm::CN hmn::CN hmp::CN hmq:Bopo:CN hmr::IN hms::CN hmt::PG hmu::ID hmv::VN \
    hmw::CN hmy::CN hmz::CN hna::CM hnd:Arab:PK hne:Deva:IN hng::AO hnh::BW hni::CN hnj-Hmng:Hmng:LA hnj:Hmnp:US \
    hnn::PH hno:Arab:PK hns::SR ho::PG hoa::SB hob::PG hoc:Deva:IN hod::NG hoe::NG hoh:Arab:OM hoi::US hoj:Deva:IN \
    hol::AO hom::SS hoo::CD hop::US hor::TD hot::PG hov::ID how:Hani:CN hoy:Deva:IN hpo:Mymr:MM hr::HR hra::IN \
    hrc::PG hre::VN hrk::ID hrm::CN hro::VN hrp::AU hrt:Syrc:TR hru::IN hrw::PG hrx::BR hrz:Arab:IR hsb::DE \
    hsn:Hans:CN hss:Arab:OM ht::HT hti::ID hto::CO hts::TZ htu::ID htx:Xsux:TR hu::HU hub::PE huc::BW hud::ID \
    hue::MX huf::PG hug::PE huh::CL hui::PG huk::ID hul::PG hum::CD hup::US hur::CA hus::MX hut:Deva:NP huu::PE \
    huv::MX huw::ID hux::PE huy:Hebr:IL huz:Cyrl:RU hvc::HT hve::MX hvk::NC hvn::ID hvv::MX hwa::CI hwc::US hwo::NG \
    hy:Armn:AM hya::CM hyw:Armn:AM hz::NA ia::001 iai::NC ian::PG iar::PG iba::MY ibb::NG ibd::AU ibe::NG ibg::PH \
    ibh::VN ibl::PH ibm::NG ibn::NG ibr::NG ibu::ID iby::NG ica::BJ ich::NG icr::CO id::ID ida::KE idb::IN idc::NG \
    idd::BJ ide::NG idi::PG idr::SS ids::NG idt::TL idu::NG ie::EE ifa::PH ifb::PH ife::TG iff::VU ifk::PH ifm::CG \
    ifu::PH ify::PH ig::NG igb::NG ige::NG igg::PG igl::NG igm::PG ign::BO igo::PG igs::001 igw::NG ihb::ID ihi::NG \
    ihp::ID ihw::AU ii:Yiii:CN iin::AU ijc::NG ije::NG ijj::BJ ijn::NG ijs::NG ik::US ikh::NG iki::NG ikk::NG \
    ikl::NG iko::NG ikp::NG ikr::AU ikt::CA ikv::NG ikw::NG ikx::UG ikz::TZ ila::ID ilb::ZM ilg::AU ili::CN ilk::PH \
    ilm::MY ilo::PH ilp::PH ilu::ID ilv::NG imi::PG iml::US imn::PG imo::PG imr::ID ims::IT imt::SS imy:Lyci:TR \
    in::ID inb::CO ing::US inh:Cyrl:RU inj::CO inn::PH ino::PG inp::PE int:Mymr:MM io::001 ior:Ethi:ET iou::PG \
    iow::US ipi::PG ipo::PG iqu::PE iqw::NG ire::ID irh::ID iri::NG irk::TZ irn::BR iru:Taml:IN irx::ID iry::PH \
    is::IS isa::PG isc::PE isd::PH ish::NG isi::NG isk:Arab:AF ism::ID isn::TZ iso::NG ist::HR isu::CM it::IT \
    itb::PH itd::ID ite::BO iti::PH itk:Hebr:IT itl:Cyrl:RU itm::NG ito::BO itr::PG its::NG itt::PH itv::PH itw::NG \
    itx::ID ity::PH itz::GT iu:Cans:CA ium::CN ivb::PH ivv::PH iw:Hebr:IL iwk::PH iwm::PG iwo::ID iws::PG ixc::MX \
    ixl::GT iya::NG iyo::CM iyx::CG izh::RU izm::NG izr::NG izz::NG ja:Jpan:JP jaa::BR jab::NG jac::GT jad:Arab:GN \
    jae::PG jaf::NG jah::MY jaj::SB jak::MY jal::ID jam::JM jan::AU jao::AU jaq::ID jas::NC jat:Arab:AF jau::ID \
    jax::ID jay::AU jaz::NC jbe:Hebr:IL jbi::AU jbj::ID jbk::PG jbm::NG jbn:Arab:LY jbo::001 jbr::ID jbt::BR jbu::CM \
    jbw::AU jct:Cyrl:UA jda:Tibt:IN jdg:Arab:PK jdt:Cyrl:RU jeb::PE jee:Deva:NP jeh::VN jei::ID jek::CI jel::ID \
    jen::NG jer::NG jet::PG jeu::TD jgb::CD jge:Geor:GE jgk::NG jgo::CM jhi::MY ji:Hebr:UA jia::CM jib::NG jic::HN \
    jid::NG jie::NG jig::AU jil::PG jim::CM jit::TZ jiu::CN jiv::EC jiy::CN jje:Hang:KR jjr::NG jka::ID jkm:Mymr:MM \
    jko::PG jku::NG jle::SD jma::PG jmb::NG jmc::TZ jmd::ID jmi::NG jml:Deva:NP jmn::MM jmr::GH jms::NG jmw::PG \
    jmx::MX jna:Takr:IN jnd:Arab:PK jng::AU jni::NG jnj::ET jnl:Deva:IN jns:Deva:IN job::CD jod::CI jog:Arab:PK \
    jor::BO jow::ML jpa:Hebr:PS jpr:Hebr:IL jqr::PE jra::VN jrb:Hebr:IL jrr::NG jrt::NG jru::VE jua::BR jub::NG \
    jud::CI juh::NG jui::AU juk::NG jul:Deva:NP jum::SD jun:Orya:IN juo::NG jup::BR jur::BR jut::DK juu::NG juw::NG \
    juy:Orya:IN jv::ID jvd::ID jvn::SR jw::ID jwi::GH jya:Tibt:CN jye:Hebr:IL jyy::TD ka:Geor:GE kaa:Cyrl:UZ kab::DZ \
    kac::MM kad::NG kag::MY kah::CF kai::NG kaj::NG kak::PH kam::KE kao::ML kap:Cyrl:RU kaq::PE kav::BR kaw:Bali:ID \
    kax::ID kay::BR kba::AU kbb::BR kbc::BR kbd:Cyrl:RU kbe::AU kbg:Tibt:IN kbh::CO kbi::ID kbj::CD kbk::PG kbl::TD \
    kbm::PG kbn::CF kbo::SS kbp::TG kbq::PG kbr::ET kbs::GA kbt::PG kbu:Arab:PK kbv::ID kbw::PG kbx::PG kby:Arab:NE \
    kbz::NG kca:Cyrl:RU kcb::PG kcc::NG kcd::ID kce::NG kcf::NG kcg::NG kch::NG kci::NG kcj::GW kck::ZW kcl::PG \
    kcm::CF kcn::UG kco::PG kcp::SD kcq::NG kcs::NG kct::PG kcu::TZ kcv::CD kcw::CD kcy:Arab:DZ kcz::TZ kda::AU \
    kdc::TZ kdd::AU kde::TZ kdf::PG kdg::CD kdh::TG kdi::UG kdj::UG kdk::NC kdl::NG kdm::NG kdn::ZW kdp::NG \
    kdq:Beng:IN kdr::LT kdt:Thai:TH kdw::ID kdx::NG kdy::ID kdz::CM kea::CV keb::GA kec::SD ked::TZ kee::US kef::TG \
    keg::SD keh::PG kei::ID kek::GT kel::CD kem::TL ken::CM keo::UG ker::TD kes::NG ket:Cyrl:RU keu::TG kev:Mlym:IN \
    kew::PG kex:Deva:IN key:Telu:IN kez::NG kfa:Knda:IN kfb:Deva:IN kfc:Telu:IN kfd:Knda:IN kfe:Taml:IN kff::IN \
    kfg:Knda:IN kfh:Mlym:IN kfi:Taml:IN kfk:Deva:IN kfl::CM kfm:Arab:IR kfn::CM kfo::CI kfp:Deva:IN kfq:Deva:IN \
    kfr:Deva:IN kfs:Deva:IN kfu:Deva:IN kfv::IN kfw::IN kfx:Deva:IN kfy:Deva:IN kfz::BF kg::CD kga::CI kgb::ID \
    kge::ID kgf::PG kgj:Deva:NP kgk::BR kgl::AU kgo::SD kgp::BR kgq::ID kgr::ID kgs::AU kgt::NG kgu::PG kgv::ID \
    kgw::ID kgx::ID kgy:Deva:NP kha::IN khb:Talu:CN khc::ID khd::ID khe::ID khf:Thai:LA khg:Tibt:CN khh::ID khj::NG \
    khl::PG khn:Deva:IN kho:Brah:IR khp::ID khq::ML khr::IN khs::PG kht:Mymr:IN khu::AO khv:Cyrl:RU khw:Arab:PK \
    khx::CD khy::CD khz::PG ki::KE kia::TD kib::SD kic::US kid::CM kie::TD kif:Deva:NP kig::ID kih::PG kij::PG \
    kil::NG kim:Cyrl:RU kio::US kip:Deva:NP kiq::ID kis::PG kit::PG kiu::TR kiv::TZ kiw::PG kix::IN kiy::ID kiz::TZ \
    kj::NA kja::ID kjb::GT kjc::ID kjd::PG kje::ID kjg:Laoo:LA kjh:Cyrl:RU kji::SB kjj::AZ kjk::ID kjl:Deva:NP \
    kjm::VN kjn::AU kjo:Deva:IN kjp:Mymr:MM kjq::US kjr::ID kjs::PG kjt:Thai:TH kju::US kjx::PG kjy::PG kjz:Tibt:BT \
    kk-AF:Arab:AF kk-Arab:Arab:CN kk-CN:Arab:CN kk-IR:Arab:IR kk-MN:Arab:MN kk:Cyrl:KZ kka::NG kkb::ID kkc::PG \
    kkd::NG kke::GN kkf:Tibt:IN kkg::PH kkh:Lana:MM kki::TZ kkj::CM kkk::SB kkl::ID kkm::NG kko::SD kkp::AU kkq::CD \
    kkr::NG kks::NG kkt:Deva:NP kku::NG kkv::ID kkw::CG kkx::ID kky::AU kkz::CA kl::GL kla::US klb::MX klc::CM \
    kld::AU kle:Deva:NP klf::TD klg::PH klh::PG kli::ID klj:Arab:IR klk::NG kll::PH klm::PG kln::KE klo::NG klp::PG \
    klq::PG klr:Deva:NP kls::PK klt::PG klu::LR klv::VU klw::ID klx::PG kly::ID klz::ID km:Khmr:KH kma::GH kmb::AO \
    kmc::CN kmd::PH kme::CM kmf::PG kmg::PG kmh::PG kmi::NG kmj:Deva:IN kmk::PH kml::PH kmm::IN kmn::PG kmo::PG \
    kmp::CM kmq::ET kms::PG kmt::ID kmu::PG kmv::BR kmw::CD kmx::PG kmy::NG kmz:Arab:IR kn:Knda:IN kna::NG knb::PH \
    knd::ID kne::PH knf::GW kni::NG knj::GT knk::SL knl::ID knm::BR knn:Deva:IN kno::SL knp::CM knq::MY knr::PG \
    kns::MY knt::BR knu::GN knv::PG knw::NA knx::ID kny::CD knz::BF ko:Kore:KR koa::PG koc::NG kod::ID koe::SS \
    kof::NG kog::CO koh::CG koi:Cyrl:RU kok:Deva:IN kol::PG koo::UG kop::PG koq::GA kos::FM kot::CM kou::TD kov::NG \
    kow::NG koy::US koz::PG kpa::NG kpc::CO kpd::ID kpe::LR kpf::PG kpg::FM kph::GH kpi::ID kpj::BR kpk::NG kpl::CD \
    kpm::VN kpn::BR kpo::TG kpq::ID kpr::PG kps::ID kpt:Cyrl:RU kpu::ID kpw::PG kpx::PG kpy:Cyrl:RU kpz::UG kqa::PG \
    kqb::PG kqc::PG kqd:Syrc:IQ kqe::PH kqf::PG kqg::BF kqh::TZ kqi::PG kqj::PG kqk::BJ kql::PG kqm::CI kqn::ZM \
    kqo::LR kqp::TD kqq::BR kqr::MY kqs::GN kqt::MY kqu::ZA kqv::ID kqw::PG kqx::CM kqy:Ethi:ET kqz::ZA kr::NG \
    kra:Deva:NP krb::US krc:Cyrl:RU krd::TL kre::BR krf::VU krh::NG kri::SL krj::PH krk:Cyrl:RU krl::RU krn::LR \
    krp::NG krr:Khmr:KH krs::SS krt::NE kru:Deva:IN krv:Khmr:KH krw::LR krx::SN kry::AZ krz::ID ks:Arab:IN ksb::TZ \
    ksc::PH ksd::PG kse::PG ksf::CM ksg::SB ksh::DE ksi::PG ksj::PG ksk::US ksl::PG ksm::NG ksn::PH kso::NG ksp::CF \
    ksq::NG ksr::PG kss::LR kst::BF ksu:Mymr:IN ksv::CD ksw:Mymr:MM ksx::ID ksz:Deva:IN kta::VN ktb:Ethi:ET ktc::NG \
    ktd::AU kte:Deva:NP ktf::CD ktg::AU kth::TD kti::ID ktj::CI ktk::PG ktl:Arab:IR ktm::PG ktn::BR kto::PG \
    ktp:Plrd:CN ktq::PH kts::ID ktt::ID ktu::CD ktv::VN ktw::US ktx::BR kty::CD ktz::NA ku-Arab:Arab:IQ \
    ku-LB:Arab:LB ku-Yezi:Yezi:GE ku::TR kub::NG kuc::ID kud::PG kue::PG kuf:Laoo:LA kug::NG kuh::NG kui::BR kuj::TZ \
    kuk::ID kul::NG kum:Cyrl:RU kun::ER kuo::PG kup::PG kuq::BR kus::GH kut::CA kuu::US kuv::ID kuw::CF kux::AU \
    kuy::AU kuz::CL kv:Cyrl:RU kva:Cyrl:RU kvb::ID kvc::PG kvd::ID kve::MY kvf::TD kvg::PG kvh::ID kvi::TD kvj::CM \
    kvl::MM kvm::CM kvn::CO kvo::ID kvp::ID kvq:Mymr:MM kvr::ID kvt:Mymr:MM kvv::ID kvw::ID kvx:Arab:PK kvy:Kali:MM \
    kvz::ID kw::GB kwa::BR kwb::NG kwc::CG kwd::SB kwe::ID kwf::SB kwg::TD kwh::ID kwi::CO kwj::PG kwk::CA kwl::NG \
    kwm::NA kwn::NA kwo::PG kwp::CI kwr::ID kws::CD kwt::ID kwu::CM kwv::TD kww::SR kwy::AO kwz::AO kxa::PG kxb::CI \
    kxc::ET kxd::BN kxf:Mymr:MM kxi::MY kxj::TD kxk:Mymr:MM kxm:Thai:TH kxn::MY kxo::BR kxp:Arab:PK kxq::ID kxr::PG \
    kxt::PG kxv::IN kxw::PG kxx::CG kxy::VN kxz::PG ky-Arab:Arab:CN ky-CN:Arab:CN ky-Latn::TR ky-TR::TR ky:Cyrl:KG \
    kya::TZ kyb::PH kyc::PG kyd::ID kye::GH kyf::CI kyg::PG kyh::US kyi::MY kyj::PH kyk::PH kyl::US kym::CF kyn::PH \
    kyo::ID kyq::TD kyr::BR kys::MY kyt::ID kyu:Kali:MM kyv:Deva:NP kyw:Deva:IN kyx::PG kyy::PG kyz::BR kza::BF \
    kzb::ID kzc::CI kzd::ID kze::PG kzf::ID kzi::MY kzk::SB kzl::ID kzm::ID kzn::MW kzo::GA kzp::ID kzr::CM kzs::MY \
    kzu::ID kzv::ID kzw::BR kzx::ID kzy::CD kzz::ID la::VA laa::PH lab:Lina:GR lac::MX lad:Hebr:IL lae:Deva:IN \
    lag::TZ lah:Arab:PK lai::MW laj::UG lal::CD lam::ZM lan::NG lap::TD laq::VN lar::GH las::TG lau::ID law::ID \
    lax::IN laz::PG lb::LU lbb::PG lbe:Cyrl:RU lbf:Deva:IN lbi::CM lbj:Tibt:IN lbl::PH lbm:Deva:IN lbn::LA \
    lbo:Laoo:LA lbq::PG lbr:Deva:NP lbt::VN lbu::PG lbv::PG lbw::ID lbx::ID lby::AU lbz::AU lcc::ID lcd::ID lce::ID \
    lcf::ID lch::AO lcl::ID lcm::PG lcp:Thai:CN lcq::ID lcs::ID lda::CI ldb::NG ldd::NG ldg::NG ldh::NG ldi::CG \
    ldj::NG ldk::NG ldl::NG ldm::GN ldn::001 ldo::NG ldp::NG ldq::NG lea::CD leb::ZM lec::BO led::CD lee::BF lef::GH \
    leh::ZM lei::PG lej::CD lek::PG lel::CD lem::CM len::SV leo::CM lep:Lepc:IN leq::PG ler::PG les::CD let::PG \
    leu::PG lev::ID lew::ID lex::ID ley::ID lez:Cyrl:RU lfa::CM lfn::001 lg::UG lga::SB lgb::SB lgg::UG lgh::VN \
    lgi::ID lgk::VU lgl::SB lgm::CD lgn::ET lgo::SS lgq::GH lgr::SB lgt::PG lgu::SB lgz::CD lha::VN lhh::ID lhi::CN \
    lhm:Deva:NP lhn::MY lhs:Syrc:SY lht::VU lhu::CN li::NL lia::SL lib::PG lic::CN lid::PG lie::CD lif-Limb:Limb:IN \
    lif:Deva:NP lig::GH lih::PG lij::IT lik::CD lil::CA lio::ID lip::GH liq::ET lir::LR lis:Lisu:CN liu::SD liv::LV \
    liw::ID lix::ID liy::CF liz::CD lja::AU lje::ID lji::ID ljl::ID ljp::ID ljw::AU ljx::AU lka::TL lkb::KE lkc::VN \
    lkd::BR lke::UG lkh:Tibt:BT lki:Arab:IR lkj::MY lkl::PG lkm::AU lkn::VU lko::KE lkr::SS lks::KE lkt::US lku::AU \
    lky::SS lla::NG llb::MZ llc::GN lld::IT lle::PG llf::PG llg::ID lli::CG llj::AU llk::MY lll::PG llm::ID lln::TD \
    llp::VU llq::ID llu::SB llx::FJ lma::GN lmb::VU lmc::AU lmd::SD lme::TD lmf::ID lmg::PG lmh:Deva:NP lmi::CD \
    lmj::ID lmk::IN lml::VU lmn:Telu:IN lmo::IT lmp::CM lmq::ID lmr::ID lmu::VU lmv::FJ lmw::US lmx::CM lmy::ID \
    ln::CD lna::CF lnb::NA lnd::ID lng::HU lnh::MY lni::PG lnj::AU lnl::CF lnm::PG lnn::VU lns::CM lnu::NG lnw::AU \
    lnz::CD lo:Laoo:LA loa::ID lob::BF loc::PH loe::ID log::CD loh::SS loi::CI loj::PG lok::SL lol::CD lom::LR \
    lon::MW loo::CD lop::NG loq::CD lor::CI los::PG lot::SS lou::US low::MY lox::ID loy:Deva:NP loz::ZM lpa::VU \
    lpe::ID lpn::MM lpo:Plrd:CN lpx::SS lqr::SS lra::MY lrc:Arab:IR lrg::AU lri::KE lrk:Arab:PK lrl:Arab:IR lrm::KE \
    lrn::ID lro::SD lrt::ID lrv::VU lrz::VU lsa:Arab:IR lsd:Hebr:IL lse::CD lsi::MM lsm::UG lsr::PG lss:Arab:PK \
    lt::LT ltc:Hant:CN ltg::LV lth::UG lti::ID ltn::BR lto::KE lts::KE ltu::ID lu::CD lua::CD luc::UG lud::RU \
    lue::ZM luf::PG lui::US luj::CD luk:Tibt:BT lul::SS lum::AO lun::ZM luo::KE lup::GA luq::CU lur::ID lus::IN \
    lut::US luu:Deva:NP luv:Arab:OM luw::CM luy::KE luz:Arab:IR lv::LV lva::TL lvi::LA lvk::SB lvl::CD lvu::ID \
    lwa::CD lwe::ID lwg::KE lwh::VN lwl:Thai:TH lwm:Thai:CN lwo::SS lwt::ID lww::VU lxm::PG lya:Tibt:BT lyn::ZM \
    lzh:Hans:CN lzl::VU lzn::MM lzz-GE:Geor:GE lzz-Geor:Geor:GE lzz::TR maa::MX mab::MX mad::ID mae::NG maf::CM \
    mag:Deva:IN mai:Deva:IN maj::MX mak::ID mam::GT man-Nkoo:Nkoo:GN man::GM maq::MX mas::KE mat::MX mau::MX mav::BR \
    maw::GH max::ID maz::MX mba::PH mbb::PH mbc::BR mbd::PH mbf::SG mbh::PG mbi::PH mbj::BR mbk::PG mbl::BR mbm::CG \
    mbn::CO mbo::CM mbp::CO mbq::PG mbr::CO mbs::PH mbt::PH mbu::NG mbv::GN mbw::PG mbx::PG mby:Arab:PK mbz::MX \
    mca::PY mcb::PE mcc::PG mcd::PE mce::MX mcf::PE mcg::VE mch::VE mci::PG mcj::NG mck::AO mcl::CO mcm::MY mcn::TD \
    mco::MX mcp::CM mcq::PG mcr::PG mcs::CM mct::CM mcu::CM mcv::PG mcw::TD mcx::CF mcy::PG mcz::PG mda::NG mdb::PG \
    mdc::PG mdd::CM mde:Arab:TD mdf:Cyrl:RU mdg::TD mdh::PH mdi::CD mdj::CD mdk::CD mdm::CD mdn::CF mdp::CD mdq::CD \
    mdr::ID mds::PG mdt::CG mdu::CG mdv::MX mdw::CG mdx:Ethi:ET mdy:Ethi:ET mdz::BR mea::CM meb::PG mec::AU med::PG \
    mee::PG meh::MX mej::ID mek::PG mel::MY mem::AU men::SL meo::MY mep::AU meq::CM mer::KE mes::TD met::PG meu::PG \
    mev::LR mew::NG mey::SN mez::US mfa:Arab:TH mfb::ID mfc::CD mfd::CM mfe::MU mff::CM mfg::GN mfh::CM mfi:Arab:CM \
    mfj::CM mfk::CM mfl::NG mfm::NG mfn::NG mfo::NG mfp::ID mfq::TG mfr::AU mft::PG mfu::AO mfv::SN mfw::PG mfx::ET \
    mfy::MX mfz::SS mg::MG mga:Latg:IE mgb::TD mgc::SS mgd::SS mge::TD mgf::ID mgg::CM mgh::MZ mgi::NG mgj::NG \
    mgk::ID mgl::PG mgm::TL mgn::CF mgo::CM mgp:Deva:NP mgq::TZ mgr::ZM mgs::TZ mgt::PG mgu::PG mgv::TZ mgw::TZ \
    mgy::TZ mgz::TZ mh::MH mhb::GA mhc::MX mhd::TZ mhe::MY mhf::PG mhg::AU mhi::UG mhj:Arab:AF mhk::CM mhl::PG \
    mhm::MZ mhn::IT mho::ZM mhp::ID mhq::US mhs::ID mht::VE mhu::IN mhw::BW mhx::MM mhy::ID mhz::ID mi::NZ mia::US \
    mib::MX mic::CA mid:Mand:IQ mie::MX mif::CM mig::MX mih::MX mii::MX mij::CM mik::US mil::MX mim::MX min::ID \
    mio::MX mip::MX miq::NI mir::MX mit::MX miu::MX miw::PG mix::MX miy::MX miz::MX mjb::TL mjc::MX mjd::US mje::TD \
    mjg::CN mjh::TZ mji::CN mjj::PG mjk::PG mjl:Deva:IN mjm::PG mjn::PG mjq:Mlym:IN mjr:Mlym:IN mjs::NG mjt:Deva:IN \
    mju:Telu:IN mjv:Mlym:IN mjw::IN mjx::BD mjy::US mjz:Deva:NP mk:Cyrl:MK mka::CI mkb:Deva:IN mkc::PG mke:Deva:IN \
    mkf::NG mki:Arab:PK mkj::FM mkk::CM mkl::BJ mkm:Thai:TH mkn::ID mko::NG mkp::PG mkr::PG mks::MX mkt::NC mku::GN \
    mkv::VU mkw::CG mkx::PH mky::ID mkz::TL ml:Mlym:IN mla::VU mlb::CM mlc::VN mle::PG mlf:Thai:LA mlh::PG mli::ID \
    mlj::TD mlk::KE mll::VU mln::SB mlo::SN mlp::PG mlq::SN mlr::CM mls::SD mlu::SB mlv::VU mlw::CM mlx::VU mlz::PH \
    mma::NG mmb::ID mmc::MX mmd::CN mme::VU mmf::NG mmg::VU mmh::BR mmi::PG mmm::VU mmn::PH mmo::PG mmp::PG mmq::PG \
    mmr::CN mmt::PG mmu::CM mmv::BR mmw::VU mmx::PG mmy::TD mmz::CD mn-CN:Mong:CN mn-Mong:Mong:CN mn:Cyrl:MN mna::PG \
    mnb::ID mnc:Mong:CN mnd::BR mne::TD mnf::CM mng::VN mnh::CD mni:Beng:IN mnj:Arab:AF mnl::VU mnm::PG mnn::VN \
    mnp::CN mnq::MY mnr::US mns:Cyrl:RU mnu::ID mnv::SB mnw:Mymr:MM mnx::ID mny::MZ mnz::ID mo::RO moa::CI moc::AR \
    mod::US moe::CA mog::ID moh::CA moi::NG moj::CG mok::ID mom::NI moo::VN mop::BZ moq::ID mor::SD mos::BF mot::CO \
    mou::TD mov::US mow::CG mox::PG moy::ET moz::TD mpa::TZ mpb::AU mpc::AU mpd::BR mpe::ET mpg::TD mph::AU mpi::CM \
    mpj::AU mpk::TD mpl::PG mpm::MX mpn::PG mpo::PG mpp::PG mpq::BR mpr::SB mps::PG mpt::PG mpu::BR mpv::PG mpw::BR \
    mpx::PG mpy::ID mpz:Thai:TH mqa::ID mqb::CM mqc::ID mqe::PG mqf::ID mqg::ID mqh::MX mqi::ID mqj::ID mqk::PH \
    mql::BJ mqm::PF mqn::ID mqo::ID mqp::ID mqq::MY mqr::ID mqs::ID mqu::SS mqv::PG mqw::PG mqx::ID mqy::ID mqz::PG \
    mr:Deva:IN mra:Thai:TH mrb::VU mrc::US mrd:Deva:NP mrf::ID mrg::IN mrh::IN mrj:Cyrl:RU mrk::NC mrl::FM mrm::VU \
    mrn::SB mro:Mroo:BD mrp::VU mrq::PF mrr:Deva:IN mrs::VU mrt::NG mru::CM mrv::PF mrw::PH mrx::ID mry::PH mrz::ID \
    ms-CC:Arab:CC ms::MY msb::PH msc::GN mse::TD msf::ID msg::ID msh::MG msi::MY msj::CD msk::PH msl::ID msm::PH \
    msn::VU mso::ID msp::BR msq::NC mss::ID msu::PG msv::CM msw::GW msx::PG msy::PG msz::PG mt::MT mta::PH mtb::CI \
    mtc::PG mtd::ID mte::SB mtf::PG mtg::ID mth::ID mti::PG mtj::ID mtk::CM mtl::NG mtm:Cyrl:RU mtn::NI mto::MX \
    mtp::BO mtq::VN mtr:Deva:IN mts::PE mtt::VU mtu::MX mtv::PG mtw::PH mtx::MX mty::PG mua::CM mub::TD muc::CM \
    mud:Cyrl:RU mue::EC mug::CM muh::SS mui::ID muj::TD muk:Tibt:NP mum::PG muo::CM muq::CN mur::SS mus::US \
    mut:Deva:IN muu::KE muv:Taml:IN mux::PG muy::CM muz:Ethi:ET mva::PG mvd::ID mve:Arab:PK mvf:Mong:CN mvg::MX \
    mvh::TD mvk::PG mvl::AU mvn::PG mvo::SB mvp::ID mvq::PG mvr::ID mvs::ID mvt::VU mvu::TD mvv::MY mvw::TZ mvx::ID \
    mvy:Arab:PK mvz:Ethi:ET mwa::PG mwb::PG mwc::PG mwe::TZ mwf::AU mwg::PG mwh::PG mwi::VU mwk::ML mwl::PT mwm::TD \
    mwn::ZM mwo::VU mwp::AU mwq::MM mwr:Deva:IN mws::KE mwt:Mymr:MM mwu::SS mwv::ID mww:Hmnp:US mwz::CD mxa::MX \
    mxb::MX mxc::ZW mxd::ID mxe::VU mxf::CM mxg::AO mxh::CD mxi::ES mxj::IN mxk::PG mxl::BJ mxm::PG mxn::ID mxo::ZM \
    mxp::MX mxq::MX mxr::MY mxs::MX mxt::MX mxu::CM mxv::MX mxw::PG mxx::CI mxy::MX mxz::ID my:Mymr:MM myb::TD \
    myc::CD mye::GA myf::ET myg::CM myh::US myj::SS myk::ML myl::ID mym:Ethi:ET myp::BR myr::PE myu::BR myv:Cyrl:RU \
    myw::PG myx::UG myy::CO myz:Mand:IR mza::MX mzd::CM mze::PG mzh::AR mzi::MX mzj::LR mzk::NG mzl::MX mzm::NG \
    mzn:Arab:IR mzo::BR mzp::BO mzq::ID mzr::BR mzt::MY mzu::PG mzv::CF mzw::GH mzx::GY mzz::PG
    """
}
