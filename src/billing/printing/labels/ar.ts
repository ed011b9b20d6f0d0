import type { Labels } from "./en.ts"

export const ar: Labels = {
  document: {
    invoice: "فاتورة",
    draft: "مسودة",
    invoice_number: "رقم الفاتورة",
    issue_date: "تاريخ الإصدار",
    due_date: "تاريخ الاستحقاق",
    payment_reference: "مرجع الدفع",
    your_tax_number: "رقمكم الضريبي",
    description: "الوصف",
    quantity: "الكمية",
    unit: "الوحدة",
    unit_price: "سعر الوحدة",
    discount: "الخصم",
    tax: "الضريبة",
    net: "المبلغ الصافي",
    before_discount: "قبل الخصم",
    subtotal: "المجموع قبل الضريبة",
    tax_on: "من",
    rounding: "التقريب",
    total: "المجموع",
    paid: "المدفوع",
    due_before_credit: "المبلغ المستحق قبل الإشعار الدائن",
    credited: "المقيد لحسابكم",
    refunded: "المردود",
    overpaid: "مدفوع بالزيادة وواجب الرد",
    amount_due: "المبلغ المستحق",
    payment: "الدفع",
    beneficiary: "المستفيد",
    reference: "المرجع",
    scan_to_pay: "امسح الرمز بتطبيق مصرفك للدفع",
    notes: "ملاحظات",
    terms: "الشروط",
    cash_discount: {
      whole: "خصم {percent} عند الدفع خلال {days}.",
      part: "خصم {percent} على {base} عند الدفع خلال {days}.",
      days: "يومًا|أيام"
    },
    tax_notes: "بيان ضريبي",
    exemptions: {
      E: "معفى من الضريبة",
      AE: "احتساب عكسي",
      K: "توريد داخل الاتحاد الأوروبي معفى من ضريبة القيمة المضافة",
      G: "تصدير خارج الاتحاد الأوروبي معفى من ضريبة القيمة المضافة",
      O: "غير خاضع لضريبة القيمة المضافة"
    },
    tax_number: "الرقم الضريبي",
    registration_number: "رقم السجل",
    piece: "قطعة"
  },
  units: {
    DZN: "دزينة|دزينات",
    LS: "مقطوع",
    PR: "زوج|أزواج",
    SET: "طقم|أطقم",
    XBX: "صندوق|صناديق",
    XPK: "عبوة|عبوات"
  },
  details: {
    delivery_date: "تاريخ التسليم",
    delivery_period: "فترة التسليم",
    delivery_address: "عنوان التسليم",
    purchase_order: "طلبكم",
    buyer_reference: "مرجعكم",
    contract_reference: "العقد",
    project_reference: "المشروع",
    operation_nature: "نوع العملية",
    natures: { goods: "توريد سلع", services: "توريد خدمات", mixed: "توريد سلع وخدمات" },
    corrective_cause: "سبب التصحيح",
    lines_total: "مجموع البنود",
    prepaid: "مدفوع مقدمًا",
    payment_method: "طريقة الدفع",
    methods: { bank_transfer: "تحويل مصرفي", direct_debit: "خصم مباشر", card: "بطاقة", cash: "نقدًا" },
    mandate_reference: "مرجع التفويض",
    creditor_identifier: "معرف الدائن",
    debited_iban: "الحساب المدين",
    card_holder: "حامل البطاقة"
  },
  tax: {
    untaxed: {
      Z: "بدون ضريبة",
      E: "معفى من الضريبة",
      AE: "احتساب عكسي",
      K: "توريد داخل الاتحاد الأوروبي",
      G: "تصدير",
      O: "غير خاضع لضريبة القيمة المضافة"
    },
    article: { before: "المادة", after: "من التوجيه 2006/112/EC" },
    margin: {
      used_goods: "نظام هامش الربح – سلع مستعملة",
      art: "نظام هامش الربح – أعمال فنية",
      antiques: "نظام هامش الربح – مقتنيات وتحف"
    },
    tax_in: "الضريبة بعملة",
    exchange_rate: "سعر الصرف"
  },
  seller: {
    share_capital: "رأس المال",
    managing_directors: "الإدارة",
    national_tax_number: "رقم مكتب الضرائب",
    your_national_tax_number: "رقمكم لدى مكتب الضرائب",
    late_payment: "التأخر في السداد",
    french_penalty:
      "غرامة التأخير: سعر الفائدة الذي طبقه البنك المركزي الأوروبي على أحدث عملية إعادة تمويل مضافًا إليه 10 نقاط مئوية، وتستحق من اليوم التالي لتاريخ الاستحقاق.",
    french_recovery: "تعويض ثابت عن تكاليف التحصيل عند التأخر في السداد: 40 €.",
    french_discount: "لا خصم على السداد المبكر.",
    belgian_repayment: "تُعاد ضريبة القيمة المضافة إلى الدولة بقدر ما خُصمت في الأصل."
  },
  sandbox: {
    notice: "اختبار: مر هذا المستند عبر شبكة فوترة إلكترونية تجريبية، ولم تستلمه أي شبكة أو سلطة ضريبية.",
    not_cleared: "محاكاة: لم تعتمد السلطة الضريبية هذا المستند.",
    reference: "مرجع الاختبار"
  },
  credit_note: {
    credit_note: "إشعار دائن",
    corrective_invoice: "فاتورة تصحيحية",
    credit_note_number: "رقم الإشعار الدائن",
    corrective_invoice_number: "رقم الفاتورة التصحيحية",
    issue_date: "تاريخ الإصدار",
    original_invoice: "عن الفاتورة",
    invoice_date: "تاريخ الفاتورة",
    reason: "السبب",
    amount_credited: "المبلغ المقيد",
    not_stamped: "لم تعتمده السلطة الضريبية بعد.",
    stamped_at: "تاريخ الاعتماد",
    scan_to_verify: "امسح الرمز للتحقق لدى السلطة الضريبية",
    type: "النوع",
    types: {
      "81": "إشعار دائن عن سلع أو خدمات",
      "83": "إشعار دائن لتسوية مالية",
      "261": "إشعار دائن بفوترة ذاتية",
      "262": "إشعار دائن إجمالي",
      "381": "إشعار دائن",
      "396": "إشعار دائن محال",
      "502": "إشعار دائن محال بفوترة ذاتية",
      "503": "إشعار دائن عن فاتورة دفعة مقدمة",
      "532": "إشعار دائن من وكيل الشحن"
    }
  },
  quote: {
    quote: "عرض سعر",
    quote_number: "رقم العرض",
    quote_date: "تاريخ العرض",
    valid_until: "صالح حتى",
    accepted: "مقبول",
    place_and_date: "المكان والتاريخ",
    name_and_signature: "الاسم والتوقيع"
  },
  receipt: {
    title: "إيصال",
    number: "عن الفاتورة",
    paid_on: "تاريخ الدفع",
    amount: "المبلغ",
    total: "مجموع المستلم",
    other: "أخرى"
  },
  state: {
    open: "مستحقة",
    due: "تستحق اليوم",
    overdue: "متأخرة",
    part_paid: "مدفوعة جزئيًا",
    paid: "مدفوعة",
    void: "ملغاة",
    credited: "مقيدة لحسابكم",
    awaiting: "بانتظار ردكم",
    paid_in_full: "هذه الفاتورة مدفوعة بالكامل، ولا يوجد مبلغ مستحق.",
    voided: "هذه الفاتورة ملغاة. يرجى عدم دفعها.",
    credited_in_full: "صدر إشعار دائن بهذه الفاتورة، ولا يوجد مبلغ مستحق.",
    overpaid: "دُفع أكثر من المبلغ المستحق، والفرق واجب الرد."
  },
  portal: {
    from: "من",
    to: "إلى",
    lines: "البنود",
    download: "تنزيل PDF",
    attachments: "المرفقات",
    question: "هل تقبلون هذا العرض؟",
    accept: "قبول العرض",
    decline: "رفض العرض",
    decline_question: "أفضل الرفض",
    reason: "السبب (اختياري)",
    accepted: "لقد قبلتم هذا العرض. شكرًا لكم!",
    rejected: "لقد رفضتم هذا العرض.",
    expired_quote: "لم يعد هذا العرض صالحًا.",
    converted: "تم قبول هذا العرض، والفاتورة في الطريق إليكم.",
    look_again: "تعذر تسجيل ردكم لأن العرض لم يعد متاحًا أو تغير.",
    busy: "تعذر إنشاء ملف PDF الآن. يرجى المحاولة بعد دقيقة.",
    too_complex: "هذا المستند أكبر من أن يحفظ في ملف PDF. ترونه كاملًا في هذه الصفحة.",
    file_busy: "تعذر جلب الملف الآن. يرجى المحاولة بعد دقيقة.",
    closed: {
      unknown: "هذا الرابط غير صالح.",
      expired: "انتهت صلاحية هذا الرابط.",
      revoked: "تم سحب هذا الرابط.",
      withdrawn: "لم يعد هذا المستند متاحًا."
    },
    ask_sender: "يرجى طلب رابط جديد من مرسل المستند.",
    pay: "الدفع عبر الإنترنت",
    transfer: "الدفع بتحويل مصرفي",
    download_xml: "تنزيل XML",
    download_receipt: "تنزيل الإيصال",
    contact: "هل لديكم سؤال عن هذا المستند؟",
    others: "مستنداتكم الأخرى المفتوحة"
  },
  mail: {
    greeting: "السادة {customer}،",
    confidential: "هذا الرابط مخصص لكم: كل من يملكه يستطيع رؤية المستند.",
    regards: "مع خالص التحية،",
    invoice: {
      subject: "فاتورة {number} من {organization}",
      attached: "تجدون مرفقًا فاتورتنا {number}.",
      ready: "فاتورتنا {number} جاهزة لكم.",
      open: "عرض الفاتورة"
    },
    quote: {
      subject: "عرض سعر {number} من {organization}",
      attached: "تجدون مرفقًا عرض السعر {number}.",
      ready: "عرض السعر {number} جاهز لكم.",
      open: "عرض التفاصيل والرد"
    },
    credit_note: {
      subject: "إشعار دائن {number} من {organization}",
      attached: "تجدون مرفقًا الإشعار الدائن {number}.",
      ready: "الإشعار الدائن {number} جاهز لكم.",
      open: "عرض الإشعار الدائن"
    },
    corrective_invoice: {
      subject: "فاتورة تصحيحية {number} من {organization}",
      attached: "تجدون مرفقًا الفاتورة التصحيحية {number}.",
      ready: "الفاتورة التصحيحية {number} جاهزة لكم.",
      open: "عرض الفاتورة التصحيحية"
    },
    colon: ": ",
    payable_by: "الدفع قبل نهاية"
  }
}
