import type { DocumentLanguage } from "../DocumentLabels.ts"

interface SandboxLabels {
  /** Printed on every page of a document that went through the sandbox. */
  readonly notice: string
  /** Printed in place of the authority's stamp. */
  readonly not_cleared: string
  /** Label of the reference that the sandbox assigned to the document. */
  readonly reference: string
}

export const sandboxLabels: Readonly<Record<DocumentLanguage, SandboxLabels>> = {
  en: {
    notice:
      "Test: this document went through a simulated e-invoicing network. No network or tax authority received it.",
    not_cleared: "Simulated: the tax authority has not cleared this document.",
    reference: "Test reference"
  },
  fr: {
    notice:
      "Test : ce document est passé par un réseau de facturation électronique simulé. Aucun réseau ni aucune " +
      "administration fiscale ne l’a reçu.",
    not_cleared: "Simulation : l’administration fiscale n’a pas visé ce document.",
    reference: "Référence de test"
  },
  nl: {
    notice:
      "Test: dit document ging via een gesimuleerd netwerk voor e-facturatie. Geen netwerk of belastingdienst heeft " +
      "het ontvangen.",
    not_cleared: "Simulatie: de belastingdienst heeft dit document niet bekrachtigd.",
    reference: "Testreferentie"
  },
  de: {
    notice:
      "Test: Dieses Dokument lief über ein simuliertes E-Rechnungs-Netz. Kein Netz und keine Steuerbehörde hat es " +
      "erhalten.",
    not_cleared: "Simulation: Die Steuerbehörde hat dieses Dokument nicht freigegeben.",
    reference: "Testreferenz"
  },
  es: {
    notice:
      "Prueba: este documento pasó por una red simulada de facturación electrónica. Ninguna red ni administración " +
      "tributaria lo ha recibido.",
    not_cleared: "Simulación: la administración tributaria no ha validado este documento.",
    reference: "Referencia de prueba"
  },
  it: {
    notice:
      "Prova: questo documento è passato per una rete simulata di fatturazione elettronica. Nessuna rete né " +
      "amministrazione finanziaria lo ha ricevuto.",
    not_cleared: "Simulazione: l’amministrazione finanziaria non ha convalidato questo documento.",
    reference: "Riferimento di prova"
  }
}
