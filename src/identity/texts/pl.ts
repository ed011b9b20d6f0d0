import type { AccountTexts } from "./en.ts"

export const pl: AccountTexts = {
  page: {
    log_in: "Zaloguj się",
    log_out: "Wyloguj się",
    to_continue: "aby przejść do {client}",
    email: "Adres e-mail",
    password: "Hasło",
    wrong: "Adres e-mail lub hasło jest nieprawidłowe.",
    throttled: "Zbyt wiele prób. Spróbuj ponownie za {seconds} s.",
    busy: "Loguje się zbyt wiele osób. Spróbuj ponownie za kilka sekund.",
    form_expired: "Ten formularz stracił ważność. Spróbuj ponownie.",
    wants_access: "{client} prosi o dostęp do Twojego konta",
    logged_in_as: "Zalogowano jako {email}.",
    would_be_able: "Aplikacja mogłaby używać:",
    everything: "wszystkiego, co wolno Tobie",
    allow: "Zezwól",
    deny: "Odmów",
    withdraw: "Możesz to cofnąć w każdej chwili na stronie swojego konta.",
    account: "Twoje konto",
    administration: "Administracja",
    sessions: "Zalogowane przeglądarki",
    this_browser: "ta przeglądarka",
    unknown_browser: "Nieznana przeglądarka",
    since: "od {time}",
    until: "do {time}",
    no_end: "bez daty końcowej",
    end: "Wyloguj",
    apps: "Połączone aplikacje",
    no_apps: "Żadna aplikacja nie ma dostępu do Twojego konta.",
    disconnect: "Odłącz",
    tokens: "Osobiste tokeny dostępu",
    tokens_for: "Do Twoich własnych skryptów. Kto ma token, może w jego granicach działać w Twoim imieniu.",
    no_tokens: "Nie masz żadnego tokenu.",
    revoke: "Unieważnij",
    token_name: "Nazwa tokenu",
    token_scope: "Pozwala na",
    full_access: "wszystko",
    read_only: "tylko odczyt",
    valid_for: "Ważny przez",
    days: "{days} dni",
    unlimited: "bez ograniczeń",
    create_token: "Utwórz token",
    token_created: "Skopiuj nowy token teraz. Nie będzie pokazany ponownie.",
    name_invalid: "Nadaj tokenowi nazwę o długości najwyżej 255 znaków.",
    too_many_tokens: "Masz zbyt wiele tokenów. Najpierw unieważnij jeden z nich.",
    home_lead: "Faktury, oferty, płatności i wydatki wielu organizacji przez interfejs API JSON.",
    api_reference: "Dokumentacja API",
    api_description: "Opis OpenAPI"
  },
  password: {
    forgot: "Nie pamiętasz hasła?",
    forgot_lead: "Podaj swój adres e-mail. Jeśli należy do konta, wyślemy link do ustawienia nowego hasła.",
    send_link: "Wyślij link",
    sent: "Jeśli ten adres należy do konta, link jest w drodze. Jest ważny przez {minutes} minut.",
    back_to_login: "Wróć do logowania",
    set_title: "Ustaw nowe hasło",
    account_of: "Konto",
    new_password: "Nowe hasło",
    current_password: "Obecne hasło",
    rule: "Co najmniej 8 znaków.",
    common: "To hasło jest zbyt popularne. Wybierz inne.",
    wrong_current: "Obecne hasło jest nieprawidłowe.",
    set: "Zapisz hasło",
    change: "Zmień hasło",
    change_lead: "Tutaj pozostaniesz zalogowany, a we wszystkich innych przeglądarkach nastąpi wylogowanie.",
    done: "Hasło zostało zmienione.",
    gone: {
      unknown: "Ten link jest nieprawidłowy.",
      used: "Ten link został już użyty.",
      replaced: "Ten link nie jest już ważny, ponieważ użyto innego.",
      expired: "Ten link wygasł."
    },
    ask_again: "Poproś o nowy link",
    greeting: "Dzień dobry, {name},",
    reset_subject: "Ustaw nowe hasło",
    follow: "Aby ustawić nowe hasło, otwórz ten link:",
    validity: "Link jest ważny przez {minutes} minut i działa jeden raz.",
    ignore: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość: hasło pozostanie bez zmian."
  },
  email: {
    title: "Zmiana adresu e-mail",
    lead: "Wyślemy link na nowy adres. Adres zmieni się, gdy link zostanie otwarty.",
    new_address: "Nowy adres e-mail",
    sent: "Link jest w drodze na adres {email}. Jest ważny przez {minutes} min.",
    invalid: "Podaj prawidłowy adres e-mail, inny niż obecny.",
    too_many: "Zażądano zbyt wielu linków. Spróbuj ponownie za godzinę.",
    confirm_lead: "Od teraz logujesz się adresem {email}.",
    confirm: "Potwierdź adres",
    done: "Twój adres e-mail to teraz {email}.",
    taken: "Tego adresu nie można użyć, ponieważ należy do innego konta.",
    subject: "Potwierdź nowy adres e-mail",
    follow: "Otwórz ten link, aby używać tego adresu na swoim koncie:",
    ignore: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość: nic się nie zmieni."
  },
  security: {
    title: "Logowanie dwuetapowe",
    off_lead:
      "Do zalogowania wystarcza hasło. Z aplikacją uwierzytelniającą potrzebny jest też kod, którego nie ma nikt inny.",
    on_lead:
      "Do zalogowania potrzebny jest też kod z aplikacji uwierzytelniającej. Liczba niewykorzystanych kodów odzyskiwania: {codes}.",
    turn_on: "Włącz",
    turn_off: "Wyłącz",
    app_code: "Kod z aplikacji",
    any_code: "Kod z aplikacji lub kod odzyskiwania",
    scan: "Zeskanuj ten obraz aplikacją uwierzytelniającą. Następnie wpisz sześć cyfr, które pokaże aplikacja.",
    key: "Lub wpisz ten klucz w aplikacji:",
    qr: "Kod QR dla aplikacji uwierzytelniającej",
    confirm: "Potwierdź",
    code_wrong: "Kod jest nieprawidłowy, zbyt stary lub już użyty.",
    recovery_title: "Kody odzyskiwania",
    recovery_lead:
      "Przechowuj te kody w bezpiecznym miejscu. Każdy działa jeden raz, zamiast aplikacji. Nie będą pokazane ponownie.",
    renew: "Utwórz nowe kody odzyskiwania",
    step_title: "Drugi krok",
    step_lead: "Wpisz kod z aplikacji uwierzytelniającej lub kod odzyskiwania.",
    again_title: "Potwierdź, że to Ty",
    again_lead: "Od logowania minęło trochę czasu. Aby kontynuować, wpisz hasło.",
    go_on: "Dalej",
    back: "Wróć do swojego konta",
    last_used: "ostatnie użycie: {time}",
    end_others: "Wyloguj wszystkie inne przeglądarki",
    organization: "Aplikacja działałaby w imieniu organizacji {names}.",
    organizations: "Aplikacja działałaby w imieniu jednej z Twoich organizacji: {names}.",
    returns_to: "Następnie wrócisz do {host}.",
    all_changes:
      "Przez zdarzenia i webhooki aplikacja otrzymuje każdą zmianę wszystkich danych wraz z ich pełną treścią, także danych spoza tej listy.",
    no_organization: "Twoje konto nie należy do żadnej organizacji, więc aplikacja {client} nie ma z czego korzystać.",
    other_account: "Zaloguj się na inne konto",
    back_to: "Wróć do {client}"
  },
  notices: {
    password_changed: {
      subject: "Twoje hasło zostało zmienione",
      text: "Hasło do Twojego konta zostało właśnie zmienione, a wszystkie inne przeglądarki zostały wylogowane."
    },
    email_changed: {
      subject: "Twój adres e-mail został zmieniony",
      text: "Twoje konto ma teraz adres {detail}. Jeśli to nie Ty, od razu powiadom operatora tej instalacji."
    },
    new_login: {
      subject: "Nowe logowanie do Twojego konta",
      text: "Ktoś właśnie zalogował się do Twojego konta w nieznanej dotąd przeglądarce: {detail}."
    },
    new_token: {
      subject: "Nowy token dostępu",
      text: "Dla Twojego konta utworzono właśnie osobisty token dostępu o nazwie „{detail}”."
    },
    factor_on: {
      subject: "Logowanie dwuetapowe jest włączone",
      text: "Od teraz do zalogowania się na konto potrzebny jest też kod z aplikacji uwierzytelniającej."
    },
    factor_off: {
      subject: "Logowanie dwuetapowe jest wyłączone",
      text: "Od teraz do zalogowania się na konto wystarczy hasło."
    },
    recovery_used: {
      subject: "Użyto kodu odzyskiwania",
      text: "Właśnie użyto kodu odzyskiwania Twojego konta. Ten kod już nie zadziała."
    },
    recovery_renewed: {
      subject: "Nowe kody odzyskiwania",
      text: "Dla Twojego konta utworzono właśnie nowe kody odzyskiwania. Poprzednie już nie działają."
    },
    not_you: "Jeśli to nie Ty, unieważnij nieznane tokeny dostępu na stronie swojego konta i od razu ustaw nowe hasło:"
  },
  setup: {
    title: "Konfiguracja tej instalacji",
    lead: "Otwórz pierwszą organizację i wybierz swoje hasło. Będziesz też zarządzać tą instalacją.",
    name: "Nazwa organizacji",
    country: "Kraj",
    country_hint: "Obejmuje zwykłe stawki podatku. Później nie można go zmienić.",
    choose: "Proszę wybrać",
    currency: "Waluta",
    timezone: "Strefa czasowa",
    language: "Język",
    owner_email: "Twój adres e-mail",
    owner_name: "Imię i nazwisko",
    owner_password: "Twoje hasło",
    submit: "Otwórz organizację",
    cancel: "Anuluj",
    unchanged: "Niczego nie zmieniono.",
    invalid: "Popraw tę wartość.",
    gone: "Ten link wygasł albo instalacja jest już skonfigurowana.",
    gone_lead: "Jeśli nic nie jest jeszcze skonfigurowane, to polecenie tworzy nowy link:"
  },
  scopes: {
    things: {
      organizations: "Organizacje",
      customers: "Klienci",
      contacts: "Kontakty",
      invoices: "Faktury",
      quotes: "Oferty",
      credit_notes: "Faktury korygujące",
      payments: "Płatności",
      expenses: "Wydatki",
      bank_accounts: "Rachunki bankowe",
      bank_transactions: "Transakcje bankowe",
      bank_rules: "Reguły bankowe",
      einvoicing: "E-fakturowanie",
      archive: "Archiwum",
      reports: "Raporty",
      webhooks: "Webhooki"
    },
    deeds: {
      read: "odczyt",
      view: "odczyt",
      write: "tworzenie i zmiana",
      create: "tworzenie",
      update: "zmiana",
      delete: "usuwanie",
      users: "zarządzanie członkami",
      send: "wysyłanie",
      convert: "przekształcanie w faktury",
      refund: "zwroty",
      import: "importowanie",
      submit: "składanie",
      register: "rejestrowanie",
      export: "eksportowanie"
    }
  }
}
