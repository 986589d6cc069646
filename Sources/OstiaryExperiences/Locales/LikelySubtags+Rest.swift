// Made by Scripts/locales.py from CLDR 47 (PyPI's Babel 2.18.0). Do not edit.

extension LikelySubtags {
  /// The same of languages from `n` on.
  static let rest: StaticString = """
    na::NR naa::ID nab::BR nac::PG nae::ID naf::PG nag::IN naj::GN nak::PG nal::PG nam::AU nan-Hant:Hant:TW \
    nan-TW:Hant:TW nan:Hans:CN nao:Deva:NP nap::IT naq::NA nar::NG nas::PG nat::NG naw::GH nax::PG nay::AU naz::MX \
    nb::NO nba::AO nbb::NG nbc::IN nbd::CD nbe::IN nbh::NG nbi::IN nbj::AU nbk::PG nbm::CF nbn::ID nbo::NG nbp::NG \
    nbq::ID nbr::NG nbt::IN nbu::IN nbv::CM nbw::CD nby::PG nca::PG ncb::IN ncc::PG ncd:Deva:NP nce::PG ncf::PG \
    ncg::CA nch::MX nci::MX ncj::MX nck::AU ncl::MX ncm::PG ncn::PG nco::PG ncq:Laoo:LA ncr::CM nct::IN ncu::GH \
    ncx::MX ncz::US nd::ZW nda::CG ndb::CM ndc::MZ ndd::NG ndf:Cyrl:RU ndg::TZ ndh::TZ ndi::NG ndj::TZ ndk::CD \
    ndl::CD ndm::TD ndn::CG ndp::UG ndq::AO ndr::NG nds::DE ndt::CD ndu::CM ndv::SN ndw::CD ndx::ID ndy::CF ndz::SS \
    ne:Deva:NP nea::ID neb::CI nec::ID ned::NG nee::NC neg:Cyrl:RU neh:Tibt:BT nei:Xsux:TR nej::PG nek::NC nem::NC \
    nen::NC neo::VN neq::MX ner::ID net::PG neu::001 new:Deva:NP nex::PG ney::CI nez::US nfa::ID nfd::NG nfl::SB \
    nfr::GH nfu::CM ng::NA nga::CD ngb::CD ngc::CD ngd::CF nge::CM ngg::CF ngh::ZA ngi::NG ngj::CM ngk::AU ngl::MZ \
    ngm::FM ngn::CM ngp::TZ ngq::TZ ngr::SB ngs::NG ngt:Laoo:LA ngu::MX ngv::CM ngw::NG ngx::NG ngy::CM ngz::CG \
    nha::AU nhb::CI nhc::MX nhd::PY nhe::MX nhf::AU nhg::MX nhi::MX nhk::MX nhm::MX nhn::MX nho::PG nhp::MX nhq::MX \
    nhr::BW nht::MX nhu::CM nhv::MX nhw::MX nhx::MX nhy::MX nhz::MX nia::ID nib::PG nid::AU nie::TD nif::PG nig::AU \
    nih::TZ nii::PG nij::ID nil::ID nim::TZ nin::NG nio:Cyrl:RU niq::KE nir::ID nis::PG nit:Telu:IN niu::NU \
    niv:Cyrl:RU niw::PG nix::CD niy::CD niz::PG nja::NG njb::IN njd::TZ njh::IN nji::AU njj::CM njl::SS njm::IN \
    njn::IN njo::IN njr::NG njs::ID njt::SR nju::AU njx::CG njy::CM njz::IN nka::ZM nkb::IN nkc::CM nkd::IN nke::SB \
    nkf::IN nkg::PG nkh::IN nki::IN nkj::ID nkk::VU nkm::PG nkn::AO nko::GH nkq::GH nkr::FM nks::ID nkt::TZ nku::CI \
    nkv::MW nkw::CD nkx::NG nkz::NG nl::NL nla::CM nlc::ID nle::KE nlg::SB nli:Arab:AF nlj::CD nlk::ID nlm:Arab:PK \
    nlo::CD nlq::MM nlu::GH nlv::MX nlw::AU nlx:Deva:IN nly::AU nlz::SB nma::IN nmb::VU nmc::TD nmd::GA nme::IN \
    nmf::IN nmg::CM nmh::IN nmi::NG nmj::CF nmk::VU nml::CM nmm:Deva:NP nmn::BW nmo::IN nmp::AU nmq::ZW nmr::CM \
    nms::VU nmt::FM nmu::US nmv::AU nmw::PG nmx::PG nmz::TG nn::NO nna::AU nnb::CD nnc::TD nnd::VU nne::AO nnf::PG \
    nng::IN nnh::CM nni::ID nnj::ET nnk::PG nnl::IN nnm::PG nnn::TD nnp:Wcho:IN nnq::TZ nnr::AU nnt::US nnu::GH \
    nnv::AU nnw::BF nny::AU nnz::CM no::NO noa::CO noc::PG nod:Lana:TH noe:Deva:IN nof::PG nog:Cyrl:RU noh::PG \
    noi:Deva:IN noj::CO nok::US non:Runr:SE nop::PG noq::CD nos:Yiii:CN not::PE nou::PG nov::001 now::TZ noy::TD \
    npb:Tibt:BT npg::MM nph::IN npl::MX npn::PG npo::IN nps::ID npu::IN npx::SB npy::ID nqg::BJ nqk::BJ nql::AO \
    nqm::ID nqn::PG nqo:Nkoo:GN nqq::MM nqt::NG nqy::MM nr::ZA nra::GA nrb::ER nre::IN nrf::JE nrg::VU nri::IN \
    nrk::AU nrl::AU nrm::MY nrn:Runr:GB nrp::IT nru::CN nrx::AU nrz::PG nsa::IN nsb::ZA nsc::NG nsd:Yiii:CN nse::ZM \
    nsf:Yiii:CN nsg::TZ nsh::CM nsk:Cans:CA nsm::IN nsn::PG nso::ZA nsq::US nss::PG nst:Tnsa:IN nsu::MX nsv:Yiii:CN \
    nsw::VU nsx::AO nsy::ID nsz::US ntd::MY nte::MZ ntg::AU nti::BF ntj::AU ntk::TZ ntm::BJ nto::CD ntp::MX ntr::GH \
    ntu::SB ntx::MM nty:Yiii:VN ntz:Arab:IR nua::NC nuc::BR nud::PG nue::CD nuf::CN nug::AU nuh::NG nui::GQ nuj::UG \
    nuk::CA num::TO nun::MM nuo::VN nup::NG nuq::PG nur::PG nus::SS nut::VN nuu::CD nuv::BF nuw::FM nux::PG nuy::AU \
    nuz::MX nv::US nvh::VU nvm::PG nvo::CM nwb::CI nwc:Newa:NP nwe::CM nwg::AU nwi::VU nwm::SS nwo::AU nwr::PG \
    nww::TZ nwx:Deva:NP nxa::TL nxd::CD nxe::ID nxg::ID nxi::TZ nxl::ID nxn::AU nxo::GA nxq::CN nxr::PG nxx::ID \
    ny::MW nyb::GH nyc::CD nyd::KE nye::AO nyf::KE nyg::CD nyh::AU nyi::SD nyj::CD nyk::AO nyl:Thai:TH nym::TZ \
    nyn::UG nyo::UG nyp::UG nyq:Arab:IR nyr::MW nys::AU nyt::AU nyu::MZ nyv::AU nyw:Thai:TH nyx::AU nyy::TZ nza::CM \
    nzb::GA nzd::CD nzi::GH nzk::CF nzm::IN nzr::NG nzu::CG nzy::TD nzz::ML oaa:Cyrl:RU oac:Cyrl:RU oar:Syrc:SY \
    oav:Geor:GE obi::US obk::PH obl::CM obm:Phnx:JO obo::PH obr:Mymr:MM obt::FR obu::NG oc::FR oca::PE oco::GB \
    ocu::MX oda::NG odk:Arab:PK odt::NL odu::NG ofs::NL ofu::NG ogb::NG ogc::NG ogg::NG ogo::NG ogu::NG oht:Xsux:TR \
    ohu::HU oia::ID oie::SS oin::PG oj:Cans:CA ojb::CA ojc::CA ojs:Cans:CA ojv::SB ojw::CA oka::CA okb::NG okc::CD \
    okd::NG oke::NG okg::AU oki::KE okk::PG okm:Hang:KR oko:Hani:KR okr::NG oks::NG oku::CM okv::PG okx::NG \
    okz:Khmr:KH ola:Deva:NP old::TZ ole:Tibt:BT olk::AU olm::NG olo::RU olr::VU olt::LT olu::AO om::ET oma::US \
    omb::VU omc::PE omg::PE omi::CD omk:Cyrl:RU oml::CD omo::PG omp:Mtei:IN omr:Modi:IN omt::KE omu::PE omw::PG \
    omx:Mymr:MM ona::AR one::CA ong::PG oni::ID onj::PG onk::PG onn::PG ono::CA onp::IN onr::PG ons::PG ont::PG \
    onu::VU onx::ID ood::US oon:Deva:IN oor::ZA opa::NG opk::ID opm::PG opo::PG opt::MX opy::BR or:Orya:IN ora::SB \
    orc::KE ore::PE org::NG orn::MY oro::PG orr::NG ors::MY ort:Telu:IN oru:Arab:PK orv:Cyrl:RU orw::BR orx::NG \
    orz::ID os:Cyrl:GE osa:Osge:US osc:Ital:IT osi:Java:ID oso::NG osp::ES ost::CM osu::PG osx::DE ota:Arab:TR \
    otb:Tibt:CN otd::ID ote::MX oti::BR otk:Orkh:MN otl::MX otm::MX otn::MX otq::MX otr::SD ots::MX ott::MX otu::BR \
    otw::CA otx::MX oty:Gran:IN otz::MX oub::LR oue::PG oui:Ougr:CN oum::PG ovd::SE owi::PG owl::GB oyd::ET oym::BR \
    oyy::PG ozm::CM pa-Arab:Arab:PK pa-PK:Arab:PK pa:Guru:IN pab::BR pac::VN pad::BR pae::CD paf::BR pag::PH pah::BR \
    pai::NG pak::BR pal-Phlp:Phlp:CN pal:Phli:IR pam::PH pao::US pap::CW paq:Cyrl:TJ par::US pas::ID pau::PW pav::BR \
    paw::US pax::BR pay::HN paz::BR pbb::CO pbc::GY pbe::MX pbf::MX pbg::VE pbh::VE pbi::CM pbl::NG pbm::MX pbn::NG \
    pbo::GW pbp::GN pbr::TZ pbs::MX pbt:Arab:AF pbv::IN pby::PG pca::MX pcb:Khmr:KH pcc::CN pcd::FR pce:Mymr:MM \
    pcf:Mlym:IN pcg:Mlym:IN pch:Deva:IN pci:Deva:IN pcj:Telu:IN pck::IN pcm::NG pcn::NG pcp::BO pcw::NG pda::PG \
    pdc::US pdn::ID pdo::ID pdt::CA pdu::MM pea::ID peb::US ped::PG pee::ID peg:Orya:IN pei::MX pek::PG pel::ID \
    pem::CD peo:Xpeo:IR pep::PG peq::US pev::VE pex::PG pey::ID pez::MY pfa::FM pfe::CM pfl::DE pga::SS pgd:Khar:PK \
    pgg:Deva:IN pgi::PG pgk::VU pgl:Ogam:IE pgn:Ital:IT pgs::NG pgu::ID phd:Deva:IN phg::VN phh::VN phk:Mymr:IN \
    phl:Arab:PK phm::MZ phn:Phnx:LB pho:Laoo:LA phr:Arab:PK pht:Thai:TH phu:Thai:TH phv:Arab:AF phw:Deva:NP \
    pi:Sinh:IN pia::MX pib::PE pic::GA pid::VE pif::FM pig::PE pih::NF pij::CO pil::BJ pim::US pin::PG pio::CO \
    pip::NG pir::BR pis::SB pit::AU piu::AU piv::SB piw::TZ pix::PG piy::NG piz::NC pjt::AU pka:Brah:IN pkb::KE \
    pkg::PG pkh::BD pkn::AU pko::KE pkp::CK pkr:Mlym:IN pku::ID pl::PL pla::PG plb::VU plc::PH pld::GB ple::ID \
    plg::AR plh::ID plk:Arab:PK pll:Mymr:MM pln::CO plo::MX plr::CI pls::MX plu::BR plv::PH plw::PH plz::MY pma::VU \
    pmb::CD pmd::AU pme::NC pmf::ID pmh:Brah:IN pmi::CN pmj::CN pml::TN pmm::CM pmn::CM pmo::ID pmq::MX pmr::PG \
    pms::IT pmt::PF pmw::US pmx::IN pmy::ID pmz::MX pna::MY pnc::ID pnd::AO pne::MY png::NG pnh::CK pni::ID pnj::AU \
    pnk::BO pnl::BF pnm::MY pnn::PG pno::PE pnp::ID pnq::BF pnr::PG pns::ID pnt-Cyrl:Cyrl:RU pnt-Latn::TR \
    pnt-RU:Cyrl:RU pnt-TR::TR pnt:Grek:GR pnv::AU pnw::AU pny::CM pnz::CF poc::GT poe::MX pof::CD pog::BR poh::GT \
    poi::MX pok::BR pom::US pon::FM poo::US pop::NC poq::MX pos::MX pot::US pov::GW pow::MX poy::TZ ppe::PG ppi::MX \
    ppk::ID ppl::SV ppm::ID ppn::PG ppo::PG ppp::CD ppq::PG pps::MX ppt::PG pqa::NG pqm::CA pra:Khar:PK prc:Arab:AF \
    prd:Arab:IR pre::ST prf::PH prg::PL prh::PH pri::NC prk::MM prm::PG pro::FR prq::PE prr::BR prt:Thai:TH pru::ID \
    prw::PG prx:Arab:IN ps:Arab:AF psa::ID pse::ID psh:Arab:AF psi:Arab:AF psm::BO psn::ID psq::PG pss::PG \
    pst:Arab:PK psu:Brah:IN psw::VU pt::BR pta::PY pth::BR pti::AU ptn::ID pto::BR ptp::PG ptr::VU ptt::ID ptu::ID \
    ptv::VU pua::MX pub::IN puc::ID pud::ID pue::AR puf::ID pug::BF pui::CO puj::ID pum:Deva:NP puo::VN pup::PG \
    puq::BO pur::BR put::ID puu::GA puw::FM pux::PG puy::US pwa::PG pwb::NG pwg::PG pwm::PH pwn::TW pwo:Mymr:MM \
    pwr:Deva:IN pww:Thai:TH pxm::MX pye::CI pym::NG pyn::BR pyu::TW pyx:Mymr:MM pyy::MM pze::NG pzh::TW pzn::MM \
    qu::PE qua::US qub::PE quc::GT qud::EC quf::PE qug::EC qui::US quk::PE qul::BO qum::GT qun::US qup::PE quq::ES \
    qur::PE qus::AR quv::GT quw::EC qux::PE quy::PE qva::PE qvc::PE qve::PE qvh::PE qvi::EC qvj::EC qvl::PE qvm::PE \
    qvn::PE qvo::PE qvp::PE qvs::PE qvw::PE qvz::EC qwa::PE qwc::PE qwh::PE qwm::HU qws::PE qwt::US qxa::PE qxc::PE \
    qxh::PE qxl::EC qxn::PE qxo::PE qxp::PE qxq:Arab:IR qxr::EC qxt::PE qxu::PE qxw::PE qya::001 qyp::US raa:Deva:NP \
    rab:Deva:NP rac::ID rad::VN raf:Deva:NP rag::KE rah:Beng:IN rai::PG raj:Deva:IN rak::PG ram::BR ran::ID rao::PG \
    rap::CL rar::CK rav:Deva:NP raw::MM rax::NG ray::PF raz::ID rbb:Mymr:MM rbk::PH rbl::PH rbp::AU rcf::RE \
    rdb:Arab:IR rea::PG reb::ID ree::MY reg::TZ rei:Orya:IN rej::ID rel::KE rem::PE ren::VN res::NG ret::ID rey::BO \
    rga::VU rgn::IT rgr::PE rgs::VN rgu::ID rhg:Rohg:MM rhp::PG ria::IN rif::MA ril::MM rim::TZ rin::NG rir::ID \
    rit::AU riu::ID rjg::ID rji:Deva:NP rjs:Deva:NP rka:Khmr:KH rkb::BR rkh::CK rki:Mymr:MM rkm::BF rkt:Beng:BD \
    rkw::AU rm::CH rma::NI rmb::AU rmc::SK rmd::DK rme::GB rmf::FI rmg::NO rmh::ID rmi:Armn:AM rmk::PG rml::PL \
    rmm::ID rmn::RS rmo::CH rmp::PG rmq::ES rmt:Arab:IR rmu::SE rmw::GB rmx::VN rmz:Mymr:IN rn::BI rnd::CD rng::MZ \
    rnl::IN rnn::ID rnr::AU rnw::TZ ro::RO rob::ID roc::VN rod::NG roe::PG rof::TZ rog::VN rol::PH rom::RO roo::PG \
    rop::AU ror::ID rou::TD row::ID rpn::VU rpt::PG rri::SB rrm::NZ rro::PG rrt::AU rsk:Cyrl:RS rsw::NG rtc::MM \
    rth::ID rtm::FJ rtw:Deva:IN ru:Cyrl:RU rub::UG ruc::UG rue:Cyrl:UA ruf::TZ rug::SB rui::TZ ruk::NG ruo::HR \
    rup::RO ruq::GR rut:Cyrl:RU ruu::MY ruy::NG ruz::NG rw::RW rwa::PG rwk::TZ rwl::TZ rwm::UG rwo::PG rwr:Deva:IN \
    rxd::AU rxw::AU ryu:Kana:JP sa:Deva:IN saa::TD sab::PA sac::US sad::TZ sae::BR saf::GH sah:Cyrl:RU saj::ID \
    sak::GA sam:Samr:PS sao::ID saq::KE sar::BO sas::ID sat:Olck:IN sau::ID sav::SN saw::ID sax::VU say::NG \
    saz:Saur:IN sba::TD sbb::SB sbc::PG sbd::BF sbe::PG sbg::ID sbh::PG sbi::PG sbj::TD sbk::TZ sbl::PH sbm::TZ \
    sbn:Arab:PK sbo::MY sbp::TZ sbq::PG sbr::ID sbs::NA sbt::ID sbu:Tibt:IN sbv::IT sbw::GA sbx::ID sby::ZM sbz::CF \
    sc::IT scb::VN sce::CN scf::PA scg::ID sch::IN sci::LK sck:Deva:IN scl:Arab:PK scn::IT sco::GB scp:Deva:NP \
    scs::CA sct:Laoo:LA scu:Takr:IN scv::NG scw::NG scx:Grek:IT sd-Deva:Deva:IN sd-IN:Deva:IN sd-Khoj:Khoj:IN \
    sd-Sind:Sind:IN sd:Arab:PK sda::ID sdb:Arab:IQ sdc::IT sde::NG sdf:Arab:IQ sdg:Arab:AF sdh:Arab:IR sdj::CG \
    sdk::PG sdn::IT sdo::MY sdq::ID sdr:Beng:BD sds:Arab:TN sdu::ID sdx::MY se::NO sea::MY seb::CI sec::CA sed::VN \
    see::US sef::CI seg::TZ seh::MZ sei::MX sej::PG sek::CA sel:Cyrl:RU sen::BF seo::PG sep::BF seq::BF ser::US \
    ses::ML set::ID seu::ID sev::CI sew::PG sey::EC sez::MM sfe::PH sfm:Plrd:CN sfw::GH sg::CF sga::IE sgb::PH \
    sgc::KE sgd::PH sge::ID sgh:Cyrl:TJ sgi::CM sgj:Deva:IN sgm::KE sgp::IN sgr:Arab:IR sgs::LT sgt:Tibt:BT sgu::ID \
    sgw:Ethi:ET sgy:Arab:AF sgz::PG sha::NG shb::BR shc::CD shd:Arab:PK she::ET shg::BW shh::US shi:Tfng:MA shj::SD \
    shk::SS shm:Arab:IR shn:Mymr:MM sho::NG shp::PE shq::ZM shr::CD shs::CA sht::US shu:Arab:TD shv:Arab:OM shw::SD \
    shy::DZ shz::ML si:Sinh:LK sia:Cyrl:RU sib::MY sid::ET sie::ZM sif::BF sig::GH sih::NC sii::IN sij::PG sik::BR \
    sil::GH sim::PG sip:Tibt:IN siq::PG sir::NG sis::US siu::PG siv::PG siw::PG six::PG siy:Arab:IR siz:Arab:EG \
    sja::CO sjb::ID sjd:Cyrl:RU sje::SE sjg::TD sjl::IN sjm::PH sjp:Deva:IN sjr::PG sjt:Cyrl:RU sju::SE sjw::US \
    sk::SK ska::US skb:Thai:TH skc::PG skd::US ske::VU skf::BR skg::MG skh::ID ski::ID skj:Deva:NP skm::PG skn::PH \
    sko::ID skp::MY skq::BF skr:Arab:PK sks::PG skt::CD sku::VU skv::ID skw::GY skx::ID sky::SB skz::ID sl::SI \
    slc::CO sld::BF slg::ID slh::US sli::PL slj::BR sll::PG slm::PH sln::US slp::ID slr::CN slu::ID slw::PG slx::CD \
    sly::ID slz::ID sm::WS sma::SE smb::PG smc::PG smf::PG smg::PG smh:Yiii:CN smj::SE smk::PH sml::PH smn::FI \
    smp:Samr:IL smq::PG smr::ID sms::FI smt::IN smu:Khmr:KH smw::ID smx::CD smy:Arab:IR smz::PG sn::ZW snc::PG \
    sne::MY snf::SN sng::CD sni::PE snj::CF snk::ML snl::PH snm::UG snn::CO sno::US snp::PG snq::GA snr::PG sns::VU \
    snu::ID snv::MY snw::GH snx::PG sny::PG snz::PG so::SO soa:Tavt:TH sob::ID soc::CD sod::CD soe::CD sog:Sogd:UZ \
    soi:Deva:NP sok::TD sol::PG soo::CD sop::CD soq::PG sor::TD sos::BF sou:Thai:TH sov::PW sow::PG sox::CM soy::BJ \
    soz::TZ spb::ID spc::VE spd::PG spe::PG spg::MY spi::ID spk::PG spl::PG spm::PG spn::PY spo::US spp::ML spq::PE \
    spr::ID sps::PG spt:Tibt:IN spv:Orya:IN sq::AL sqa::NG sqh::NG sqm::CF sqo:Arab:IR sqq:Laoo:LA sqt:Arab:YE \
    squ::CA sr-ME::ME sr-RO::RO sr-TR::TR sr:Cyrl:RS sra::PG srb:Sora:IN sre::ID srf::PG srg::PH srh:Arab:CN sri::CO \
    srk::MY srl::ID srm::SR srn::SR sro::IT srq::BO srr::SN srs::CA srt::ID sru::BR srv::PH srw::ID srx:Deva:IN \
    sry::PG srz:Arab:IR ss::ZA ssb::PH ssc::TZ ssd::PG sse::PH ssf::TW ssg::PG ssh:Arab:AE ssj::PG ssl::GH ssm::MY \
    ssn::KE sso::PG ssq::ID sss:Laoo:LA sst::PG ssu::PG ssv::VU ssx::PG ssy::ER ssz::PG st::ZA sta::ZM stb::PH \
    ste::ID stf::PG stg::VN sth::IE sti::VN stj::BF stk::PG stl::NL stm::PG stn::SB sto::CA stp::MX stq::DE str::CA \
    sts:Arab:AF stt::VN stv:Ethi:ET stw::FM sty:Cyrl:RU su::ID sua::PG sub::CD suc::PH sue::PG sug::PG sui::PG \
    suj::TZ suk::TZ suo::PG suq::ET sur::NG sus::GN sut::NI suv::IN suw::TZ suy::BR suz:Sunu:NP sv::SE sva:Geor:GE \
    svb::PG svc::VC sve::ID svm::IT svs::SB sw::TZ swb:Arab:YT swf::CD swg::DE swi:Hani:CN swj::GA swk::MW swm::PG \
    swo::BR swp::PG swq::CM swr::ID sws::ID swt::ID swu::ID swv:Deva:IN sww::VU swx::BR swy::TD sxb::KE sxe::GA \
    sxn::ID sxr::TW sxs::NG sxu:Runr:DE sxw::BJ sya::ID syb::PH syc:Syrc:TR syi::GA syk::NG syl:Beng:BD sym::BF \
    syn:Syrc:IR syo::KH syr:Syrc:IQ sys::TD syw:Deva:NP syx::GA sza::MY szb::ID szc::MY szg::CD szl::PL szn::ID \
    szp::ID szv::CM szw::ID szy::TW ta:Taml:IN taa::US tab:Cyrl:RU tac::MX tad::ID tae::BR taf::BR tag::SD \
    taj:Deva:NP tak::NG tal::NG tan::NG tao::TW tap::CD taq::ML tar::MX tas::VN tau::US tav::CO taw::PG tax::TD \
    tay::TW taz::SD tba::BR tbc::PG tbd::PG tbe::SB tbf::PG tbg::PG tbh::AU tbi::SD tbj::PG tbk:Tagb:PH tbl::PH \
    tbm::CD tbn::CO tbo::PG tbp::ID tbs::PG tbt::CD tbu::MX tbv::PG tbw::PH tbx::PG tby::ID tbz::BJ tca::BR tcb::US \
    tcc::TZ tcd::GH tce::CA tcf::MX tcg::ID tch::TC tci::PG tck::GA tcm::ID tcn:Tibt:NP tco:Mymr:MM tcp::MM tcq::ID \
    tcs::AU tcu::MX tcw::MX tcx:Taml:IN tcy:Knda:IN tcz::IN tda:Tfng:NE tdb:Deva:IN tdc::CO tdd:Tale:CN tde::ML \
    tdg:Deva:NP tdh:Deva:NP tdi::ID tdj::ID tdk::NG tdl::NG tdm::GY tdn::ID tdo::NG tdq::NG tdr::VN tds::ID tdt::TL \
    tdv::NG tdx::MG tdy::PH te:Telu:IN tea::MY teb::EC tec::KE ted::CI tee::MX teg::GA teh::AR tei::PG tek::CD \
    tem::SL ten::CO teo::UG tep::MX teq::SD ter::BR tes:Java:ID tet::TL teu::UG tev::ID tew::US tex::SS tey::SD \
    tez::NE tfi::BJ tfn::US tfo::ID tfr::PA tft::ID tg-Arab:Arab:PK tg-PK:Arab:PK tg:Cyrl:TJ tga::KE tgb::MY tgc::PG \
    tgd::NG tge:Deva:NP tgf:Tibt:BT tgh::TT tgi::PG tgj::IN tgn::PH tgo::PG tgp::VU tgq::MY tgs::VU tgt::PH tgu::PG \
    tgv::BR tgw::CI tgx::CA tgy::SS tgz::AU th:Thai:TH thd::AU the:Deva:NP thf:Deva:NP thh::MX thi:Tale:LA thk::KE \
    thl:Deva:NP thm:Thai:TH thp::CA thq:Deva:NP thr:Deva:NP ths:Deva:NP tht::CA thu::SS thv::DZ thy::NG thz::NE \
    ti:Ethi:ET tic::SD tif::PG tig:Ethi:ER tih::MY tii::CD tij:Deva:NP tik::CM til::US tim::PG tin:Cyrl:RU tio::PG \
    tip::ID tiq::BF tis::PH tit::CO tiu::PH tiv::NG tiw::AU tix::US tiy::PH tja::LR tjg::ID tji::CN tjj::AU \
    tjl:Mymr:MM tjn::CI tjo:Arab:DZ tjp::AU tjs::CN tju::AU tjw::AU tk::TM tka::BR tkb:Deva:IN tkd::TL tke::MZ \
    tkf::BR tkg::MG tkl::TK tkp::SB tkq::NG tkr::AZ tks:Arab:IR tkt:Deva:NP tku::MX tkv::PG tkw::SB tkx::ID tkz::VN \
    tl::PH tla::MX tlb::ID tlc::MX tld::ID tlf::PG tlg::ID tli::US tlj::UG tlk::ID tll::CD tlm::VU tln::ID tlp::MX \
    tlq::MM tlr::SB tls::VU tlt::ID tlu::ID tlv::ID tlx::PG tly::AZ tma::TD tmb::VU tmc::TD tmd::PG tme::BR tmf::PY \
    tmg::ID tmh::NE tmi::VU tmj::ID tml::ID tmm::VN tmn::ID tmo::MY tmq::PG tmr:Syrc:IL tmt::VU tmu::ID tmv::CD \
    tmw::MY tmy::PG tmz::VE tn::ZA tna::BO tnb::CO tnc::CO tnd::CO tng::TD tnh::PG tni::ID tnk::VU tnl::VU tnm::ID \
    tnn::VU tno::BO tnp::VU tnq::PR tnr::SN tns::PG tnt::ID tnv:Cakm:BD tnw::ID tnx::SB tny::TZ to::TO tob::AR \
    toc::MX tod::GN tof::PG tog::MW toh::MZ toi::ZM toj::MX tok::001 tol::US tom::ID too::MX top::MX toq::SS tor::CD \
    tos::MX tou::VN tov:Arab:IR tow::US tox::PW toy::ID toz::CM tpa::PG tpc::MX tpe::BD tpf::ID tpg::ID tpi::PG \
    tpj::PY tpk::BR tpl::MX tpm::GH tpn::BR tpp::MX tpr::BR tpt::MX tpu:Khmr:KH tpv::MP tpx::MX tpy::BR tpz::PG \
    tqb::BR tql::VU tqm::PG tqn::US tqo::PG tqp::PG tqt::MX tqu::SB tqw::US tr::TR tra:Arab:AF trb::PG trc::MX \
    tre::ID trf::TT trg:Hebr:IL trh::PG tri::SR trj::TD trl::GB trm:Arab:AF trn::BO tro::IN trp::IN trq::MX trr::PE \
    trs::MX trt::ID tru::TR trv::TW trw:Arab:PK trx::MY try::IN trz::BR ts::ZA tsa::CG tsb::ET tsc::MZ tsd:Grek:GR \
    tsg::PH tsh::CM tsi::CA tsj:Tibt:BT tsl::VN tsp::BF tsr::VU tst::ML tsu::TW tsv::GA tsw::NG tsx::PG tsz::MX \
    tt:Cyrl:RU ttb::NG ttc::GT ttd::PG tte::PG ttf::CM tth:Laoo:LA tti::ID ttj::UG ttk::CO ttl::ZM ttm::CA ttn::ID \
    tto:Laoo:LA ttp::ID ttr::NG tts:Thai:TH ttt::AZ ttu::PG ttv::PG ttw::MY tty::ID ttz:Deva:NP tua::PG tub::US \
    tuc::PG tud::BR tue::CO tuf::CO tug::TD tuh::PG tui::CM tuj::ID tul::NG tum::MW tun::US tuo::BR tuq::TD tus::CA \
    tuu::US tuv::KE tux::BR tuy::KE tuz::BF tva::SB tvd::NG tve::ID tvi::NG tvk::VU tvl::TV tvm::ID tvn:Mymr:MM \
    tvo::ID tvs::KE tvt::IN tvu::CM tvw::ID tvx::TW twa::US twb::PH twd::NL twe::ID twf::US twg::ID twh::VN twl::MZ \
    twm:Deva:IN twn::CM two::BW twp::PG twq::NE twr::MX twt::BR twu::ID tww::PG twx::MZ twy::ID txa::MY txe::ID \
    txg:Tang:CN txi::BR txj::NG txm::ID txn::ID txo:Toto:IN txq::ID txs::ID txt::ID txu::BR txx::MY txy::MG ty::PF \
    tya::PG tye::NG tyh::VN tyi::CG tyj::VN tyl::VN tyn::ID typ::AU tyr:Tavt:VN tys::VN tyt::VN tyu::BW tyv:Cyrl:RU \
    tyx::CG tyy::NG tyz::VN tzh::MX tzj::GT tzl::001 tzm::MA tzn::ID tzo::MX tzx::PG uam::BR uar::PG uba::NG ubi::TD \
    ubl::PH ubr::PG ubu::PG uby::TR uda::NG ude:Cyrl:RU udg:Mlym:IN udi:Cyrl:RU udj::ID udl::CM udm:Cyrl:RU udu::SD \
    ues::ID ufi::PG ug-Cyrl:Cyrl:KZ ug-KZ:Cyrl:KZ ug-MN:Cyrl:MN ug:Arab:CN uga:Ugar:SY ugb::AU uge::SB ugh:Cyrl:RU \
    ugo:Thai:TH uha::NG uhn::ID uis::PG uiv::CM uji::NG uk:Cyrl:UA uka::ID ukg::PG ukh::CF uki:Orya:IN ukk::MM \
    ukp::NG ukq::NG uku::NG ukv::SS ukw::NG uky::AU ula::NG ulb::NG ulc:Cyrl:RU ule::AR ulf::ID uli::FM ulk::AU \
    ulm::ID uln::PG ulu::ID ulw::NI uly::NG uma::US umb::AO umd::AU umg::AU umi::MY umm::NG umn::MM umo::BR ump::AU \
    umr::AU ums::ID una::PG une::NG ung::AU uni::PG unk::BR unm::US unn::AU unr-Deva:Deva:NP unr-NP:Deva:NP \
    unr:Beng:IN unu::PG unx:Beng:IN unz::ID uon::TW upi::PG upv::VU ur:Arab:PK ura::PE urb::BR urc::AU ure::BO \
    urf::AU urg::PG urh::NG uri::PG urk:Thai:TH urm::PG urn::ID uro::PG urp::BR urr::VU urt::PG uru::BR urv::PG \
    urw::PG urx::PG ury::ID urz::BR usa::PG ush:Arab:PK usi::BD usk::CM usp::GT uss::NG usu::PG uta::NG ute::US \
    uth::NG utp::SB utr::NG utu::PG uum:Grek:GE uur::VU uve::NC uvh::PG uvl::PG uwa::AU uya::NG uz-AF:Arab:AF \
    uz-Arab:Arab:AF uz-CN:Cyrl:CN uz::UZ uzs:Arab:AF vaa:Taml:IN vae::CF vaf:Arab:IR vag::GH vah:Deva:IN vai:Vaii:LR \
    vaj::NA val::PG vam::PG van::PG vao::VU vap::IN var::MX vas:Deva:IN vau::CD vav:Deva:IN vay:Deva:NP vbb::ID \
    vbk::PH ve::ZA vec::IT vem::NG veo::US vep::RU ver::NG vgr:Arab:PK vi::VN vic::SX vid::TZ vif::CG vig::BF \
    vil::AR vin::TZ vit::NG viv::PG vjk:Deva:IN vka::AU vkj::TD vkk::ID vkl::ID vkm::BR vkn::NG vko::ID vkp::IN \
    vkt::ID vku::AU vkz::NG vlp::VU vls::BE vma::AU vmb::AU vmc::MX vmd:Knda:IN vme::ID vmf::DE vmg::PG vmh:Arab:IR \
    vmi::AU vmj::MX vmk::MZ vml::AU vmm::MX vmp::MX vmq::MX vmr::MZ vms::ID vmu::AU vmw::MZ vmx::MX vmy::MX vmz::MX \
    vnk::SB vnm::VU vnp::VU vo::001 vor::NG vot::RU vra::VU vro::EE vrs::SB vrt::VU vto::ID vum::GA vun::TZ vut::CM \
    vwa::CN wa::BE waa::US wab::PG wac::US wad::ID wae::CH waf::BR wag::PG wah::ID wai::ID waj::PG wal:Ethi:ET \
    wam::US wan::CI wap::GY waq::AU war::PH was::US wat::PG wau::BR wav::NG waw::BR wax::PG way::SR waz::PG wba::VE \
    wbb::ID wbe::ID wbf::BF wbh::TZ wbi::TZ wbj::TZ wbk:Arab:AF wbl::PK wbm::CN wbp::AU wbq:Telu:IN wbr:Deva:IN \
    wbt::AU wbv::AU wbw::ID wca::BR wci::TG wdd::GA wdg::PG wdj::AU wdk::AU wdt::CA wdu::AU wdy::AU wec::CI wed::PG \
    weg::AU weh::CM wei::PG wem::BJ weo::ID wep::DE wer::PG wes::CM wet::ID weu::MM wew::ID wfg::ID wga::AU wgb::PG \
    wgg::AU wgi::PG wgo::ID wgu::AU wgy::AU wha::ID whg::PG whk::ID whu::ID wib::BF wic::US wie::AU wif::AU wig::AU \
    wih::AU wii::PG wij::AU wik::AU wil::AU wim::AU win::US wir::BR wiu::PG wiv::PG wiy::US wja::NG wji::NG wka::TZ \
    wkd::ID wkr::AU wkw::AU wky::AU wla::PG wle:Ethi:ET wlg::AU wlh::TL wli::ID wlm::GB wlo:Arab:ID wlr::VU wls::WF \
    wlu::AU wlv::AR wlw::ID wlx::GH wma::NG wmb::AU wmc::PG wmd::BR wme:Deva:NP wmh::TL wmi::AU wmm::ID wmn::NC \
    wmo::PG wms::ID wmt::AU wmw::MZ wmx::PG wnb::PG wnc::PG wnd::AU wne:Arab:PK wng::ID wni:Arab:KM wnk::ID wnm::AU \
    wnn::AU wno::ID wnp::PG wnu::PG wnw::US wny::AU wo::SN woa::AU wob::CI woc::PG wod::ID woe::FM wof::GM wog::PG \
    woi::ID wok::CM wom::NG won::CD woo::ID wor::ID wos::PG wow::ID wpc::VE wrb::AU wrg::AU wrh::AU wri::AU wrk::AU \
    wrl::AU wrm::AU wro::AU wrp::ID wrr::AU wrs::PG wru::ID wrv::PG wrw::AU wrx::ID wrz::AU wsa::ID wsg:Gong:IN \
    wsi::VU wsk::PG wsr::PG wss::GH wsu::BR wsv:Arab:AF wtb::TZ wtf::PG wth::AU wti::ET wtk::PG wtm:Deva:IN wtw::ID \
    wua::AU wub::AU wud::TG wul::ID wum::GA wun::TZ wur::AU wut::PG wuu:Hans:CN wuv::PG wux::AU wuy::ID wwa::BJ \
    wwb::AU wwo::VU wwr::AU www::CM wxw::AU wyb::AU wyi::AU wym::PL wyn::US wyr::BR wyy::FJ xaa::ES xab::NG \
    xag:Aghb:AZ xai::BR xaj::BR xak::VE xal:Cyrl:RU xam::ZA xan:Ethi:ET xao::VN xar::PG xas:Cyrl:RU xat::BR xau::ID \
    xav::BR xaw::US xay::ID xbb::AU xbd::AU xbe::AU xbg::AU xbi::PG xbj::AU xbm::FR xbn::MY xbp::AU xbr::ID xbw::BR \
    xby::AU xch::US xco:Chrs:UZ xcr:Cari:TR xda::AU xdk::AU xdo::AO xdq:Cyrl:RU xdy::ID xed::CM xeg::ZA xem::ID \
    xer::BR xes::PG xet::BR xeu::PG xgb::CI xgd::AU xgg::AU xgi::AU xgm::AU xgu::AU xgw::AU xh::ZA xhe:Arab:PK \
    xhm:Khmr:KH xhv::VN xii::ZA xin::GT xir::BR xis:Orya:IN xiy::BR xjb::AU xjt::AU xka:Arab:PK xkb::BJ xkc:Arab:IR \
    xkd::ID xke::ID xkf:Tibt:BT xkg::ML xkj:Arab:IR xkl::ID xkn::ID xkp:Arab:IR xkq::ID xkr::BR xks::ID xkt::GH \
    xku::CG xkv::BW xkw::ID xkx::PG xky::MY xkz::BT xla::PG xlc:Lyci:TR xld:Lydi:TR xly:Elym:IR xma::SO xmb::CM \
    xmc::MZ xmd::CM xmf:Geor:GE xmg::CM xmh::AU xmj::CM xmm::ID xmn:Mani:CN xmo::BR xmp::AU xmq::AU xmr:Merc:SD \
    xmt::ID xmu::AU xmv::MG xmw::MG xmx::ID xmy::AU xmz::ID xna:Narb:SA xnb::TW xni::AU xnj::TZ xnk::AU xnm::AU \
    xnn::PH xnq::MZ xnr:Deva:IN xnt::US xnu::AU xny::AU xnz::EG xoc::NG xod::ID xog::UG xoi::PG xok::BR xom::SD \
    xon::GH xoo::BR xop::PG xor::BR xow::PG xpa::AU xpb::AU xpd::AU xpf::AU xpg:Grek:TR xph::AU xpi:Ogam:GB xpj::AU \
    xpk::BR xpl::AU xpm:Cyrl:RU xpn::BR xpo::MX xpq::US xpr:Prti:IR xpt::AU xpv::AU xpw::AU xpx::AU xpz::AU xra::BR \
    xrb::BF xrd::AU xre::BR xrg::AU xri::BR xrm:Cyrl:RU xrn:Cyrl:RU xrr::IT xru::AU xrw::PG xsa:Sarb:YE xsb::PH \
    xse::ID xsh::NG xsi::PG xsm::GH xsn::NG xsp::PG xsq::MZ xsr:Deva:NP xsu::VE xsy::TW xta::MX xtb::MX xtc::SD \
    xtd::MX xte::ID xth::AU xti::MX xtj::MX xtl::MX xtm::MX xtn::MX xtp::MX xtq:Brah:IR xts::MX xtt::MX xtu::MX \
    xtv::AU xtw::BR xty::MX xub:Taml:IN xud::AU xuj:Taml:IN xul::AU xum::IT xun::AU xuo::TD xut::AU xuu::NA \
    xve:Ital:IT xvi:Arab:AF xvn::ES xvo::IT xvs::IT xwa::BR xwd::AU xwe::BJ xwj::AU xwk::AU xwl::BJ xwo:Cyrl:RU \
    xwr::ID xwt::AU xww::AU xxb::GH xxk::ID xxm::AU xxr::BR xxt::ID xya::AU xyb::AU xyj::AU xyk::AU xyl::BR xyt::AU \
    xyy::AU xzh:Marc:CN xzp::MX yaa::PE yab::BR yac::ID yad::PE yae::VE yaf::CD yag::CL yah::TJ yai:Cyrl:TJ yaj::CF \
    yak::US yal::GN yam::CM yan::NI yao::MZ yap::FM yaq::MX yar::VE yas::CM yat::CM yau::VE yav::CM yaw::BR yax::AO \
    yay::NG yaz::NG yba::NG ybb::CM ybe::CN ybh:Deva:NP ybi:Deva:NP ybj::NG ybl::NG ybm::PG ybn::BR ybo::PG ybx::PG \
    yby::PG ycl::CN ycn::CO ycr::TW yda::AU yde::PG ydg:Arab:PK ydk::PG yea:Mlym:IN yec::DE yee::PG yei::CM \
    yej:Grek:GR yel::CD yer::NG yes::NG yet::ID yeu:Telu:IN yev::PG yey::BW yga::AU ygi::AU ygl::PG ygm::PG \
    ygp:Plrd:CN ygr::PG ygu::AU ygw::PG yhd:Hebr:IL yi:Hebr:UA yia::AU yig:Yiii:CN yih:Hebr:DE yii::AU yij::AU \
    yil::AU yim::IN yir::ID yis::PG yiv:Yiii:CN yka::PH ykg:Cyrl:RU ykh:Cyrl:MN yki::ID ykk::PG ykm::PG yko::CM \
    ykr::PG yky::CF yla::PG ylb::PG yle::PG ylg::PG yli::ID yll::PG ylr::AU ylu::PG yly::NC ymb::PG yme::PE ymg::CD \
    ymk::MZ yml::PG ymm::SO ymn::ID ymo::PG ymp::PG yna:Plrd:CN ynd::AU yng::CD ynk:Cyrl:RU ynl::PG ynq::NG yns::CD \
    ynu::CO yo::NG yob::PG yog::PH yoi:Jpan:JP yok::US yol::IE yom::CD yon::PG yot::NG yoy:Thai:TH yra::PG yrb::PG \
    yre::CI yrk:Cyrl:RU yrl::BR yrm::AU yro::BR yrs::ID yrw::PG yry::AU ysd:Yiii:CN ysn:Yiii:CN ysp:Yiii:CN \
    ysr:Cyrl:RU yss::PG ysy:Plrd:CN ytw::PG yty::AU yua::MX yub::AU yuc::US yud:Hebr:IL yue-CN:Hans:CN \
    yue-Hans:Hans:CN yue:Hant:HK yuf::US yug:Cyrl:RU yui::CO yuj::PG yul::CF yum::US yun::NG yup::CO yuq::BO yur::US \
    yut::PG yuw::PG yux:Cyrl:RU yuz::BO yva::ID yvt::VE ywa::PG ywg::AU ywn::BR ywq:Plrd:CN ywr::AU ywu:Plrd:CN \
    yww::AU yxa::AU yxg::AU yxl::AU yxm::AU yxu::AU yxy::AU yyr::AU yyu::PG za::CN zaa::MX zab::MX zac::MX zad::MX \
    zae::MX zaf::MX zag::SD zah::NG zaj::TZ zak::TZ zam::MX zao::MX zap::MX zaq::MX zar::MX zas::MX zat::MX \
    zau:Tibt:IN zav::MX zaw::MX zax::MX zay::ET zaz::NG zba:Arab:001 zbc::MY zbe::MY zbt::ID zbu::NG zbw::MY zca::MX \
    zch:Hani:CN zdj:Arab:KM zea::NL zeg::PG zeh:Hani:CN zem::NG zen:Tfng:MR zga::TZ zgb:Hani:CN zgh:Tfng:MA \
    zgm:Hani:CN zgn:Hani:CN zgr::PG zh-AU:Hant:AU zh-BN:Hant:BN zh-Bopo:Bopo:TW zh-GB:Hant:GB zh-GF:Hant:GF \
    zh-HK:Hant:HK zh-Hanb:Hanb:TW zh-Hant:Hant:TW zh-ID:Hant:ID zh-MO:Hant:MO zh-PA:Hant:PA zh-PF:Hant:PF \
    zh-PH:Hant:PH zh-SR:Hant:SR zh-TH:Hant:TH zh-TW:Hant:TW zh-US:Hant:US zh-VN:Hant:VN zh:Hans:CN zhd:Hani:CN \
    zhi::NG zhn::CN zhw::CM zhx:Nshu:CN zia::PG zik::PG zil::GN zim::TD zin::TZ ziw::TZ ziz::NG zka::ID zkd::MM \
    zko:Cyrl:RU zkp::BR zkt:Kits:CN zku::AU zkz:Cyrl:RU zla::CD zlj:Hani:CN zlm::MY zln:Hani:CN zlq:Hani:CN zlu::NG \
    zma::AU zmb::CD zmc::AU zmd::AU zme::AU zmf::CD zmg::AU zmh::PG zmi::MY zmj::AU zmk::AU zml::AU zmm::AU zmn::GA \
    zmo::SD zmp::CD zmq::CD zmr::AU zms::CD zmt::AU zmu::AU zmv::AU zmw::CD zmx::CG zmy::AU zmz::CD zna::TD zne::CD \
    zng::VN znk::AU zns::NG zoc::MX zoh::MX zom::IN zoo::MX zoq::MX zor::MX zos::MX zpa::MX zpb::MX zpc::MX zpd::MX \
    zpe::MX zpf::MX zpg::MX zph::MX zpi::MX zpj::MX zpk::MX zpl::MX zpm::MX zpn::MX zpo::MX zpp::MX zpq::MX zpr::MX \
    zps::MX zpt::MX zpu::MX zpv::MX zpw::MX zpx::MX zpy::MX zpz::MX zqe:Hani:CN zrg:Orya:IN zrn::TD zro::EC \
    zrp:Hebr:FR zrs::ID zsa::PG zsr::MX zsu::PG zte::MX ztg::MX ztl::MX ztm::MX ztn::MX ztp::MX ztq::MX zts::MX \
    ztt::MX ztu::MX ztx::MX zty::MX zu::ZA zuh::PG zum:Arab:OM zun::US zuy::CM zwa:Ethi:ET zyg:Hani:CN zyj::CN \
    zyn:Hani:CN zyp::MM zza::TR zzj:Hani:CN
    """

  /// `tag:language:script:region` of what names no language.
  static let unknown: StaticString = """
    und-419:es:Latn:419 und-AD:ca:Latn:AD und-AE:ar:Arab:AE und-AF:fa:Arab:AF und-AL:sq:Latn:AL und-AM:hy:Armn:AM \
    und-AO:pt:Latn:AO und-AR:es:Latn:AR und-AS:sm:Latn:AS und-AT:de:Latn:AT und-AW:nl:Latn:AW und-AX:sv:Latn:AX \
    und-AZ:az:Latn:AZ und-Adlm:ff:Adlm:GN und-Aghb:xag:Aghb:AZ und-Ahom:aho:Ahom:IN und-Arab-AF:fa:Arab:AF \
    und-Arab-AZ:az:Arab:AZ und-Arab-BN:ms:Arab:BN und-Arab-CC:ms:Arab:CC und-Arab-CN:ug:Arab:CN \
    und-Arab-GB:ur:Arab:GB und-Arab-ID:ms:Arab:ID und-Arab-IN:ur:Arab:IN und-Arab-IR:fa:Arab:IR \
    und-Arab-KH:cja:Arab:KH und-Arab-MM:rhg:Arab:MM und-Arab-MN:kk:Arab:MN und-Arab-MU:ur:Arab:MU \
    und-Arab-NG:ha:Arab:NG und-Arab-PK:ur:Arab:PK und-Arab-TH:mfa:Arab:TH und-Arab-TJ:fa:Arab:TJ \
    und-Arab-TR:apc:Arab:TR und-Arab-YT:swb:Arab:YT und-Arab:ar:Arab:EG und-Armi:arc:Armi:IR und-Armn:hy:Armn:AM \
    und-Avst:ae:Avst:IR und-BA:bs:Latn:BA und-BD:bn:Beng:BD und-BE:nl:Latn:BE und-BF:fr:Latn:BF und-BG:bg:Cyrl:BG \
    und-BH:ar:Arab:BH und-BI:rn:Latn:BI und-BJ:fr:Latn:BJ und-BL:fr:Latn:BL und-BN:ms:Latn:BN und-BO:es:Latn:BO \
    und-BQ:pap:Latn:BQ und-BR:pt:Latn:BR und-BT:dz:Tibt:BT und-BV:no:Latn:BV und-BY:be:Cyrl:BY und-Bali:ban:Bali:ID \
    und-Bamu:bax:Bamu:CM und-Bass:bsq:Bass:LR und-Batk:bbc:Batk:ID und-Beng:bn:Beng:BD und-Bhks:sa:Bhks:IN \
    und-Bopo:zh:Bopo:TW und-Brah:pka:Brah:IN und-Brai:fr:Brai:FR und-Bugi:bug:Bugi:ID und-Buhd:bku:Buhd:PH \
    und-CC:ms:Arab:CC und-CD:fr:Latn:CD und-CF:sg:Latn:CF und-CG:fr:Latn:CG und-CH:de:Latn:CH und-CI:fr:Latn:CI \
    und-CL:es:Latn:CL und-CM:fr:Latn:CM und-CN:zh:Hans:CN und-CO:es:Latn:CO und-CR:es:Latn:CR und-CU:es:Latn:CU \
    und-CV:pt:Latn:CV und-CW:pap:Latn:CW und-CY:el:Grek:CY und-CZ:cs:Latn:CZ und-Cakm:ccp:Cakm:BD \
    und-Cans:iu:Cans:CA und-Cari:xcr:Cari:TR und-Cham:cjm:Cham:VN und-Cher:chr:Cher:US und-Chrs:xco:Chrs:UZ \
    und-Copt:cop:Copt:EG und-Cpmn:und:Cpmn:CY und-Cprt:ecy:Cprt:CY und-Cyrl-AF:kaa:Cyrl:AF und-Cyrl-AL:mk:Cyrl:AL \
    und-Cyrl-AZ:az:Cyrl:AZ und-Cyrl-BA:sr:Cyrl:BA und-Cyrl-BG:bg:Cyrl:BG und-Cyrl-BY:be:Cyrl:BY \
    und-Cyrl-GE:ab:Cyrl:GE und-Cyrl-GR:mk:Cyrl:GR und-Cyrl-IR:kaa:Cyrl:IR und-Cyrl-KG:ky:Cyrl:KG \
    und-Cyrl-MD:uk:Cyrl:MD und-Cyrl-ME:sr:Cyrl:ME und-Cyrl-MK:mk:Cyrl:MK und-Cyrl-MN:mn:Cyrl:MN \
    und-Cyrl-RO:bg:Cyrl:RO und-Cyrl-RS:sr:Cyrl:RS und-Cyrl-SK:uk:Cyrl:SK und-Cyrl-TJ:tg:Cyrl:TJ \
    und-Cyrl-TR:kbd:Cyrl:TR und-Cyrl-UA:uk:Cyrl:UA und-Cyrl-UZ:uz:Cyrl:UZ und-Cyrl-XK:sr:Cyrl:XK und-Cyrl:ru:Cyrl:RU \
    und-DE:de:Latn:DE und-DJ:fr:Latn:DJ und-DK:da:Latn:DK und-DO:es:Latn:DO und-DZ:ar:Arab:DZ und-Deva-BT:ne:Deva:BT \
    und-Deva-FJ:hif:Deva:FJ und-Deva-MU:bho:Deva:MU und-Deva-NP:ne:Deva:NP und-Deva-PK:btv:Deva:PK \
    und-Deva:hi:Deva:IN und-Diak:dv:Diak:MV und-Dogr:doi:Dogr:IN und-Dupl:fr:Dupl:FR und-EA:es:Latn:EA \
    und-EC:es:Latn:EC und-EE:et:Latn:EE und-EG:ar:Arab:EG und-EH:ar:Arab:EH und-ER:ti:Ethi:ER und-ES:es:Latn:ES \
    und-ET:am:Ethi:ET und-Egyp:egy:Egyp:EG und-Elba:sq:Elba:AL und-Elym:arc:Elym:IR und-Ethi-ER:ti:Ethi:ER \
    und-Ethi:am:Ethi:ET und-FI:fi:Latn:FI und-FO:fo:Latn:FO und-FR:fr:Latn:FR und-GA:fr:Latn:GA und-GE:ka:Geor:GE \
    und-GF:fr:Latn:GF und-GH:ak:Latn:GH und-GL:kl:Latn:GL und-GN:fr:Latn:GN und-GP:fr:Latn:GP und-GQ:es:Latn:GQ \
    und-GR:el:Grek:GR und-GT:es:Latn:GT und-GW:pt:Latn:GW und-Gara:wo:Gara:SN und-Geor:ka:Geor:GE \
    und-Glag:cu:Glag:BG und-Gong:wsg:Gong:IN und-Gonm:esg:Gonm:IN und-Goth:got:Goth:UA und-Gran:sa:Gran:IN \
    und-Grek-TR:bgx:Grek:TR und-Grek:el:Grek:GR und-Gujr:gu:Gujr:IN und-Gukh:gvr:Gukh:NP und-Guru:pa:Guru:IN \
    und-HK:zh:Hant:HK und-HN:es:Latn:HN und-HR:hr:Latn:HR und-HT:ht:Latn:HT und-HU:hu:Latn:HU und-Hanb:zh:Hanb:TW \
    und-Hang:ko:Hang:KR und-Hani:zh:Hani:CN und-Hano:hnn:Hano:PH und-Hans:zh:Hans:CN und-Hant-CA:yue:Hant:CA \
    und-Hant-CN:yue:Hant:CN und-Hant:zh:Hant:TW und-Hatr:arc:Hatr:IQ und-Hebr-SE:yi:Hebr:SE und-Hebr-UA:yi:Hebr:UA \
    und-Hebr-US:yi:Hebr:US und-Hebr:he:Hebr:IL und-Hira:ja:Hira:JP und-Hluw:hlu:Hluw:TR und-Hmng:hnj:Hmng:LA \
    und-Hmnp:hnj:Hmnp:US und-Hung:hu:Hung:HU und-IC:es:Latn:IC und-ID:id:Latn:ID und-IL:he:Hebr:IL und-IN:hi:Deva:IN \
    und-IQ:ar:Arab:IQ und-IR:fa:Arab:IR und-IS:is:Latn:IS und-IT:it:Latn:IT und-Ital:ett:Ital:IT und-JO:ar:Arab:JO \
    und-JP:ja:Jpan:JP und-Jamo:ko:Jamo:KR und-Java:jv:Java:ID und-Jpan:ja:Jpan:JP und-KE:sw:Latn:KE \
    und-KG:ky:Cyrl:KG und-KH:km:Khmr:KH und-KM:ar:Arab:KM und-KP:ko:Kore:KP und-KR:ko:Kore:KR und-KW:ar:Arab:KW \
    und-KZ:ru:Cyrl:KZ und-Kali:eky:Kali:MM und-Kana:ja:Kana:JP und-Kawi:kaw:Kawi:ID und-Khar:pra:Khar:PK \
    und-Khmr:km:Khmr:KH und-Khoj:sd:Khoj:IN und-Kits:zkt:Kits:CN und-Knda:kn:Knda:IN und-Kore:ko:Kore:KR \
    und-Krai:bap:Krai:IN und-Kthi:bho:Kthi:IN und-LA:lo:Laoo:LA und-LB:ar:Arab:LB und-LI:de:Latn:LI \
    und-LK:si:Sinh:LK und-LS:st:Latn:LS und-LT:lt:Latn:LT und-LU:fr:Latn:LU und-LV:lv:Latn:LV und-LY:ar:Arab:LY \
    und-Lana:nod:Lana:TH und-Laoo:lo:Laoo:LA und-Latn-AE:en:Latn:AE und-Latn-AF:tk:Latn:AF und-Latn-AM:ku:Latn:AM \
    und-Latn-BD:en:Latn:BD und-Latn-BG:en:Latn:BG und-Latn-BT:en:Latn:BT und-Latn-CC:en:Latn:CC \
    und-Latn-CN:za:Latn:CN und-Latn-CY:tr:Latn:CY und-Latn-DZ:fr:Latn:DZ und-Latn-EG:en:Latn:EG \
    und-Latn-ER:en:Latn:ER und-Latn-ET:en:Latn:ET und-Latn-GE:ku:Latn:GE und-Latn-GR:en:Latn:GR \
    und-Latn-HK:en:Latn:HK und-Latn-IL:en:Latn:IL und-Latn-IN:en:Latn:IN und-Latn-IQ:en:Latn:IQ \
    und-Latn-IR:tk:Latn:IR und-Latn-JO:en:Latn:JO und-Latn-KM:fr:Latn:KM und-Latn-KZ:en:Latn:KZ \
    und-Latn-LB:en:Latn:LB und-Latn-LK:en:Latn:LK und-Latn-MA:fr:Latn:MA und-Latn-MK:sq:Latn:MK \
    und-Latn-MM:kac:Latn:MM und-Latn-MO:en:Latn:MO und-Latn-MR:fr:Latn:MR und-Latn-MV:en:Latn:MV \
    und-Latn-NP:en:Latn:NP und-Latn-PK:en:Latn:PK und-Latn-RU:krl:Latn:RU und-Latn-SD:en:Latn:SD \
    und-Latn-SS:en:Latn:SS und-Latn-SY:ku:Latn:SY und-Latn-TD:fr:Latn:TD und-Latn-TH:en:Latn:TH \
    und-Latn-TN:fr:Latn:TN und-Latn-TW:trv:Latn:TW und-Latn-UA:pl:Latn:UA und-Latn-YE:en:Latn:YE \
    und-Lepc:lep:Lepc:IN und-Limb:lif:Limb:IN und-Lina:lab:Lina:GR und-Linb:gmy:Linb:GR und-Lisu:lis:Lisu:CN \
    und-Lyci:xlc:Lyci:TR und-Lydi:xld:Lydi:TR und-MA:ar:Arab:MA und-MC:fr:Latn:MC und-MD:ro:Latn:MD \
    und-ME:sr:Latn:ME und-MF:fr:Latn:MF und-MG:mg:Latn:MG und-MK:mk:Cyrl:MK und-ML:bm:Latn:ML und-MM:my:Mymr:MM \
    und-MN:mn:Cyrl:MN und-MO:zh:Hant:MO und-MQ:fr:Latn:MQ und-MR:ar:Arab:MR und-MT:mt:Latn:MT und-MU:fr:Latn:MU \
    und-MV:dv:Thaa:MV und-MX:es:Latn:MX und-MY:ms:Latn:MY und-MZ:pt:Latn:MZ und-Mahj:hi:Mahj:IN und-Maka:mak:Maka:ID \
    und-Mand:myz:Mand:IR und-Mani:xmn:Mani:CN und-Marc:bo:Marc:CN und-Medf:dmf:Medf:NG und-Mend:men:Mend:SL \
    und-Merc:xmr:Merc:SD und-Mero:xmr:Mero:SD und-Mlym:ml:Mlym:IN und-Modi:mr:Modi:IN und-Mong:mn:Mong:CN \
    und-Mroo:mro:Mroo:BD und-Mtei:mni:Mtei:IN und-Mult:skr:Mult:PK und-Mymr-IN:kht:Mymr:IN und-Mymr-TH:mnw:Mymr:TH \
    und-Mymr:my:Mymr:MM und-NA:af:Latn:NA und-NC:fr:Latn:NC und-NE:ha:Latn:NE und-NI:es:Latn:NI und-NL:nl:Latn:NL \
    und-NO:nb:Latn:NO und-NP:ne:Deva:NP und-Nagm:unr:Nagm:IN und-Nand:sa:Nand:IN und-Narb:xna:Narb:SA \
    und-Nbat:arc:Nbat:JO und-Newa:new:Newa:NP und-Nkoo-ML:bm:Nkoo:ML und-Nkoo:man:Nkoo:GN und-Nshu:zhx:Nshu:CN \
    und-OM:ar:Arab:OM und-Ogam:sga:Ogam:IE und-Olck:sat:Olck:IN und-Onao:unr:Onao:IN und-Orkh:otk:Orkh:MN \
    und-Orya:or:Orya:IN und-Osge:osa:Osge:US und-Osma:so:Osma:SO und-Ougr:oui:Ougr:CN und-PA:es:Latn:PA \
    und-PE:es:Latn:PE und-PF:fr:Latn:PF und-PG:tpi:Latn:PG und-PH:fil:Latn:PH und-PK:ur:Arab:PK und-PL:pl:Latn:PL \
    und-PM:fr:Latn:PM und-PR:es:Latn:PR und-PS:ar:Arab:PS und-PT:pt:Latn:PT und-PW:pau:Latn:PW und-PY:gn:Latn:PY \
    und-Palm:arc:Palm:SY und-Pauc:ctd:Pauc:MM und-Perm:kv:Perm:RU und-Phag:lzh:Phag:CN und-Phli:pal:Phli:IR \
    und-Phlp:pal:Phlp:CN und-Phnx:phn:Phnx:LB und-Plrd:hmd:Plrd:CN und-Prti:xpr:Prti:IR und-QA:ar:Arab:QA \
    und-RE:fr:Latn:RE und-RO:ro:Latn:RO und-RS:sr:Cyrl:RS und-RU:ru:Cyrl:RU und-RW:rw:Latn:RW und-Rjng:rej:Rjng:ID \
    und-Rohg:rhg:Rohg:MM und-Runr:non:Runr:SE und-SA:ar:Arab:SA und-SC:fr:Latn:SC und-SD:ar:Arab:SD \
    und-SE:sv:Latn:SE und-SI:sl:Latn:SI und-SJ:nb:Latn:SJ und-SK:sk:Latn:SK und-SM:it:Latn:SM und-SN:wo:Latn:SN \
    und-SO:so:Latn:SO und-SR:nl:Latn:SR und-SS:ar:Arab:SS und-ST:pt:Latn:ST und-SV:es:Latn:SV und-SY:ar:Arab:SY \
    und-Samr:smp:Samr:IL und-Sarb:xsa:Sarb:YE und-Saur:saz:Saur:IN und-Sgnw:ase:Sgnw:US und-Shaw:en:Shaw:GB \
    und-Shrd:sa:Shrd:IN und-Sidd:sa:Sidd:IN und-Sind:sd:Sind:IN und-Sinh:si:Sinh:LK und-Sogd:sog:Sogd:UZ \
    und-Sogo:sog:Sogo:UZ und-Sora:srb:Sora:IN und-Soyo:cmg:Soyo:MN und-Sund:su:Sund:ID und-Sunu:suz:Sunu:NP \
    und-Sylo:syl:Sylo:BD und-Syrc:syr:Syrc:IQ und-TD:ar:Arab:TD und-TF:fr:Latn:TF und-TG:fr:Latn:TG \
    und-TH:th:Thai:TH und-TJ:tg:Cyrl:TJ und-TK:tkl:Latn:TK und-TL:pt:Latn:TL und-TM:tk:Latn:TM und-TN:ar:Arab:TN \
    und-TO:to:Latn:TO und-TR:tr:Latn:TR und-TV:tvl:Latn:TV und-TW:zh:Hant:TW und-TZ:sw:Latn:TZ und-Tagb:tbw:Tagb:PH \
    und-Takr:doi:Takr:IN und-Tale:tdd:Tale:CN und-Talu:khb:Talu:CN und-Taml:ta:Taml:IN und-Tang:txg:Tang:CN \
    und-Tavt:blt:Tavt:VN und-Telu:te:Telu:IN und-Tfng:zgh:Tfng:MA und-Tglg:fil:Tglg:PH und-Thaa:dv:Thaa:MV \
    und-Thai-CN:lcp:Thai:CN und-Thai-KH:kdt:Thai:KH und-Thai-LA:kdt:Thai:LA und-Thai:th:Thai:TH \
    und-Tibt-BT:dz:Tibt:BT und-Tibt:bo:Tibt:CN und-Tirh:mai:Tirh:IN und-Tnsa:nst:Tnsa:IN und-Todr:sq:Todr:AL \
    und-Toto:txo:Toto:IN und-Tutg:sa:Tutg:IN und-UA:uk:Cyrl:UA und-UG:sw:Latn:UG und-UY:es:Latn:UY und-UZ:uz:Latn:UZ \
    und-Ugar:uga:Ugar:SY und-VA:it:Latn:VA und-VE:es:Latn:VE und-VN:vi:Latn:VN und-VU:bi:Latn:VU \
    und-Vaii:vai:Vaii:LR und-Vith:sq:Vith:AL und-WF:fr:Latn:WF und-WS:sm:Latn:WS und-Wara:hoc:Wara:IN \
    und-Wcho:nnp:Wcho:IN und-XK:sq:Latn:XK und-Xpeo:peo:Xpeo:IR und-Xsux:akk:Xsux:IQ und-YE:ar:Arab:YE \
    und-YT:fr:Latn:YT und-Yezi:ku:Yezi:GE und-Yiii:ii:Yiii:CN und-ZW:sn:Latn:ZW und-Zanb:cmg:Zanb:MN und:en:Latn:US
    """
}
