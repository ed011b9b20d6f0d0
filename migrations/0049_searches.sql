-- context: billing

-- The list of quotes in the order of their last days.
create index quotes_by_valid_until on quotes (organization_id, valid_until, id) where deleted_at is null;

-- The codes by which the lists are searched.
create index quotes_number_tail on quotes (organization_id, search_tail(number) text_pattern_ops)
  where deleted_at is null and number is not null;
create index quotes_order_tail on quotes (organization_id, search_tail(details ->> 'purchase_order') text_pattern_ops)
  where deleted_at is null and details ->> 'purchase_order' is not null;
create index credit_notes_number_tail on credit_notes
  (organization_id, search_tail(case when sent_at is not null then number end) text_pattern_ops)
  where deleted_at is null;
create index credit_notes_order_tail on credit_notes
  (organization_id, search_tail(details ->> 'purchase_order') text_pattern_ops)
  where deleted_at is null and details ->> 'purchase_order' is not null;
create index payments_reference_tail on payments (organization_id, search_tail(reference) text_pattern_ops)
  where deleted_at is null and reference is not null;
