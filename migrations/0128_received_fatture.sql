-- context: einvoicing
-- Documents of the Italian network arrive as FatturaPA.
alter table received_documents drop constraint received_documents_syntax_check;
alter table received_documents add constraint received_documents_syntax_check
  check (syntax in ('ubl', 'cii', 'fatturapa'));
