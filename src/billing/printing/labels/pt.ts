import type { Labels } from "./en.ts"

export const pt: Labels = {
  document: {
    invoice: "Fatura",
    draft: "Rascunho",
    invoice_number: "Número da fatura",
    issue_date: "Data de emissão",
    due_date: "Vencimento",
    payment_reference: "Referência de pagamento",
    your_tax_number: "O seu NIF",
    description: "Descrição",
    quantity: "Qtd.",
    unit: "Unidade",
    unit_price: "Preço unitário",
    discount: "Desconto",
    tax: "IVA",
    net: "Valor líquido",
    before_discount: "Antes do desconto",
    subtotal: "Total sem IVA",
    tax_on: "sobre",
    rounding: "Arredondamento",
    total: "Total com IVA",
    paid: "Pago",
    due_before_credit: "Valor a pagar antes do crédito",
    credited: "Creditado",
    refunded: "Reembolsado",
    overpaid: "Pago a mais, a reembolsar",
    amount_due: "Valor a pagar",
    payment: "Pagamento",
    beneficiary: "Beneficiário",
    reference: "Referência",
    scan_to_pay: "Leia com a aplicação do seu banco para pagar",
    notes: "Observações",
    terms: "Condições",
    cash_discount: {
      whole: "Desconto de {percent} por pagamento no prazo de {days}.",
      part: "Desconto de {percent} sobre {base} por pagamento no prazo de {days}.",
      days: "dia|dias"
    },
    tax_notes: "Menção fiscal",
    exemptions: {
      E: "Isento de IVA",
      AE: "IVA – autoliquidação",
      K: "Transmissão intracomunitária isenta de IVA",
      G: "Exportação para fora da UE, isenta de IVA",
      O: "Não sujeito a IVA"
    },
    tax_number: "NIF",
    registration_number: "Número de registo",
    piece: "un."
  },
  units: {
    DZN: "dúzia|dúzias",
    LS: "global",
    PR: "par|pares",
    SET: "conj.",
    XBX: "caixa|caixas",
    XPK: "emb."
  },
  details: {
    delivery_date: "Data de entrega",
    delivery_period: "Período de entrega",
    delivery_address: "Morada de entrega",
    purchase_order: "A sua encomenda",
    buyer_reference: "A sua referência",
    contract_reference: "Contrato",
    project_reference: "Projeto",
    operation_nature: "Operação",
    natures: {
      goods: "Transmissão de bens",
      services: "Prestação de serviços",
      mixed: "Transmissão de bens e prestação de serviços"
    },
    corrective_cause: "Motivo da retificação",
    lines_total: "Soma das linhas",
    prepaid: "Pago antecipadamente",
    payment_method: "Meio de pagamento",
    methods: {
      bank_transfer: "Transferência bancária",
      direct_debit: "Débito direto",
      card: "Cartão",
      cash: "Numerário"
    },
    mandate_reference: "Referência da autorização",
    creditor_identifier: "Identificador do credor",
    debited_iban: "Conta debitada",
    card_holder: "Titular do cartão"
  },
  tax: {
    untaxed: {
      Z: "Sem IVA",
      E: "Isento de IVA",
      AE: "IVA – autoliquidação",
      K: "Transmissão intracomunitária",
      G: "Exportação",
      O: "Não sujeito a IVA"
    },
    article: { before: "artigo", after: "da Diretiva 2006/112/CE" },
    margin: {
      used_goods: "Regime da margem de lucro – Bens em segunda mão",
      art: "Regime da margem de lucro – Objetos de arte",
      antiques: "Regime da margem de lucro – Objetos de coleção e antiguidades"
    },
    tax_in: "IVA em",
    exchange_rate: "Taxa de câmbio"
  },
  seller: {
    share_capital: "Capital social",
    managing_directors: "Gerência",
    national_tax_number: "N.º fiscal",
    your_national_tax_number: "O seu n.º fiscal",
    late_payment: "Atraso no pagamento",
    french_penalty:
      "Juros de mora: taxa aplicada pelo Banco Central Europeu à sua operação de refinanciamento mais recente, acrescida de 10 pontos percentuais, exigíveis a partir do dia seguinte ao vencimento.",
    french_recovery: "Indemnização fixa por custos de cobrança em caso de atraso: 40 €.",
    french_discount: "Sem desconto por pagamento antecipado.",
    belgian_repayment: "O IVA deve ser restituído ao Estado na medida em que foi inicialmente deduzido."
  },
  sandbox: {
    notice:
      "Teste: este documento passou por uma rede simulada de faturação eletrónica. Nenhuma rede nem autoridade tributária o recebeu.",
    not_cleared: "Simulação: a autoridade tributária não validou este documento.",
    reference: "Referência de teste"
  },
  credit_note: {
    credit_note: "Nota de crédito",
    corrective_invoice: "Fatura retificativa",
    credit_note_number: "Número da nota de crédito",
    corrective_invoice_number: "Número da fatura retificativa",
    issue_date: "Data de emissão",
    original_invoice: "Relativa à fatura",
    invoice_date: "Data da fatura",
    reason: "Motivo",
    amount_credited: "Valor creditado",
    not_stamped: "Ainda não validada pela autoridade tributária.",
    stamped_at: "Validada em",
    scan_to_verify: "Leia para verificar junto da autoridade tributária",
    type: "Tipo",
    types: {
      "81": "Nota de crédito de bens ou serviços",
      "83": "Nota de crédito de ajuste financeiro",
      "261": "Nota de crédito em autofaturação",
      "262": "Nota de crédito global",
      "381": "Nota de crédito",
      "396": "Nota de crédito em factoring",
      "502": "Nota de crédito em factoring e autofaturação",
      "503": "Nota de crédito de fatura de adiantamento",
      "532": "Nota de crédito do transitário"
    }
  },
  quote: {
    quote: "Orçamento",
    quote_number: "Número do orçamento",
    quote_date: "Data do orçamento",
    valid_until: "Válido até",
    accepted: "Aceite",
    place_and_date: "Local e data",
    name_and_signature: "Nome e assinatura"
  },
  receipt: {
    title: "Recibo",
    number: "Da fatura",
    paid_on: "Pago em",
    amount: "Valor",
    total: "Total recebido",
    other: "Outro"
  },
  state: {
    open: "Em aberto",
    due: "Vence hoje",
    overdue: "Vencida",
    part_paid: "Paga em parte",
    paid: "Paga",
    void: "Anulada",
    credited: "Creditada",
    awaiting: "A aguardar a sua resposta",
    paid_in_full: "Esta fatura está totalmente paga. Não há nada a pagar.",
    voided: "Esta fatura está anulada. Por favor, não a pague.",
    credited_in_full: "Esta fatura foi creditada. Não há nada a pagar.",
    overpaid: "Foi pago mais do que o devido. A diferença está por reembolsar."
  },
  portal: {
    from: "De",
    to: "Para",
    lines: "Linhas",
    download: "Descarregar o PDF",
    attachments: "Anexos",
    question: "Aceita este orçamento?",
    accept: "Aceitar o orçamento",
    decline: "Recusar o orçamento",
    decline_question: "Prefiro recusar",
    reason: "Motivo (facultativo)",
    accepted: "Aceitou este orçamento. Obrigado!",
    rejected: "Recusou este orçamento.",
    expired_quote: "Este orçamento já não é válido.",
    converted: "Este orçamento foi aceite e a fatura está a caminho.",
    look_again: "Não foi possível registar a sua resposta, porque o orçamento já não está aberto ou foi alterado.",
    busy: "Não foi possível criar o PDF neste momento. Tente novamente dentro de um minuto.",
    too_complex: "Este documento é demasiado extenso para um PDF. Pode vê-lo por inteiro nesta página.",
    file_busy: "Não foi possível obter o ficheiro neste momento. Tente novamente dentro de um minuto.",
    closed: {
      unknown: "Esta ligação não é válida.",
      expired: "Esta ligação expirou.",
      revoked: "Esta ligação foi retirada.",
      withdrawn: "Este documento já não está disponível."
    },
    ask_sender: "Peça uma nova ligação ao remetente do documento.",
    pay: "Pagar online",
    transfer: "Pagar por transferência",
    download_xml: "Descarregar o XML",
    download_receipt: "Descarregar o recibo",
    contact: "Dúvidas sobre este documento?",
    others: "Os seus outros documentos em aberto"
  },
  mail: {
    greeting: "Olá, {customer}:",
    confidential: "A ligação destina-se a si: quem a tiver pode ver o documento.",
    regards: "Com os melhores cumprimentos,",
    invoice: {
      subject: "Fatura {number} de {organization}",
      attached: "Segue em anexo a nossa fatura {number}.",
      ready: "A nossa fatura {number} está à sua disposição.",
      open: "Ver a fatura"
    },
    quote: {
      subject: "Orçamento {number} de {organization}",
      attached: "Segue em anexo o nosso orçamento {number}.",
      ready: "O nosso orçamento {number} está à sua disposição.",
      open: "Ver o orçamento e responder"
    },
    credit_note: {
      subject: "Nota de crédito {number} de {organization}",
      attached: "Segue em anexo a nossa nota de crédito {number}.",
      ready: "A nossa nota de crédito {number} está à sua disposição.",
      open: "Ver a nota de crédito"
    },
    corrective_invoice: {
      subject: "Fatura retificativa {number} de {organization}",
      attached: "Segue em anexo a nossa fatura retificativa {number}.",
      ready: "A nossa fatura retificativa {number} está à sua disposição.",
      open: "Ver a fatura retificativa"
    },
    colon: ": ",
    payable_by: "A pagar até"
  }
}
