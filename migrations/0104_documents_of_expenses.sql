-- context: einvoicing

-- Deleting an expense looks for the received document from which the expense was made.
create index received_documents_expense on received_documents (organization_id, expense_id)
  where expense_id is not null;
