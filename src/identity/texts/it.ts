import type { AccountTexts } from "./en.ts"

export const it: AccountTexts = {
  page: {
    log_in: "Accedi",
    log_out: "Esci",
    to_continue: "per continuare su {client}",
    email: "Indirizzo e-mail",
    password: "Password",
    wrong: "L’indirizzo e-mail o la password non sono corretti.",
    throttled: "Troppi tentativi. Riprovi tra {seconds} secondi.",
    busy: "Troppi accessi contemporanei. Riprovi tra qualche secondo.",
    form_expired: "Questo modulo non è più valido. Riprovi.",
    wants_access: "{client} chiede l’accesso al Suo account",
    logged_in_as: "Ha effettuato l’accesso come {email}.",
    would_be_able: "L’applicazione potrebbe usare:",
    everything: "tutto ciò che può fare Lei",
    allow: "Consenti",
    deny: "Nega",
    withdraw: "Può revocare l’accesso in qualsiasi momento nella pagina del Suo account.",
    account: "Il Suo account",
    administration: "Amministrazione",
    sessions: "Browser collegati",
    this_browser: "questo browser",
    unknown_browser: "Browser sconosciuto",
    since: "dal {time}",
    until: "fino al {time}",
    no_end: "senza scadenza",
    end: "Esci",
    apps: "Applicazioni collegate",
    no_apps: "Nessuna applicazione ha accesso al Suo account.",
    disconnect: "Scollega",
    tokens: "Token di accesso personali",
    tokens_for: "Per i Suoi script. Chi possiede un token può agire a Suo nome entro i limiti del token.",
    no_tokens: "Non ha alcun token.",
    revoke: "Revoca",
    token_name: "Nome del token",
    token_scope: "Può",
    full_access: "fare tutto",
    read_only: "solo leggere",
    valid_for: "Valido",
    days: "{days} giorni",
    unlimited: "senza limite",
    create_token: "Crea un token",
    token_created: "Copi ora il nuovo token. Non verrà più mostrato.",
    name_invalid: "Dia al token un nome di al massimo 255 caratteri.",
    too_many_tokens: "Ha troppi token. Ne revochi prima uno.",
    home_lead: "Fatture, preventivi, pagamenti e spese per più organizzazioni, tramite un’API JSON.",
    api_reference: "Documentazione dell’API",
    api_description: "Descrizione OpenAPI"
  },
  password: {
    forgot: "Password dimenticata?",
    forgot_lead:
      "Inserisca il Suo indirizzo e-mail. Se appartiene a un account, Le inviamo un collegamento per scegliere una nuova password.",
    send_link: "Invia il collegamento",
    sent: "Se questo indirizzo appartiene a un account, il collegamento è in arrivo. È valido per {minutes} minuti.",
    back_to_login: "Torna all’accesso",
    set_title: "Scegliere una nuova password",
    account_of: "Account",
    new_password: "Nuova password",
    current_password: "Password attuale",
    rule: "Almeno 8 caratteri.",
    common: "Questa password è troppo comune. Ne scelga un’altra.",
    wrong_current: "La password attuale non è corretta.",
    set: "Salva la password",
    change: "Cambia la password",
    change_lead: "Resterà connesso qui e verrà disconnesso da tutti gli altri browser.",
    done: "La Sua password è stata cambiata.",
    gone: {
      unknown: "Questo collegamento non è valido.",
      used: "Questo collegamento è già stato usato.",
      replaced: "Questo collegamento non è più valido, perché ne è stato usato un altro.",
      expired: "Questo collegamento è scaduto."
    },
    ask_again: "Richiedi un nuovo collegamento",
    greeting: "Buongiorno {name},",
    reset_subject: "Scegliere una nuova password",
    follow: "Segua questo collegamento per scegliere una nuova password:",
    validity: "Il collegamento è valido per {minutes} minuti e funziona una sola volta.",
    ignore: "Se non l’ha richiesto, ignori questo messaggio: la Sua password non cambia."
  },
  email: {
    title: "Cambiare l’indirizzo e-mail",
    lead: "Inviamo un collegamento al nuovo indirizzo. L’indirizzo cambia quando Lei apre il collegamento.",
    new_address: "Nuovo indirizzo e-mail",
    sent: "Un collegamento è in viaggio verso {email}. È valido per {minutes} minuti.",
    invalid: "Inserisca un indirizzo e-mail valido, diverso da quello attuale.",
    too_many: "Ha richiesto troppi collegamenti. Riprovi tra un’ora.",
    confirm_lead: "D’ora in poi accede con {email}.",
    confirm: "Conferma l’indirizzo",
    done: "Il Suo indirizzo e-mail è ora {email}.",
    taken: "Questo indirizzo non può essere usato, perché appartiene a un altro account.",
    subject: "Confermi il Suo nuovo indirizzo e-mail",
    follow: "Segua questo collegamento per usare questo indirizzo per il Suo account:",
    ignore: "Se non l’ha richiesto Lei, ignori questo messaggio: non cambia nulla."
  },
  security: {
    title: "Accesso in due passaggi",
    off_lead: "Per accedere basta la password. Con un’app di autenticazione serve anche un codice che nessun altro ha.",
    on_lead:
      "Per accedere serve anche un codice della Sua app di autenticazione. Codici di recupero rimanenti: {codes}.",
    turn_on: "Attivare",
    turn_off: "Disattivare",
    app_code: "Codice dell’app",
    any_code: "Codice dell’app o di recupero",
    scan: "Scansioni questa immagine con un’app di autenticazione. Poi inserisca le sei cifre che l’app mostra.",
    key: "Oppure digiti questa chiave nell’app:",
    qr: "Codice QR per l’app di autenticazione",
    confirm: "Confermare",
    code_wrong: "Il codice è errato, troppo vecchio o già usato.",
    recovery_title: "Codici di recupero",
    recovery_lead:
      "Conservi questi codici in un luogo sicuro. Ognuno funziona una volta, al posto dell’app. Non saranno più mostrati.",
    renew: "Creare nuovi codici di recupero",
    step_title: "Secondo passaggio",
    step_lead: "Inserisca il codice della Sua app di autenticazione o un codice di recupero.",
    again_title: "Confermi la Sua identità",
    again_lead: "L’accesso non è recente. Inserisca la password per continuare.",
    go_on: "Continuare",
    back: "Torna al Suo account",
    last_used: "ultimo uso: {time}",
    end_others: "Uscire da tutti gli altri browser",
    organization: "L’applicazione agirebbe per l’organizzazione {names}.",
    organizations: "L’applicazione agirebbe per una delle Sue organizzazioni: {names}.",
    returns_to: "Poi tornerà a {host}.",
    all_changes:
      "Tramite eventi e webhook, l’applicazione riceve ogni modifica di tutti i dati con il loro intero contenuto, anche dei dati che non figurano in questo elenco.",
    no_organization:
      "Il Suo account non appartiene ad alcuna organizzazione, quindi non c’è nulla che {client} possa usare.",
    other_account: "Accedi con un altro account",
    back_to: "Torna a {client}"
  },
  notices: {
    password_changed: {
      subject: "La Sua password è stata cambiata",
      text: "La password del Suo account è stata appena cambiata e tutti gli altri browser sono stati disconnessi."
    },
    email_changed: {
      subject: "Il Suo indirizzo e-mail è stato cambiato",
      text: "Il Suo account ha ora l’indirizzo {detail}. Se non è stato Lei, avvisi subito il gestore di questa installazione."
    },
    new_login: {
      subject: "Nuovo accesso al Suo account",
      text: "Qualcuno ha appena effettuato l’accesso al Suo account con un browser sconosciuto: {detail}."
    },
    new_token: {
      subject: "Nuovo token di accesso",
      text: "È stato appena creato per il Suo account un token di accesso personale di nome «{detail}»."
    },
    factor_on: {
      subject: "Accesso in due passaggi attivato",
      text: "Da ora l’accesso al Suo account richiede anche un codice della Sua app di autenticazione."
    },
    factor_off: {
      subject: "Accesso in due passaggi disattivato",
      text: "Da ora l’accesso al Suo account richiede solo la password."
    },
    recovery_used: {
      subject: "È stato usato un codice di recupero",
      text: "È stato appena usato un codice di recupero del Suo account. Non funzionerà più."
    },
    recovery_renewed: {
      subject: "Nuovi codici di recupero",
      text: "Sono stati appena creati nuovi codici di recupero per il Suo account. I precedenti non funzionano più."
    },
    not_you:
      "Se non è stato Lei, revochi i token di accesso sconosciuti nella pagina del Suo account e imposti subito una nuova password:"
  },
  setup: {
    title: "Configurare questa installazione",
    lead: "Apra la prima organizzazione e scelga la Sua password. Amministrerà anche questa installazione.",
    name: "Nome dell’organizzazione",
    country: "Paese",
    country_hint: "Comprende le aliquote usuali. Non si può cambiare in seguito.",
    choose: "Scelga un’opzione",
    currency: "Valuta",
    timezone: "Fuso orario",
    language: "Lingua",
    owner_email: "Il Suo indirizzo e-mail",
    owner_name: "Il Suo nome",
    owner_password: "La Sua password",
    submit: "Apri l’organizzazione",
    cancel: "Annulla",
    unchanged: "Non è stato cambiato nulla.",
    invalid: "Corregga questo valore.",
    gone: "Questo collegamento è scaduto, o l’installazione è già configurata.",
    gone_lead: "Se non è ancora configurato nulla, questo comando crea un nuovo collegamento:"
  },
  scopes: {
    things: {
      organizations: "Organizzazioni",
      customers: "Clienti",
      contacts: "Contatti",
      invoices: "Fatture",
      quotes: "Preventivi",
      credit_notes: "Note di credito",
      payments: "Pagamenti",
      expenses: "Spese",
      bank_accounts: "Conti bancari",
      bank_transactions: "Movimenti bancari",
      bank_rules: "Regole bancarie",
      einvoicing: "Fatturazione elettronica",
      archive: "Archivio",
      reports: "Rapporti",
      webhooks: "Webhook"
    },
    deeds: {
      read: "leggere",
      view: "leggere",
      write: "creare e modificare",
      create: "creare",
      update: "modificare",
      delete: "eliminare",
      users: "gestire i membri",
      send: "inviare",
      convert: "convertire in fatture",
      refund: "rimborsare",
      import: "importare",
      submit: "trasmettere",
      register: "registrare",
      export: "esportare"
    }
  }
}
