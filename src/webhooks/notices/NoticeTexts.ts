import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { DisabledReason } from "../subscriptions/Webhook.ts"

interface NoticeTexts extends Readonly<Record<DisabledReason, string>> {
  readonly subject: string
  readonly next: string
}

export const noticeTexts: Readonly<Record<PageLanguage, NoticeTexts>> = {
  en: {
    subject: "Webhook {webhook} of {organization} was switched off",
    gone: "Its address answered that it no longer exists (HTTP status 410).",
    failing: "All deliveries to its address failed for {failing_days} days.",
    disconnected: "The application that created it no longer has access.",
    next: "It receives no events until a person switches it on again. Events are kept for {kept_days} days and can be read with GET /api/v1/events."
  },
  fr: {
    subject: "Le webhook {webhook} de {organization} a été désactivé",
    gone: "Son adresse a répondu qu’elle n’existe plus (statut HTTP 410).",
    failing: "Tous les envois à son adresse ont échoué pendant {failing_days} jours.",
    disconnected: "L’application qui l’a créé n’a plus accès.",
    next: "Il ne reçoit aucun événement tant qu’une personne ne le réactive pas. Les événements sont conservés {kept_days} jours et peuvent être lus avec GET /api/v1/events."
  },
  nl: {
    subject: "Webhook {webhook} van {organization} is uitgeschakeld",
    gone: "Het adres antwoordde dat het niet meer bestaat (HTTP-status 410).",
    failing: "Alle leveringen aan het adres zijn {failing_days} dagen lang mislukt.",
    disconnected: "De toepassing die de webhook heeft aangemaakt, heeft geen toegang meer.",
    next: "De webhook ontvangt geen gebeurtenissen totdat iemand hem weer inschakelt. Gebeurtenissen worden {kept_days} dagen bewaard en kunnen met GET /api/v1/events worden gelezen."
  },
  de: {
    subject: "Webhook {webhook} von {organization} wurde abgeschaltet",
    gone: "Seine Adresse hat geantwortet, dass es sie nicht mehr gibt (HTTP-Status 410).",
    failing: "Alle Zustellungen an seine Adresse sind {failing_days} Tage lang gescheitert.",
    disconnected: "Die Anwendung, die ihn angelegt hat, hat keinen Zugriff mehr.",
    next: "Er empfängt keine Ereignisse, bis ihn jemand wieder einschaltet. Ereignisse werden {kept_days} Tage aufbewahrt und können mit GET /api/v1/events gelesen werden."
  },
  es: {
    subject: "Se ha desactivado el webhook {webhook} de {organization}",
    gone: "Su dirección ha respondido que ya no existe (estado HTTP 410).",
    failing: "Todos los envíos a su dirección han fallado durante {failing_days} días.",
    disconnected: "La aplicación que lo creó ya no tiene acceso.",
    next: "No recibirá eventos hasta que una persona lo active de nuevo. Los eventos se conservan {kept_days} días y se pueden leer con GET /api/v1/events."
  },
  it: {
    subject: "Il webhook {webhook} di {organization} è stato disattivato",
    gone: "Il suo indirizzo ha risposto che non esiste più (stato HTTP 410).",
    failing: "Tutti gli invii al suo indirizzo sono falliti per {failing_days} giorni.",
    disconnected: "L’applicazione che lo ha creato non ha più accesso.",
    next: "Non riceve eventi finché una persona non lo riattiva. Gli eventi sono conservati per {kept_days} giorni e si possono leggere con GET /api/v1/events."
  },
  pt: {
    subject: "O webhook {webhook} de {organization} foi desativado",
    gone: "O seu endereço respondeu que já não existe (estado HTTP 410).",
    failing: "Todos os envios para o seu endereço falharam durante {failing_days} dias.",
    disconnected: "A aplicação que o criou já não tem acesso.",
    next: "Não recebe eventos até que uma pessoa o ative de novo. Os eventos são guardados durante {kept_days} dias e podem ser lidos com GET /api/v1/events."
  },
  pl: {
    subject: "Webhook {webhook} organizacji {organization} został wyłączony",
    gone: "Jego adres odpowiedział, że już nie istnieje (status HTTP 410).",
    failing: "Wszystkie dostawy na jego adres kończyły się niepowodzeniem przez {failing_days} dni.",
    disconnected: "Aplikacja, która go utworzyła, nie ma już dostępu.",
    next: "Nie otrzymuje zdarzeń, dopóki ktoś go ponownie nie włączy. Zdarzenia są przechowywane przez {kept_days} dni i można je odczytać za pomocą GET /api/v1/events."
  },
  ar: {
    subject: "تم إيقاف الويب هوك {webhook} التابع لـ {organization}",
    gone: "أجاب عنوانه بأنه لم يعد موجودًا (حالة HTTP رقم 410).",
    failing: "فشلت كل عمليات التسليم إلى عنوانه لمدة {failing_days} أيام.",
    disconnected: "التطبيق الذي أنشأه لم يعد لديه حق الوصول.",
    next: "لن يتلقى أي أحداث حتى يعيد شخص تشغيله. تُحفظ الأحداث لمدة {kept_days} يومًا ويمكن قراءتها عبر GET /api/v1/events."
  }
}
