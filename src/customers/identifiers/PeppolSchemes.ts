/** ISO 6523 codes of Peppol's participant schemes: code lists, version 9.7 (July 2026), without deprecated ones. */
const codes = `
  0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0158 0183 0184 0188 0190 0191 0192 0195 0196 0198 0199
  0200 0201 0204 0205 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914
  9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940
  9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959
`

export const peppol_schemes: ReadonlySet<string> = new Set(codes.trim().split(/\s+/))

/** Schemes that Peppol BIS Billing 3.0.21 does not accept as an electronic address yet (CL008). */
const not_in_invoices = new Set(["0158", "0205"])

/** True if the address of an invoice or a credit note may use the scheme. */
export const isInvoiceScheme = (code: string): boolean => peppol_schemes.has(code) && !not_in_invoices.has(code)
