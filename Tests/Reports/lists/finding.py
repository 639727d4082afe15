"""Searches: what is typed, and which contacts are found."""
from support.report import report
from support.searches import book, expect

GITHUB = "https://github.com/"


@report(GITHUB + "google/personfinder/pull/173", "A name of several words is typed as one, as others with it are written: Delacruz, Vandenberg, Jeanluc.",
        right="The contact, by words that follow each other; not by parts of them.", before="wrong")
def words_as_one(trial):
    path = book(trial, "Jean Luc Roy", "Jean-Luc Moe", "Maria de la Cruz", ["FN:Bo Lie", "ORG:Open Water Works"], "Ada Moe")
    expect(trial, path, {"jeanluc": ["Jean Luc Roy", "Jean-Luc Moe"], ("delacruz", "DeLaCruz", "mariadela"): ["Maria de la Cruz"], ("openwater", "waterworks"): ["Bo Lie"],
                         ("moeada", "adam", "delacr"): [], "adamoe": ["Ada Moe"]})


@report(GITHUB + "Iktahana/illusions/issues/1821", GITHUB + "WorksApplications/office-maker/issues/30", "A Japanese name has one of the variants of its characters, and the search another one: 髙橋 and 高橋, 渡邊 and 渡辺.",
        right="The contact: keyboards offer the usual one.", before="wrong")
def variants_of_kanji(trial):
    path = book(trial, "髙橋 一郎", "渡邊 花子", "齋藤 学", "濵田 岳", "𠮷田 栄", "黒澤 明", "山﨑 恵")
    expect(trial, path, {("高橋", "髙橋"): ["髙橋 一郎"], ("渡辺", "渡邊", "渡邉"): ["渡邊 花子"], ("斎藤", "齋藤"): ["齋藤 学"], ("浜田", "濱田"): ["濵田 岳"], ("吉田", "吉田栄", "榮"): ["𠮷田 栄"],
                         ("黒沢", "黑澤"): ["黒澤 明"], ("山崎", "惠"): ["山﨑 恵"], "高田": []})


@report(GITHUB + "BranchMetrics/sesame_issues/issues/294", GITHUB + "lazyloong/obsidian-fuzzy-chinese/issues/1", GITHUB + "navidrome/navidrome/pull/2483",
        "A Chinese name is in traditional characters, and the search in simplified ones, or the other way round.", right="The contact.", before="wrong")
def traditional_and_simplified(trial):
    path = book(trial, "張學友", "刘德华", "陳小明")
    expect(trial, path, {("张学友", "張學友", "张學"): ["張學友"], ("劉德華", "刘德华", "华"): ["刘德华"], ("陈", "陳小", "chenxiaoming"): ["陳小明"], "王": []})


@report(GITHUB + "osm-search/Nominatim/issues/862", GITHUB + "kiskolabs/humanizer/pull/46", GITHUB + "turanjanin/cirilizator/pull/42",
        "A Serbian or Croatian name has đ, or is in Cyrillic, and is typed with an English keyboard: dj for đ, c for ч.", right="The contact.", before="wrong")
def serbian_names_on_an_english_keyboard(trial):
    path = book(trial, "Novak Đoković", "Ђорђе Живковић", "Милош Љубичић", "Djordje Moe")
    expect(trial, path, {("djokovic", "dokovic", "Đoković"): ["Novak Đoković"], ("zivkovic", "živković", "Живковић"): ["Ђорђе Живковић"], ("milos ljubicic", "miloš"): ["Милош Љубичић"],
                         ("djordje", "đorđe"): ["Ђорђе Живковић", "Djordje Moe"]})


@report(GITHUB + "nextcloud/contacts/issues/2126", GITHUB + "owncloud/contacts/issues/325", GITHUB + "colemanw/webform_civicrm/pull/1018", GITHUB + "TBog/TBLauncher/issues/432",
        "The word that is typed is a street, or the address of a page.", right="The contact.", before="wrong")
def streets_and_websites(trial):
    path = book(trial, ["FN:Ada", "ADR:;;Kai 5;Öheim;;12345;Norway"], ["FN:Bo", "URL:https://boats.example.org/bo"], ["FN:Cy", "LABEL:Lagerveien 9\\n0151 Oslo"])
    expect(trial, path, {("kai", "kai 5", "5 öheim", "norway"): ["Ada"], ("boats", "boats.example", "https://boats.example.org/bo"): ["Bo"], ("lagerveien", "oslo"): ["Cy"], "strasse": []})


@report(GITHUB + "blackberry/BB10-WebWorks-Framework/issues/220", GITHUB + "linagora/twake-on-matrix/issues/2243", GITHUB + "friendica/friendica/issues/11891",
        "The word that is typed is an account of a network: of Matrix, XMPP, Mastodon, LinkedIn.", right="The contact, by the whole account and by a part of it.", before="wrong")
def accounts_of_networks(trial):
    path = book(trial, ["FN:Ada", "X-MATRIX:@ada:matrix.example"], ["FN:Bo", "IMPP:xmpp:bo@chat.example"], ["FN:Cy", "X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@cy"],
                ["FN:Di", "X-SKYPE:di.moe"])
    expect(trial, path, {("@ada:matrix.example", "matrix.example"): ["Ada"], ("bo@chat.example", "bo@chat"): ["Bo"], ("social.example/@cy", "https://social.example/@cy"): ["Cy"], ("di.moe",): ["Di"]})


@report(GITHUB + "jabbercat/jabbercat/issues/69", GITHUB + "friendica/friendica/issues/7984", GITHUB + "friendica/friendica/issues/4815",
        "What is typed was copied: a name of a messenger with its @, a link to a chat, or an address or number with its scheme.", right="The contact with this account, number or address.", before="wrong")
def accounts_that_were_copied(trial):
    path = book(trial, ["FN:Ada", "X-TELEGRAM:ada_moe"], ["FN:Bo", "TEL:+47 22 55 01 99"], ["FN:Cy", "EMAIL:cy@example.org"], ["FN:Di", "IMPP:xmpp:di@chat.example"])
    expect(trial, path, {("@ada_moe", "https://t.me/ada_moe", "t.me/ada_moe", "tg://resolve?domain=ada_moe"): ["Ada"], ("tel:+47-22-55-01-99", "tel:+4722550199", "sms:22550199"): ["Bo"],
                         ("mailto:cy@example.org", "@example.org"): ["Cy"], ("xmpp:di@chat.example",): ["Di"], "https://t.me/unknown": []})

@report(GITHUB + "zzzsochi/trans/issues/2", GITHUB + "voku/portable-ascii/issues/14", GITHUB + "opendatakosovo/cyrillic-transliteration/issues/42",
        "A Ukrainian or Bulgarian name is typed as passports have it: y for и, h for г, a for ъ.", right="The contact; Russian names are found as before.", before="wrong")
def ukrainian_and_bulgarian_names(trial):
    path = book(trial, "Володимир Зеленський", "Григорій Київ", "Ангел Търнев", "Людмила Рыкова", "Объект")
    expect(trial, path, {("volodymyr", "zelenskyy", "volodymyr zelenskyy", "volodimir"): ["Володимир Зеленський"], ("hryhoriy", "hryhorii", "grigoriy"): ["Григорій Київ"], ("tarnev", "angel tarnev"): ["Ангел Търнев"],
                         ("lyudmila", "lyudmyla", "rykova"): ["Людмила Рыкова"], "obekt": ["Объект"]})


@report(GITHUB + "tine20/tine20/issues/1916", GITHUB + "eclipse-scout/scout.rt/pull/344", "An address has a domain with letters beyond ASCII, or the form that programs write (Punycode), and the search the other one.",
        right="The contact, by either form.", before="wrong")
def international_domains(trial):
    path = book(trial, ["FN:Ada", "EMAIL:ada@exämple.org"], ["FN:Bo", "EMAIL:bo@xn--exmple-cua.org"], ["FN:Cy", "EMAIL:cy@example.org"])
    expect(trial, path, {"xn--exmple": ["Ada", "Bo"], ("ada@xn--exmple-cua.org", "ada@exämple.org"): ["Ada"], ("bo@exämple.org", "bo@xn--exmple"): ["Bo"], "exämple.org": ["Ada", "Bo", "Cy"]})
