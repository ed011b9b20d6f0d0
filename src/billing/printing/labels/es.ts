import type { Labels } from "./en.ts"

export const es: Labels = {
  document: {
    invoice: "Factura",
    draft: "Borrador",
    invoice_number: "Número de factura",
    issue_date: "Fecha de emisión",
    due_date: "Vencimiento",
    payment_reference: "Referencia de pago",
    your_tax_number: "Su NIF",
    description: "Descripción",
    quantity: "Cant.",
    unit: "Unidad",
    unit_price: "Precio",
    discount: "Descuento",
    tax: "Impuesto",
    net: "Importe neto",
    before_discount: "Antes de descuento",
    subtotal: "Base imponible",
    tax_on: "sobre",
    rounding: "Redondeo",
    total: "Total",
    paid: "Pagado",
    due_before_credit: "Importe a pagar antes del abono",
    credited: "Abonado",
    refunded: "Reembolsado",
    overpaid: "Pagado de más, por reembolsar",
    amount_due: "Importe a pagar",
    payment: "Pago",
    beneficiary: "Beneficiario",
    reference: "Concepto",
    scan_to_pay: "Escanee con la aplicación de su banco para pagar",
    notes: "Observaciones",
    terms: "Condiciones",
    cash_discount: {
      whole: "Descuento del {percent} por pago en un plazo de {days}.",
      part: "Descuento del {percent} sobre {base} por pago en un plazo de {days}.",
      days: "día|días"
    },
    tax_notes: "Nota fiscal",
    exemptions: {
      E: "Exento de IVA",
      AE: "Inversión del sujeto pasivo",
      K: "Entrega intracomunitaria exenta de IVA",
      G: "Exportación fuera de la UE, exenta de IVA",
      O: "No sujeto a IVA"
    },
    tax_number: "NIF",
    registration_number: "Número de registro",
    piece: "uds."
  },
  units: {
    DZN: "docena|docenas",
    LS: "global",
    PR: "par|pares",
    SET: "juego|juegos",
    XBX: "caja|cajas",
    XPK: "paquete|paquetes"
  },
  details: {
    delivery_date: "Fecha de la operación",
    delivery_period: "Periodo de la operación",
    delivery_address: "Dirección de entrega",
    purchase_order: "Su pedido",
    buyer_reference: "Su referencia",
    contract_reference: "Contrato",
    project_reference: "Proyecto",
    operation_nature: "Operación",
    natures: {
      goods: "Entrega de bienes",
      services: "Prestación de servicios",
      mixed: "Entrega de bienes y prestación de servicios"
    },
    corrective_cause: "Causa de la rectificación",
    lines_total: "Suma de las líneas",
    prepaid: "Pagado por anticipado",
    payment_method: "Forma de pago",
    methods: { bank_transfer: "Transferencia", direct_debit: "Domiciliación", card: "Tarjeta", cash: "Efectivo" },
    mandate_reference: "Referencia del mandato",
    creditor_identifier: "Identificador del acreedor",
    debited_iban: "Cuenta de cargo",
    card_holder: "Titular de la tarjeta"
  },
  tax: {
    untaxed: {
      Z: "Sin impuesto",
      E: "Exento de IVA",
      AE: "Inversión del sujeto pasivo",
      K: "Entrega intracomunitaria",
      G: "Exportación",
      O: "No sujeto a IVA"
    },
    article: { before: "artículo", after: "de la Directiva 2006/112/CE" },
    margin: {
      used_goods: "Régimen especial de los bienes usados",
      art: "Régimen especial de los objetos de arte",
      antiques: "Régimen especial de las antigüedades y objetos de colección"
    },
    tax_in: "Impuesto en",
    exchange_rate: "Tipo de cambio"
  },
  seller: {
    share_capital: "Capital social",
    managing_directors: "Administración",
    national_tax_number: "N.º fiscal",
    your_national_tax_number: "Su n.º fiscal",
    late_payment: "Demora en el pago",
    french_penalty:
      "Penalización por demora: tipo de interés aplicado por el Banco Central Europeo a su operación de refinanciación más reciente más 10 puntos porcentuales, exigible desde el día siguiente al vencimiento.",
    french_recovery: "Indemnización fija por gastos de cobro en caso de demora: 40 €.",
    french_discount: "Sin descuento por pronto pago.",
    belgian_repayment: "El IVA debe reintegrarse al Estado en la medida en que se dedujo inicialmente."
  },
  sandbox: {
    notice:
      "Prueba: este documento pasó por una red simulada de facturación electrónica. Ninguna red ni administración tributaria lo ha recibido.",
    not_cleared: "Simulación: la administración tributaria no ha validado este documento.",
    reference: "Referencia de prueba"
  },
  credit_note: {
    credit_note: "Nota de crédito",
    corrective_invoice: "Factura rectificativa",
    credit_note_number: "Número de nota",
    corrective_invoice_number: "Número de rectificativa",
    issue_date: "Fecha de emisión",
    original_invoice: "De la factura",
    invoice_date: "Fecha de factura",
    reason: "Motivo",
    amount_credited: "Importe abonado",
    not_stamped: "Aún sin timbrar por la autoridad fiscal.",
    stamped_at: "Timbrado",
    scan_to_verify: "Escanee para verificar ante la autoridad fiscal",
    type: "Tipo",
    types: {
      "81": "Abono de bienes o servicios",
      "83": "Abono por ajuste financiero",
      "261": "Abono emitido por el destinatario",
      "262": "Abono global",
      "381": "Nota de crédito",
      "396": "Abono cedido a factoring",
      "502": "Abono cedido emitido por el destinatario",
      "503": "Abono de factura de anticipo",
      "532": "Abono de transitario"
    }
  },
  quote: {
    quote: "Presupuesto",
    quote_number: "Número de presupuesto",
    quote_date: "Fecha de emisión",
    valid_until: "Válido hasta el",
    accepted: "Aceptado",
    place_and_date: "Lugar y fecha",
    name_and_signature: "Nombre y firma"
  },
  receipt: {
    title: "Recibo",
    number: "De la factura",
    paid_on: "Pagado el",
    amount: "Importe",
    total: "Total recibido",
    other: "Otro"
  },
  state: {
    open: "Pendiente",
    due: "Vence hoy",
    overdue: "Vencida",
    part_paid: "Pagada en parte",
    paid: "Pagada",
    void: "Anulada",
    credited: "Abonada",
    awaiting: "En espera de su respuesta",
    paid_in_full: "Esta factura está pagada por completo. No hay nada pendiente.",
    voided: "Esta factura está anulada. No la pague, por favor.",
    credited_in_full: "Esta factura se ha abonado. No hay nada pendiente.",
    overpaid: "Se ha pagado más de lo debido. La diferencia está pendiente de reembolso."
  },
  portal: {
    from: "De",
    to: "Para",
    lines: "Líneas",
    download: "Descargar el PDF",
    attachments: "Archivos adjuntos",
    question: "¿Acepta este presupuesto?",
    accept: "Aceptar el presupuesto",
    decline: "Rechazar el presupuesto",
    decline_question: "Prefiero rechazarlo",
    reason: "Motivo (opcional)",
    accepted: "Ha aceptado este presupuesto. ¡Gracias!",
    rejected: "Ha rechazado este presupuesto.",
    expired_quote: "Este presupuesto ya no es válido.",
    converted: "Este presupuesto fue aceptado y la factura está en camino.",
    look_again: "No se pudo registrar su respuesta: el presupuesto ya no está abierto o ha cambiado.",
    busy: "No se pudo crear el PDF en este momento. Inténtelo de nuevo en un minuto.",
    too_complex: "Este documento es demasiado extenso para un PDF. Lo ve completo en esta página.",
    file_busy: "No se pudo obtener el archivo en este momento. Inténtelo de nuevo en un minuto.",
    closed: {
      unknown: "Este enlace no es válido.",
      expired: "Este enlace ha caducado.",
      revoked: "Este enlace ha sido retirado.",
      withdrawn: "Este documento ya no está disponible."
    },
    ask_sender: "Pida un nuevo enlace al remitente del documento.",
    pay: "Pagar en línea",
    transfer: "Pagar por transferencia",
    download_xml: "Descargar el XML",
    download_receipt: "Descargar el recibo",
    contact: "¿Preguntas sobre este documento?",
    others: "Sus otros documentos pendientes"
  },
  mail: {
    greeting: "Hola, {customer}:",
    confidential: "El enlace es para usted: quien lo tenga puede ver el documento.",
    regards: "Un cordial saludo,",
    invoice: {
      subject: "Factura {number} de {organization}",
      attached: "Adjuntamos nuestra factura {number}.",
      ready: "Nuestra factura {number} está a su disposición.",
      open: "Ver la factura"
    },
    quote: {
      subject: "Presupuesto {number} de {organization}",
      attached: "Adjuntamos nuestro presupuesto {number}.",
      ready: "Nuestro presupuesto {number} está a su disposición.",
      open: "Ver el presupuesto y responder"
    },
    credit_note: {
      subject: "Nota de crédito {number} de {organization}",
      attached: "Adjuntamos nuestra nota de crédito {number}.",
      ready: "Nuestra nota de crédito {number} está a su disposición.",
      open: "Ver la nota de crédito"
    },
    corrective_invoice: {
      subject: "Factura rectificativa {number} de {organization}",
      attached: "Adjuntamos nuestra factura rectificativa {number}.",
      ready: "Nuestra factura rectificativa {number} está a su disposición.",
      open: "Ver la factura rectificativa"
    },
    colon: ": ",
    payable_by: "A pagar hasta el"
  }
}
