import type { AccountTexts } from "./en.ts"

export const de: AccountTexts = {
  page: {
    log_in: "Anmelden",
    log_out: "Abmelden",
    to_continue: "um mit {client} fortzufahren",
    email: "E-Mail-Adresse",
    password: "Passwort",
    wrong: "Die E-Mail-Adresse oder das Passwort ist falsch.",
    throttled: "Zu viele Versuche. Bitte versuchen Sie es in {seconds} Sekunden erneut.",
    busy: "Zu viele Anmeldungen zugleich. Bitte versuchen Sie es in einigen Sekunden erneut.",
    form_expired: "Dieses Formular ist nicht mehr gültig. Bitte versuchen Sie es erneut.",
    wants_access: "{client} bittet um Zugriff auf Ihr Konto",
    logged_in_as: "Sie sind als {email} angemeldet.",
    would_be_able: "Die Anwendung könnte Folgendes nutzen:",
    everything: "alles, was Sie dürfen",
    allow: "Erlauben",
    deny: "Ablehnen",
    withdraw: "Sie können dies jederzeit auf Ihrer Kontoseite widerrufen.",
    account: "Ihr Konto",
    administration: "Verwaltung",
    sessions: "Angemeldete Browser",
    this_browser: "dieser Browser",
    unknown_browser: "Unbekannter Browser",
    since: "seit {time}",
    until: "bis {time}",
    no_end: "ohne Enddatum",
    end: "Abmelden",
    apps: "Verbundene Anwendungen",
    no_apps: "Keine Anwendung hat Zugriff auf Ihr Konto.",
    disconnect: "Trennen",
    tokens: "Persönliche Zugriffstoken",
    tokens_for: "Für Ihre eigenen Skripte. Wer ein Token besitzt, kann in dessen Grenzen in Ihrem Namen handeln.",
    no_tokens: "Sie haben kein Token.",
    revoke: "Widerrufen",
    token_name: "Name des Tokens",
    token_scope: "Es darf",
    full_access: "alles",
    read_only: "nur lesen",
    valid_for: "Gültig",
    days: "{days} Tage",
    unlimited: "unbegrenzt",
    create_token: "Token erstellen",
    token_created: "Kopieren Sie das neue Token jetzt. Es wird nicht noch einmal angezeigt.",
    name_invalid: "Geben Sie dem Token einen Namen mit höchstens 255 Zeichen.",
    too_many_tokens: "Sie haben zu viele Token. Widerrufen Sie zuerst eines.",
    home_lead: "Rechnungen, Angebote, Zahlungen und Ausgaben für mehrere Organisationen, über eine JSON-API.",
    api_reference: "API-Referenz",
    api_description: "OpenAPI-Beschreibung"
  },
  password: {
    forgot: "Passwort vergessen?",
    forgot_lead:
      "Geben Sie Ihre E-Mail-Adresse ein. Gehört sie zu einem Konto, senden wir Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.",
    send_link: "Link senden",
    sent: "Gehört diese Adresse zu einem Konto, ist ein Link unterwegs. Er ist {minutes} Minuten gültig.",
    back_to_login: "Zurück zur Anmeldung",
    set_title: "Neues Passwort festlegen",
    account_of: "Konto",
    new_password: "Neues Passwort",
    current_password: "Aktuelles Passwort",
    rule: "Mindestens 8 Zeichen.",
    common: "Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.",
    wrong_current: "Das aktuelle Passwort ist falsch.",
    set: "Passwort speichern",
    change: "Passwort ändern",
    change_lead: "Sie bleiben hier angemeldet und werden in allen anderen Browsern abgemeldet.",
    done: "Ihr Passwort wurde geändert.",
    gone: {
      unknown: "Dieser Link ist ungültig.",
      used: "Dieser Link wurde bereits verwendet.",
      replaced: "Dieser Link gilt nicht mehr, weil ein anderer verwendet wurde.",
      expired: "Dieser Link ist abgelaufen."
    },
    ask_again: "Neuen Link anfordern",
    greeting: "Guten Tag {name},",
    reset_subject: "Neues Passwort festlegen",
    follow: "Mit diesem Link legen Sie ein neues Passwort fest:",
    validity: "Der Link ist {minutes} Minuten gültig und funktioniert einmal.",
    ignore: "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt unverändert."
  },
  email: {
    title: "E-Mail-Adresse ändern",
    lead: "Wir senden einen Link an die neue Adresse. Die Adresse ändert sich, sobald Sie den Link öffnen.",
    new_address: "Neue E-Mail-Adresse",
    sent: "Ein Link ist unterwegs an {email}. Er gilt {minutes} Minuten.",
    invalid: "Geben Sie eine gültige E-Mail-Adresse ein, die nicht Ihre jetzige ist.",
    too_many: "Sie haben zu viele Links angefordert. Bitte versuchen Sie es in einer Stunde noch einmal.",
    confirm_lead: "Von jetzt an melden Sie sich mit {email} an.",
    confirm: "Adresse bestätigen",
    done: "Ihre E-Mail-Adresse ist jetzt {email}.",
    taken: "Diese Adresse kann nicht verwendet werden, weil sie zu einem anderen Konto gehört.",
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    follow: "Öffnen Sie diesen Link, um diese Adresse für Ihr Konto zu verwenden:",
    ignore: "Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht: Es ändert sich nichts."
  },
  security: {
    title: "Anmeldung in zwei Schritten",
    off_lead:
      "Eine Anmeldung braucht nur Ihr Passwort. Mit einer Authenticator-App braucht sie auch einen Code, den sonst niemand hat.",
    on_lead:
      "Eine Anmeldung braucht auch einen Code Ihrer Authenticator-App. Unbenutzte Wiederherstellungscodes: {codes}.",
    turn_on: "Einschalten",
    turn_off: "Ausschalten",
    app_code: "Code der App",
    any_code: "Code der App oder Wiederherstellungscode",
    scan: "Scannen Sie dieses Bild mit einer Authenticator-App. Geben Sie dann die sechs Ziffern ein, die sie anzeigt.",
    key: "Oder tippen Sie diesen Schlüssel in die App:",
    qr: "QR-Code für die Authenticator-App",
    confirm: "Bestätigen",
    code_wrong: "Der Code ist falsch, zu alt oder schon benutzt.",
    recovery_title: "Wiederherstellungscodes",
    recovery_lead:
      "Bewahren Sie diese Codes sicher auf. Jeder gilt einmal, anstelle der App. Sie werden nicht noch einmal angezeigt.",
    renew: "Neue Wiederherstellungscodes erstellen",
    step_title: "Zweiter Schritt",
    step_lead: "Geben Sie den Code Ihrer Authenticator-App ein, oder einen Wiederherstellungscode.",
    again_title: "Bestätigen Sie, dass Sie es sind",
    again_lead: "Ihre Anmeldung liegt einige Zeit zurück. Geben Sie Ihr Passwort ein, um fortzufahren.",
    go_on: "Weiter",
    back: "Zurück zu Ihrem Konto",
    last_used: "zuletzt benutzt am {time}",
    end_others: "Alle anderen Browser abmelden",
    organization: "Die Anwendung würde für die Organisation {names} handeln.",
    organizations: "Die Anwendung würde für eine Ihrer Organisationen handeln: {names}.",
    returns_to: "Danach kehren Sie zu {host} zurück.",
    all_changes:
      "Über Ereignisse und Webhooks erfährt die Anwendung jede Änderung aller Datensätze mit deren vollständigem Inhalt, auch von Daten, die nicht in dieser Liste stehen.",
    no_organization: "Ihr Konto gehört zu keiner Organisation, daher gibt es nichts, was {client} nutzen könnte.",
    other_account: "Mit einem anderen Konto anmelden",
    back_to: "Zurück zu {client}"
  },
  notices: {
    password_changed: {
      subject: "Ihr Passwort wurde geändert",
      text: "Das Passwort Ihres Kontos wurde soeben geändert, und alle anderen Browser wurden abgemeldet."
    },
    email_changed: {
      subject: "Ihre E-Mail-Adresse wurde geändert",
      text: "Ihr Konto hat jetzt die Adresse {detail}. Wenn Sie das nicht waren, benachrichtigen Sie sofort den Betreiber dieser Installation."
    },
    new_login: {
      subject: "Neue Anmeldung bei Ihrem Konto",
      text: "Bei Ihrem Konto hat sich soeben jemand mit einem bisher unbekannten Browser angemeldet: {detail}."
    },
    new_token: {
      subject: "Neues Zugriffstoken",
      text: "Für Ihr Konto wurde soeben ein persönliches Zugriffstoken mit dem Namen „{detail}“ erstellt."
    },
    factor_on: {
      subject: "Anmeldung in zwei Schritten ist eingeschaltet",
      text: "Ab jetzt braucht eine Anmeldung bei Ihrem Konto auch einen Code Ihrer Authenticator-App."
    },
    factor_off: {
      subject: "Anmeldung in zwei Schritten ist ausgeschaltet",
      text: "Ab jetzt braucht eine Anmeldung bei Ihrem Konto nur noch das Passwort."
    },
    recovery_used: {
      subject: "Ein Wiederherstellungscode wurde benutzt",
      text: "Ein Wiederherstellungscode Ihres Kontos wurde soeben benutzt. Er gilt nicht noch einmal."
    },
    recovery_renewed: {
      subject: "Neue Wiederherstellungscodes",
      text: "Für Ihr Konto wurden soeben neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr."
    },
    not_you:
      "Wenn Sie das nicht waren, widerrufen Sie unbekannte Zugriffstoken auf Ihrer Kontoseite, und legen Sie sofort ein neues Passwort fest:"
  },
  setup: {
    title: "Diese Installation einrichten",
    lead: "Eröffnen Sie die erste Organisation und wählen Sie Ihr Passwort. Sie verwalten danach auch diese Installation.",
    name: "Name der Organisation",
    country: "Land",
    country_hint: "Die üblichen Steuersätze des Landes werden angelegt. Es kann später nicht geändert werden.",
    choose: "Bitte wählen",
    currency: "Währung",
    timezone: "Zeitzone",
    language: "Sprache",
    owner_email: "Ihre E-Mail-Adresse",
    owner_name: "Ihr Name",
    owner_password: "Ihr Passwort",
    submit: "Organisation eröffnen",
    cancel: "Abbrechen",
    unchanged: "Es wurde nichts geändert.",
    invalid: "Bitte korrigieren Sie diesen Wert.",
    gone: "Dieser Link ist abgelaufen, oder die Installation ist bereits eingerichtet.",
    gone_lead: "Wenn noch nichts eingerichtet ist, erstellt dieser Befehl einen neuen Link:"
  },
  scopes: {
    things: {
      organizations: "Organisationen",
      customers: "Kunden",
      contacts: "Kontakte",
      invoices: "Rechnungen",
      quotes: "Angebote",
      credit_notes: "Gutschriften",
      payments: "Zahlungen",
      expenses: "Ausgaben",
      bank_accounts: "Bankkonten",
      bank_transactions: "Bankumsätze",
      bank_rules: "Bankregeln",
      einvoicing: "E-Rechnung",
      archive: "Archiv",
      reports: "Berichte",
      webhooks: "Webhooks"
    },
    deeds: {
      read: "lesen",
      view: "lesen",
      write: "anlegen und ändern",
      create: "anlegen",
      update: "ändern",
      delete: "löschen",
      users: "Mitglieder verwalten",
      send: "versenden",
      convert: "in Rechnungen umwandeln",
      refund: "erstatten",
      import: "importieren",
      submit: "einreichen",
      register: "registrieren",
      export: "exportieren"
    }
  }
}
