/// How a language writes a date: for the languages most asked for, without a library of 40 MB.
struct DateTimeWords: Sendable {
  /// From Sunday.
  let weekdays: [String]
  /// From January; empty where the pattern has numbers.
  let months: [String]
  /// The parts in braces are filled in: {weekday} {day} {month} {name} {year} {time}, and {dd} {mm} with two digits.
  let pattern: String

  func text(_ date: CivilDateTime) -> String {
    var result = ""
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += part(rest[rest.index(after: open)..<close], of: date)
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private func part(_ name: Substring, of date: CivilDateTime) -> String {
    switch name {
    case "weekday": weekdays[date.weekday]
    case "day": "\(date.day)"
    case "dd": date.day.padded(to: 2)
    case "month": "\(date.month)"
    case "mm": date.month.padded(to: 2)
    case "name": months.isEmpty ? "\(date.month)" : months[date.month - 1]
    case "year": "\(date.year)"
    default: date.time
    }
  }

  /// - Parameter locale: "zh_CN", "en-GB", "de_DE.UTF-8"; unknown languages are written in English.
  static func forLocale(_ locale: String) -> Self {
    let parts = locale.split { "_-.@".contains($0) }.map { $0.lowercased() }
    let language = parts.first ?? "en"
    if language == "en" {
      // The United States put the month first; POSIX has no customs of its own.
      return parts.dropFirst().first.map { $0 == "us" || $0 == "posix" } ?? true ? english : britishEnglish
    }
    if language == "zh", parts.contains(where: { ["tw", "hk", "mo", "hant"].contains($0) }) {
      return traditionalChinese
    }
    return all[language] ?? english
  }

  private static let english = words(
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
    "January February March April May June July August September October November December",
    "{weekday}, {name} {day}, {year}, {time}")
  private static let britishEnglish = DateTimeWords(
    weekdays: english.weekdays, months: english.months, pattern: "{weekday}, {day} {name} {year}, {time}")
  private static let traditionalChinese = DateTimeWords(
    weekdays: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"], months: [],
    pattern: "{year}年{mm}月{dd}日 {time} {weekday}")

  private static func words(_ weekdays: String, _ months: String, _ pattern: String) -> Self {
    DateTimeWords(
      weekdays: weekdays.split(separator: " ").map(String.init), months: months.split(separator: " ").map(String.init),
      pattern: pattern)
  }

  private static let all: [String: Self] = [
    "zh": traditionalChinese,  // the simplified words are the same
    "ja": words("日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "", "{year}年{month}月{day}日 {weekday} {time}"),
    "ko": words("일요일 월요일 화요일 수요일 목요일 금요일 토요일", "", "{year}년 {month}월 {day}일 {weekday} {time}"),
    "de": words(
      "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      "{weekday}, {day}. {name} {year}, {time}"),
    "fr": words(
      "dimanche lundi mardi mercredi jeudi vendredi samedi",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "{weekday} {day} {name} {year} {time}"),
    "es": words(
      "domingo lunes martes miércoles jueves viernes sábado",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "{weekday}, {day} de {name} de {year}, {time}"),
    "pt": words(
      "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "{weekday}, {day} de {name} de {year}, {time}"),
    "it": words(
      "domenica lunedì martedì mercoledì giovedì venerdì sabato",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "{weekday} {day} {name} {year}, {time}"),
    "nl": words(
      "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
      "januari februari maart april mei juni juli augustus september oktober november december",
      "{weekday} {day} {name} {year} {time}"),
    "sv": words(
      "söndag måndag tisdag onsdag torsdag fredag lördag",
      "januari februari mars april maj juni juli augusti september oktober november december",
      "{weekday} {day} {name} {year} {time}"),
    "da": words(
      "søndag mandag tirsdag onsdag torsdag fredag lørdag",
      "januar februar marts april maj juni juli august september oktober november december",
      "{weekday} den {day}. {name} {year} {time}"),
    "nb": words(
      "søndag mandag tirsdag onsdag torsdag fredag lørdag",
      "januar februar mars april mai juni juli august september oktober november desember",
      "{weekday} {day}. {name} {year} {time}"),
    "fi": words(
      "sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai",
      "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
        + "marraskuuta joulukuuta",
      "{weekday} {day}. {name} {year} {time}"),
    "pl": words(
      "niedziela poniedziałek wtorek środa czwartek piątek sobota",
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      "{weekday}, {day} {name} {year} {time}"),
    "ru": words(
      "воскресенье понедельник вторник среда четверг пятница суббота",
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "{weekday}, {day} {name} {year} г., {time}"),
    "uk": words(
      "неділя понеділок вівторок середа четвер пʼятниця субота",
      "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
      "{weekday}, {day} {name} {year} р., {time}"),
    "tr": words(
      "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi",
      "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
      "{day} {name} {year} {weekday} {time}"),
    "id": words(
      "Minggu Senin Selasa Rabu Kamis Jumat Sabtu",
      "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember",
      "{weekday}, {day} {name} {year} {time}"),
    "vi": DateTimeWords(
      weekdays: ["Chủ Nhật", "Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy"], months: [],
      pattern: "{weekday}, ngày {day} tháng {month} năm {year}, {time}"),
  ]
}
