interface StatusOf {
  readonly number: string
  readonly code: string
  readonly type_code?: string
  readonly reason?: string
  /** 305 in a message from a platform, 23 in a message from the seller or the buyer. */
  readonly phase?: "23" | "305"
  /** The time that the message states, in 14 digits. */
  readonly at?: string
}

/** A message like the published examples, with other XML namespace prefixes than those of the service. */
export const lifecycle = ({
  at = "20260701161000",
  code,
  number,
  phase = "305",
  reason,
  type_code = "380"
}: StatusOf) =>
  `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<c:CrossDomainAcknowledgementAndResponse xmlns:c="urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100" xmlns:r="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:u="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <c:ExchangedDocument><r:ID>${number}_${code}</r:ID><!-- MDT-4 --></c:ExchangedDocument>
  <c:AcknowledgementDocument>
    <r:TypeCode>${phase}</r:TypeCode>
    <r:IssueDateTime><u:DateTimeString format="204">${at}</u:DateTimeString></r:IssueDateTime>
    <r:ReferenceReferencedDocument>
      <r:IssuerAssignedID>${number}</r:IssuerAssignedID><!-- MDT-87 -->
      <r:TypeCode>${type_code}</r:TypeCode>
      <r:ProcessConditionCode>${code}</r:ProcessConditionCode>
      ${
        reason === undefined
          ? ""
          : `<r:SpecifiedDocumentStatus><r:ReasonCode>${reason}</r:ReasonCode><r:Reason>Motif</r:Reason><r:SequenceNumeric>1</r:SequenceNumeric></r:SpecifiedDocumentStatus>`
      }
    </r:ReferenceReferencedDocument>
  </c:AcknowledgementDocument>
</c:CrossDomainAcknowledgementAndResponse>`
