import type { InvitationTexts } from "./en.ts"

export const ar: InvitationTexts = {
  roles: {
    owner: "مالك",
    admin: "مدير",
    accountant: "محاسب",
    member: "عضو",
    viewer: "قارئ"
  },
  subject: "دعوة إلى {organization}",
  invited: "أنت مدعو إلى {organization} بصفة {role}.",
  follow: "اتبع هذا الرابط للقبول:",
  validity: "يعمل الرابط مرة واحدة خلال {days} أيام.",
  ignore: "إن لم تكن تتوقع هذه الدعوة، فيمكنك تجاهل هذه الرسالة.",
  accept: "قبول الدعوة",
  new_account: "اختر اسمًا وكلمة مرور لحسابك الجديد.",
  name: "اسمك",
  name_rule: "يرجى إدخال اسمك.",
  password: "كلمة المرور",
  password_rule: "8 أحرف على الأقل.",
  login_as: "لديك حساب بالفعل. أدخل كلمة مروره للقبول.",
  logged_in: "أنت مسجّل الدخول بهذا الحساب.",
  wrong_password: "كلمة المرور غير صحيحة.",
  expired_form: "بقي النموذج مفتوحًا مدة طويلة. يرجى المحاولة مرة أخرى.",
  accepted: "أنت الآن عضو في {organization}.",
  gone: {
    unknown: "هذا الرابط غير صالح. افتح رابط أحدث رسالة أو اطلب دعوة جديدة.",
    expired: "انتهت صلاحية هذه الدعوة. يرجى طلب دعوة جديدة.",
    accepted: "سبق قبول هذه الدعوة."
  },
  your_account: "حسابك"
}
