/**
 * The SQL order of statements `s` with a closing balance, the latest first. The statements of one day may be imported in
 * any order, so the day's latest statement is the one that no other statement of the day continues: none opens with its
 * closing balance. If each is continued, the one imported last counts.
 */
export const latest_first = `s.closing_date desc, exists (
  select from bank_statements n
  where n.organization_id = s.organization_id and n.bank_account_id = s.bank_account_id and n.id <> s.id
    and n.closing_date = s.closing_date and n.opening_balance = s.closing_balance), s.id desc`
