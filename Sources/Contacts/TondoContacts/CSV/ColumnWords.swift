/// The words of which programs make names of columns, in many languages: "Straße (privat)", "Première adresse électronique" and
/// `自宅の電話` have no table, and are understood by their parts.
///
/// A name is understood only if all of it is made of known words, so that a column of something else is not taken for a phone.
enum ColumnWords {
    enum Kind: Character {
        case home = "H"
        case work = "W"
        case other = "O"
        case phone = "P"
        case mobile = "M"
        case fax = "F"
        case pager = "G"
        case car = "V"
        case main = "K"
        case email = "E"
        case web = "X"
        case address = "A"
        case street = "S"
        case city = "C"
        case region = "R"
        case code = "Z"
        case country = "L"
        case box = "B"
        /// Without a meaning: articles, and words such as "number".
        case filler = "N"
    }

    /// Nil for a name with other words. `isTurkish`: the table is, where a pocket (cep) is a telephone and no postal code (CEP).
    static func column(_ key: ColumnKey, isTurkish: Bool) -> ColumnName? {
        if isTurkish, key.letters == Array("cep".utf8) { return .phone("mobile") }
        // No name of a column is longer.
        guard !key.letters.isEmpty, key.letters.count <= 120, let kinds = tree.kinds(of: key.letters) else {
            return nil
        }
        let place = kinds.contains(.work) ? "work" : kinds.contains(.home) ? "home" : nil
        if kinds.contains(.email) { return .email(place ?? (kinds.contains(.other) ? "other" : "")) }
        let label = place ?? (kinds.contains(.other) ? "other" : "")
        if let part = part(kinds) { return .address(label, part) }
        if let type = phone(kinds) { return .phone([place, type].compactMap { $0 }.joined(separator: " ")) }
        return kinds.contains(.web) ? .website(label) : nil
    }

    private static func part(_ kinds: KindSet) -> PostalAddress.Part? {
        let parts: [(Kind, PostalAddress.Part)] = [
            (.box, .box), (.code, .code), (.city, .city), (.region, .region), (.country, .country), (.street, .street),
            (.address, .street),
        ]
        // "Country/Region"
        if kinds.contains(.country), kinds.contains(.region) { return .country }
        return parts.first { kinds.contains($0.0) }?.1
    }

    private static func phone(_ kinds: KindSet) -> String? {
        if kinds.contains(.fax) { return "fax" }
        if kinds.contains(.mobile) { return "mobile" }
        if kinds.contains(.pager) { return "pager" }
        guard kinds.contains(.phone) else { return nil }
        return kinds.contains(.car) ? "car" : kinds.contains(.main) ? "main" : ""
    }

    private static let tree: WordTree = {
        var tree = WordTree()
        for line in text.split(separator: "\n") {
            guard let kind = line.first.flatMap({ Kind(rawValue: $0) }) else { continue }
            for word in line.dropFirst().split(separator: " ") { tree.insert(ColumnKey(String(word)).letters, kind) }
        }
        return tree
    }()

    /// Whole names, between commas.
    static let plain: [(column: GoogleColumns.Column, names: String)] = [
        (.given, givenNames), (.family, familyNames), (.formatted, wholeNames), (.nickname, nicknames),
        (.organisation, organisations), (.department, departments), (.title, titles), (.notes, notes),
        (.birthday, birthdays), (.categories, categories), (.photo, photos), (.additional, middleNames),
        (.sortGiven, "名フリガナ,名ふりがな,名よみ,名カナ,メイ"),
        (.sortFamily, "姓フリガナ,姓ふりがな,姓よみ,姓カナ,セイ,フリガナ,ふりがな,よみがな,氏名カナ,名前カナ"),
        (.prefix, "Titel,Akademischer Titel,Akad. Titel"),
        (.particle, "Tussenvoegsel,Tussenvoegsels,Voorvoegsel,Voorvoegsels"),
    ]

    /// Accounts, whole names as well, by their networks.
    static let accounts: [(network: String, names: String)] = [
        ("wechat", "微信,微信号,微信號,微信账号"), ("kakaotalk", "카카오톡,카카오톡 ID,카톡,카톡 ID"), ("qq", "QQ号,QQ号码,QQ號"),
    ]

    /// All that the names are made of.
    static var texts: [String] { [text] + plain.map(\.names) + accounts.map(\.names) }
}

extension ColumnWords {
    /// A kind, then its words.
    private static let text = """
        H home privat private privata privado privada personal personale personnel personnelle prive privee prive domicile domicilio maison casa particular residencial residencia residence thuis huis hem hemma hjem hjemme priv koti dom domov domaci domovsky domowy domowa domowe kucni kucna kuce otthoni lakas lakcim ev abitazione ab домашний домашняя дом домаш личный личная σπιτι οικιας בית הבית בבית منزل المنزل 自宅 個人 住宅 家庭 家 住家 私人 집 자택 개인 prywatny prywatna prywatne soukromy soukromi บ้าน ส่วนตัว домашній домашня особистий личен
        W work business geschaftlich gesch geschaftl dienstlich dienstl arbeit buro buero beruflich professionnel professionnelle bureau travail trabajo trabalho profesional profissional comercial laboral oficina ufficio uff lavoro werk zakelijk arbete arbeid arbejde arb jobb tyo praca sluzbowy sluzbowa sluzbowe prace zamestnani zam pracovni pracovny рабочий рабочая раб служебный служебен служебна munkahelyi munkahely hivatali is 職場 勤務先 勤務 会社 仕事 商务 工作 单位 公司 公務 商務 근무처 근무지 직장 회사 εργασιας εργασια עבודה העבודה בעבודה عمل العمل entreprise empresa firma firmy company office ที่ทำงาน ทำงาน สำนักงาน робочий робоча служебен
        O other weitere weiterer weiteres andere anderer sonstige sonstiges zweite sekundare alternative autre secondaire deuxieme otro otra secundario secundaria altro altra secondario secondaria secondo seconda outro outra alternativo alternativa adicional ander anderen tweede secundair andra annan annat annet annen alternativ alternativt sekundar anden andet muu toinen inny inna inne drugi druga dodatkowy alternatywny jiny jina jine dalsi egyeb masik masodlagos diger ikincil другой другая дополнительный дополнительная альтернативный 別 別の その他 其他 备用 次要 기타 보조 αλλο αλλη δευτερευον אחר אחרת آخر อื่น อื่นๆ สำรอง
        P telefon tel telephone telefono telefone telefoon telefonnummer rufnummer puhelin puhelinnumero phone fone телефон телефонный 電話 電話番号 电话 電話號碼 联系电话 联系方式 聯絡電話 전화 전화번호 τηλεφωνο טלפון هاتف الهاتف festnetz festnetznummer telefonszam telefonu telefonni telefonnr telefoonnummer telefonno telepon dienthoai sodienthoai تلفن fixe โทรศัพท์ โทร เบอร์โทร เบอร์โทรศัพท์ เบอร์ติดต่อ phones телефону फोन फ़ोन दूरभाष handphone 전화 dienthoai sdt
        M mobil mobile mobiltelefon mobiltel mobilnummer handy handynummer portable movil celular cellulare cell mobiel mobiele mobilni mobilny mobilne matkapuhelin gsm komorka komorkowy komorkowe cep мобильный мобильного моб сотовый мобилен 携帯 携帯電話 手机 手機 移动 移动电话 行動 行動電話 手机号 手机号码 手機號碼 휴대폰 휴대전화 휴대 κινητο נייד جوال الجوال telemovel telemovil ponsel didong موبایل همراه มือถือ เคลื่อนที่ мобільний мобільного nohp nomorhp 핸드폰 핸드폰번호 휴대폰번호 휴대전화번호 मोबाइल المحمول الموبايل موبايل محمول סלולרי סלולארי мобилни mobitel
        F fax telefax faxnummer telecopie telecopieur faks faksi факс факса ファックス ファクス 传真 傳真 팩스 φαξ פקס فاكس โทรสาร แฟกซ์ แฟ็กซ์
        G pager pagernummer beeper пейджер пейджера ポケベル ポケットベル 呼机 寻呼机 呼叫器 호출기 personsokare personsoker
        V auto car voiture coche carro bil 車 自動車
        K haupt hauptnummer main principal principale hoofd hoved glowny hlavni основной
        E email emailadresse emailaddress mail mails mailadresse electronique electronica electronico courriel courrier messagerie correo correio elettronica elettronico elektronische elektronicky elektroniczny elektronik eletronico epost epostadress epostadresse eposta sahkoposti sahkopostiosoite poczty mailova почта почты эл электронной электронная メール 電子メール メールアドレス eメール 邮件 电子邮件 電子郵件 邮箱 电子邮箱 邮箱地址 電子信箱 전자메일 이메일 메일 ηλεκτρονικου ταχυδρομειου דואראלקטרוני אימייל بريدالكتروني البريدالالكتروني البريدالإلكتروني emailadres emailcim ایمیل eпошта електронна пошта surel อีเมล อีเมล์ อีเมลล์ имейл דואל מייל ईमेल 이메일주소
        X web webseite website webpage homepage internetseite webadresse site sitio sito siteweb pagina page weboldal webside hemsida hjemmeside strona stranka internetowa вебстраница сайт вебсайт ウェブ ウェブページ ウェブサイト ホームページ 网页 网站 網頁 網站 웹페이지 홈페이지 웹사이트 url internet เว็บ เว็บไซต์ เว็บเพจ
        A adresse address addr anschrift adres adresa direccion indirizzo endereco morada osoite adress адрес адреса 住所 地址 주소 διευθυνση כתובת عنوان アドレス postadresse postanschrift ที่อยู่ alamat diachi آدرس نشانی पता العنوان cim
        S strasse str strasze hausnummer hausnr huisnummer huisnr husnummer husnr rue calle via rua straat gata gade gate vei gatuadress katu katuosoite ulica ulice улица utca cadde sokak 番地 街道 街 번지 οδος רחוב شارع street lahiosoite ถนน บ้านเลขที่ вулиця ulice
        C ort stadt wohnort ville ciudad poblacion citta cidade localidad localidade localita plaats woonplaats stad kaupunki postitoimipaikka miasto miejscowosc mesto varos sehir город 市区町村 市町村 城市 市 도시 πολη עיר مدينة city town poststed postort เมือง อำเภอ เขต kota thanhpho المدينة شهر शहर oras localitate град місто населене
        R bundesland kanton region province provincia etat departement estado provincie lan wojewodztwo okres megye bolge область регион 都道府県 省 省份 시도 νομος state county จังหวัด provinsi judet استان राज्य область
        Z plz postleitzahl postal codepostal codigopostal codicepostale cap cep postcode postnummer postnr postinumero kodpocztowy postalcode psc iranyitoszam postakodu индекс почтовый почтовыйиндекс 郵便番号 邮政编码 邮编 郵遞區號 우편번호 ταχκωδικας מיקוד zip zipcode cp cpostal الرمزالبريدي รหัสไปรษณีย์ kodepos postanskibroj codpostal индекс कोड पिनकोड کدپستی індекс поштовий tk
        L land staat pays pais paese maa zeme krajina orszag ulke страна 国 国家 國家 국가 χωρα מדינה دولة بلد country lander ประเทศ negara drzava tara kraj країна държава देश الدولة کشور البلد
        B postfach boitepostale apartado casellapostale caixapostal postbus postboks postilokero pobox box ตู้ไปรษณีย์ ตู้ปณ
        N nr no num nummer number numero numer numeru номер 番号 号码 號碼 번호 de des du d da do di del dell della der die das la le l el los las von fur para per a e y et und og och и の der primare primar erste hauptsachliche premiere premier primaria primario primary primaire primar primaer principal principale podstawowy основной основная primaria szam szama numarasi رقم מספר nomor شماره or line เบอร์ หมายเลข หลัก nomor
        """

    private static let givenNames =
        "Vorname,Vornamen,Rufname,Roepnaam,Prénom,Prénoms,Nombre,Nombre de pila,Nome próprio,Voornaam,Fornamn,Förnamn,Fornavn,Etunimi,Imię,Jméno,Křestní jméno,Krstné meno,Keresztnév,Utónév,Adı,Имя,名,名字,이름,Prenume,Ime,الاسم الأول,שם פרטי,Όνομα,Ім'я,Tên,Nama Depan,نام,First Name,Given Name,ชื่อ,ชื่อจริง,पहला नाम"
    private static let middleNames =
        "Zweiter Vorname,Mittelname,Deuxième prénom,Segundo nombre,Secondo nome,Segundo nome,Tweede voornaam,Mellannamn,Mellomnavn,Mellemnavn,Toinen nimi,Drugie imię,Отчество,中間名,中间名,ミドルネーム,ชื่อกลาง"
    private static let familyNames =
        "Nachname,Familienname,Zuname,Nom de famille,Apellido,Apellidos,Primer apellido,Cognome,Sobrenome,Último nome,Achternaam,Familienaam,Efternamn,Etternavn,Efternavn,Sukunimi,Nazwisko,Příjmení,Priezvisko,Vezetéknév,Soyadı,Soyad,Фамилия,姓,姓氏,苗字,성,Nume de familie,Prezime,Priimek,اسم العائلة,שם משפחה,Επώνυμο,Прізвище,Họ,Nama Belakang,نام خانوادگی,Last Name,Family Name,Surname,นามสกุล,उपनाम"
    private static let wholeNames =
        "Anzeigename,Vollständiger Name,Kontaktname,Nom,Nom complet,Nom à afficher,Nom affiché,Nombre completo,Nombre para mostrar,Nome completo,Nome da visualizzare,Nome visualizzato,Nome de exibição,Volledige naam,Weergavenaam,Naam,Namn,Visningsnamn,Visningsnavn,Navn,Nimi,Näyttönimi,Imię i nazwisko,Nazwa wyświetlana,Celé jméno,Zobrazované jméno,Teljes név,Megjelenítendő név,Név,Ad Soyad,Полное имя,ФИО,氏名,名前,表示名,姓名,全名,显示名称,顯示名稱,성명,표시 이름,Nume,Nume complet,Ime i prezime,الاسم,الاسم الكامل,שם,שם מלא,Ονοματεπώνυμο,Повне ім'я,ПІБ,Họ tên,Họ và tên,Nama,Nama Lengkap,نام و نام خانوادگی,Name,ชื่อ-นามสกุล,ชื่อและนามสกุล,ชื่อ-สกุล,ชื่อเต็ม,ชื่อที่แสดง,नाम,पूरा नाम"
    private static let nicknames =
        "Spitzname,Kurzname,Surnom,Pseudo,Apodo,Alias,Soprannome,Alcunha,Bijnaam,Smeknamn,Kallenavn,Kaldenavn,Lempinimi,Pseudonim,Przezwisko,Přezdívka,Becenév,Takma ad,Псевдоним,ニックネーム,昵称,暱稱,별명,ชื่อเล่น,Никнейм,별칭"
    private static let organisations =
        "Firma,Unternehmen,Organisation,Firmenname,Entreprise,Société,Organisme,Empresa,Compañía,Organización,Organização,Azienda,Società,Ditta,Organizzazione,Bedrijf,Bedrijfsnaam,Organisatie,Företag,Virksomhed,Yritys,Organisaatio,Organizacja,Společnost,Organizace,Cég,Szervezet,Şirket,Kurum,Компания,Организация,会社,会社名,組織,公司,单位,组织,公司名稱,회사,조직,บริษัท,ชื่อบริษัท,องค์กร,หน่วยงาน,Компанія,Підприємство,Фирма,Предприятие,公司名称,单位名称,Perusahaan,Công ty,Tên công ty,Companie,Compania,Tvrtka,Poduzeće,الشركة,اسم الشركة,חברה,مؤسسة,شرکت,कंपनी"
    private static let departments =
        "Abteilung,Service,Département,Departamento,Reparto,Dipartimento,Afdeling,Avdelning,Avdeling,Osasto,Dział,Oddělení,Osztály,Bölüm,Отдел,部署,部門,部门,부서,แผนก,ฝ่าย"
    private static let titles =
        "Position,Jobtitel,Berufsbezeichnung,Stelle,Funktion,Fonction,Poste,Puesto,Cargo,Posizione,Qualifica,Funzione,Functie,Functietitel,Befattning,Stilling,Tehtävänimike,Stanowisko,Funkce,Beosztás,Unvan,Должность,役職,职务,職稱,직함,ตำแหน่ง,ตำแหน่งงาน,Посада,Длъжност,직급,직책,职位,职称,岗位,職位,Jabatan,Chức vụ,Chức danh,Funcție,Funcția,Zanimanje,Radno mjesto,الوظيفة,المسمى الوظيفي,תפקיד,سمت,पद"
    private static let notes =
        "Notizen,Notiz,Bemerkungen,Bemerkung,Anmerkungen,Kommentar,Kommentare,Remarques,Commentaires,Notas,Observaciones,Note,Notities,Opmerkingen,Anteckningar,Notater,Noter,Huomautuksia,Muistiinpanot,Notatki,Uwagi,Poznámky,Jegyzetek,Megjegyzés,Notlar,Заметки,Примечания,Примечание,メモ,備考,备注,備註,메모,비고,หมายเหตุ,บันทึก,Merknad,Merknader,Notat,Observações,Observação,Нотатки,Примітки,Бележки,Catatan,Keterangan,Ghi chú,Napomena,Bilješke,Observații,ملاحظات,הערות,توضیحات,یادداشت,टिप्पणी,Σχόλια,Комментарий,Комментарии,Bemærkninger,Bemærkning"
    private static let birthdays =
        "Geburtstag,Geburtsdatum,geb. am,geboren am,Né le,Né(e) le,Date de naissance,Anniversaire,Fecha de nacimiento,Nacimiento,Nascimento,Cumpleaños,Data di nascita,Compleanno,Data de nascimento,Aniversário,Geboortedatum,Verjaardag,Födelsedag,Födelsedatum,Fødselsdag,Fødselsdato,Syntymäpäivä,Data urodzenia,Urodziny,Datum narození,Narozeniny,Születésnap,Születési dátum,Doğum tarihi,Doğum günü,День рождения,Дата рождения,生年月日,誕生日,生日,出生日期,생일,생년월일,วันเกิด,วันเดือนปีเกิด,Дата народження,День народження,Рожден ден,Рождена дата,Datum rođenja,Datum rojstva,Data nașterii,Tanggal Lahir,Ngày sinh,تاريخ الميلاد,תאריך לידה,تاریخ تولد,जन्मदिन,जन्म तिथि,Ημερομηνία γέννησης"
    private static let categories =
        "Kategorien,Kategorie,Etiquetas,Etiketten,Gruppen,Gruppe,Catégories,Groupes,Categorías,Grupos,Categorie,Gruppi,Categorias,Categorieën,Groepen,Kategorier,Grupper,Luokat,Ryhmät,Grupy,Skupiny,Kategóriák,Csoportok,Kategoriler,Gruplar,Категории,Группы,分類,グループ,分类,类别,群组,分组,범주,그룹,กลุ่ม,หมวดหมู่,ป้ายกำกับ"
    private static let photos =
        "Foto,Bild,Photo,Imagen,Immagine,Imagem,Afbeelding,Zdjęcie,Kép,Фото,写真,照片,相片,사진,รูปภาพ,รูปถ่าย"
}
