"""Names of columns in the languages of people who make tables by hand."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"
OUTLOOK = GITHUB + "roundcube/roundcubemail/issues/7041"
THUNDERBIRD = GITHUB + "RainLoop/rainloop-webmail/issues/960"


def expect(trial, text, *wanted):
    contacts.expect_contacts(trial, contacts.write(trial, "a.csv", text), list(wanted))


@report(OUTLOOK, GITHUB + "roundcube/roundcubemail/issues/6668", "A Turkish table has Cep for the mobile phone, which is a postal code (CEP) in Brazil, and Unvan for the job.",
        right="The number, the job and the postal code, each in its field; a Brazilian table as before.", before="wrong")
def columns_in_turkish(trial):
    expect(trial, "Ad,Soyad,E-posta,Telefon,Cep,Şirket,Unvan,Adres,Posta kodu,Şehir,Ülke,Doğum tarihi,Notlar\nAda,Mo,a@example.org,1,2,Tersane,Şef,Cadde 1,34000,İzmir,TR,07.05.1985,x\n", {
        "name": "Ada Mo", "title": "Şef", "phones": ["1", "2"], "phones types": [[], ["cell"]], "addresses": ["Cadde 1\n34000 İzmir\nTR"], "birthday": "1985-05-07", "note": "x"})
    expect(trial, "Nome,Sobrenome,Telefone,CEP,Cidade,Observações\nAda,Mo,1,01000,Santos,x\n", {"phones": ["1"], "addresses": ["01000 Santos"], "note": "x"})


@report(OUTLOOK, GITHUB + "ONLYOFFICE/CommunityServer/issues/68", "Tables are Ukrainian, Bulgarian and Russian.", right="The contacts with all of their fields.", before="wrong")
def columns_in_cyrillic(trial):
    expect(trial, "Ім'я,Прізвище,По батькові,Електронна пошта,Телефон,Мобільний телефон,Компанія,Посада,Вулиця,Місто,Країна,Дата народження,Примітки\n"
           "Ада,Мо,Іванівна,a@example.org,1,2,Верф,Шеф,Вул 1,Київ,UA,07.05.1985,x\n", {
               "given": "Ада", "family": "Мо", "additional": "Іванівна", "emails": ["a@example.org"], "phones": ["1", "2"], "organisation": ["Верф"], "title": "Шеф",
               "addresses": ["Вул 1\nКиїв\nUA"], "birthday": "1985-05-07", "note": "x"})
    expect(trial, "Име,Фамилия,Имейл,Телефон,Мобилен,Фирма,Длъжност,Адрес,Град,Бележки\nАда,Мо,a@example.org,1,2,Верф,Шеф,Ул 1,София,x\n", {
        "name": "Ада Мо", "emails": ["a@example.org"], "phones": ["1", "2"], "organisation": ["Верф"], "title": "Шеф", "addresses": ["Ул 1\nСофия"], "note": "x"})
    expect(trial, "Имя;Фамилия;Эл. почта;Никнейм;Комментарий\nАда;Мо;a@example.org;Адди;x\n", {"name": "Ада Мо", "nicknames": ["Адди"], "emails": ["a@example.org"], "note": "x"})


@report(THUNDERBIRD, GITHUB + "owncloud-archive/contacts/issues/689", "Tables are Korean and Chinese, and have accounts of KakaoTalk, WeChat and QQ.", right="The contacts with all of their fields, and the accounts.", before="wrong")
def columns_in_korean_and_chinese(trial):
    expect(trial, "성명,이메일,핸드폰,회사명,부서,직급,우편번호,주소,생년월일,카카오톡 ID,비고\n김철수,a@example.org,010-1,서점,영업,과장,01234,서울 1,1985-05-07,kim,x\n", {
        "name": "김철수", "phones": ["010-1"], "phones types": [["cell"]], "organisation": ["서점", "영업"], "title": "과장", "social": ["kim"], "social types": [["kakaotalk"]],
        "birthday": "1985-05-07", "note": "x"})
    expect(trial, "姓名,电子邮箱,手机号码,公司名称,职位,微信号,QQ号,备注\n王小明,a@example.org,138,书店,经理,wx1,12345,x\n", {
        "name": "王小明", "phones": ["138"], "organisation": ["书店"], "title": "经理", "social": ["wx1", "12345"], "social types": [["wechat"], ["qq"]], "note": "x"})


@report(GITHUB + "playsms/playsms/issues/304", OUTLOOK, "Tables are Hebrew, Arabic and Persian; Hebrew has quotes inside of the word for mail.", right="The contacts with all of their fields.", before="wrong")
def columns_from_right_to_left(trial):
    expect(trial, 'שם,"דוא""ל",סלולרי,חברה,תפקיד,רחוב,עיר,תאריך לידה,הערות\nדנה לוי,a@example.org,1,חנות,מנהלת,רחוב 1,חיפה,07.05.1985,x\n', {
        "name": "דנה לוי", "emails": ["a@example.org"], "phones": ["1"], "phones types": [["cell"]], "organisation": ["חנות"], "title": "מנהלת", "addresses": ["רחוב 1\nחיפה"],
        "birthday": "1985-05-07", "note": "x"})
    expect(trial, "الاسم الأول,اسم العائلة,البريد الالكتروني,رقم الجوال,الشركة,المسمى الوظيفي,العنوان,المدينة,الدولة,تاريخ الميلاد,ملاحظات\nمنى,علي,a@example.org,1,متجر,مديرة,شارع 1,دبي,الإمارات,07.05.1985,x\n", {
        "given": "منى", "family": "علي", "emails": ["a@example.org"], "phones": ["1"], "organisation": ["متجر"], "title": "مديرة", "addresses": ["شارع 1\nدبي\nالإمارات"],
        "birthday": "1985-05-07", "note": "x"})
    expect(trial, "نام,نام خانوادگی,ایمیل,تلفن همراه,شرکت,سمت,آدرس,شهر,کشور,توضیحات\nآدا,مو,a@example.org,1,فروشگاه,مدیر,خیابان 1,تهران,ایران,x\n", {
        "given": "آدا", "family": "مو", "emails": ["a@example.org"], "phones": ["1"], "organisation": ["فروشگاه"], "title": "مدیر", "addresses": ["خیابان 1\nتهران\nایران"], "note": "x"})


@report(THUNDERBIRD, OUTLOOK, "A table is Hindi.", right="The contact with all of its fields.", before="wrong")
def columns_in_hindi(trial):
    expect(trial, "नाम,ईमेल,फ़ोन,मोबाइल,कंपनी,पता,शहर,देश,जन्म तिथि,टिप्पणी\nआदा मो,a@example.org,1,2,दुकान,रास्ता 1,दिल्ली,भारत,07.05.1985,x\n", {
        "name": "आदा मो", "emails": ["a@example.org"], "phones": ["1", "2"], "phones types": [[], ["cell"]], "organisation": ["दुकान"], "addresses": ["रास्ता 1\nदिल्ली\nभारत"],
        "birthday": "1985-05-07", "note": "x"})


@report(OUTLOOK, THUNDERBIRD, "Tables are Indonesian and Vietnamese.", right="The contacts with all of their fields.", before="wrong")
def columns_of_south_east_asia(trial):
    expect(trial, "Nama,Email,No HP,Perusahaan,Jabatan,Alamat,Kota,Kode Pos,Negara,Tanggal Lahir,Catatan\nAda Mo,a@example.org,1,Toko,Kepala,Jalan 1,Jakarta,10110,ID,07/05/1985,x\n", {
        "name": "Ada Mo", "emails": ["a@example.org"], "phones": ["1"], "phones types": [["cell"]], "organisation": ["Toko"], "title": "Kepala", "addresses": ["Jalan 1\n10110 Jakarta\nID"],
        "birthday": "1985-05-07", "note": "x"})
    expect(trial, "Họ,Tên,Email,Số điện thoại,Công ty,Chức vụ,Địa chỉ,Thành phố,Ngày sinh,Ghi chú\nMo,Ada,a@example.org,1,Xưởng,Trưởng,Phố 1,Huế,07/05/1985,x\n", {
        "given": "Ada", "family": "Mo", "phones": ["1"], "organisation": ["Xưởng"], "title": "Trưởng", "addresses": ["Phố 1\nHuế"], "birthday": "1985-05-07", "note": "x"})


@report(OUTLOOK, GITHUB + "Rillke/Contact-Conversion-Wizard/issues/28", "Tables are Romanian and Croatian; the Romanian Nume is the family name beside Prenume.", right="The contacts with all of their fields.", before="wrong")
def columns_of_south_east_europe(trial):
    expect(trial, "Nume,Prenume,Email,Telefon,Companie,Funcție,Adresă,Oraș,Cod poștal,Data nașterii,Observații\nMo,Ada,a@example.org,1,Șantier,Șef,Strada 1,Iași,700001,07.05.1985,x\n", {
        "name": "Ada Mo", "family": "Mo", "organisation": ["Șantier"], "title": "Șef", "addresses": ["Strada 1\n700001 Iași"], "birthday": "1985-05-07", "note": "x"})
    expect(trial, "Ime,Prezime,E-pošta,Telefon,Mobitel,Tvrtka,Radno mjesto,Ulica,Grad,Poštanski broj,Datum rođenja,Napomena\nAda,Mo,a@example.org,1,2,Brodogradilište,Šefica,Ulica 1,Split,21000,07.05.1985,x\n", {
        "name": "Ada Mo", "phones": ["1", "2"], "organisation": ["Brodogradilište"], "title": "Šefica", "addresses": ["Ulica 1\n21000 Split"], "birthday": "1985-05-07", "note": "x"})


@report(OUTLOOK, GITHUB + "roundcube/roundcubemail/pull/289", "Tables are Norwegian, Polish, Danish and Hungarian; the Polish Kraj is the country, which is a region in Czech, and the Hungarian Cím is an address here, and a title for Outlook.",
        right="The contacts with all of their fields, the country as one, and the address.", before="wrong")
def columns_that_mean_two_things(trial):
    expect(trial, "Imię,Nazwisko,E-mail,Ulica,Kod pocztowy,Miasto,Kraj\nAda,Mo,a@example.org,Ulica 1,00-001,Gdynia,Polska\n", {"addresses": ["Ulica 1\n00-001 Gdynia\nPolska"]})
    card = trial.run("contacts", "export", trial.folder / "book/a.csv", "--output", "out.vcf").stderr
    trial.require(f"the country in its place {card}", ";Gdynia;;00-001;Polska" in (trial.folder / "out.vcf").read_text())
    expect(trial, "Vezetéknév,Keresztnév,E-mail cím,Telefonszám,Beosztás,Cím,Város,Irányítószám\nMo,Ada,a@example.org,1,Főnök,Út 1,Győr,9000\n", {
        "name": "Ada Mo", "title": "Főnök", "prefix": "", "addresses": ["Út 1\n9000 Győr"]})
    expect(trial, "Fornavn,Etternavn,E-post,Merknad\nAda,Mo,a@example.org,x\n", {"name": "Ada Mo", "note": "x"})
    expect(trial, "Fornavn,Efternavn,E-mail,Bemærkninger\nAda,Mo,a@example.org,x\n", {"name": "Ada Mo", "note": "x"})
