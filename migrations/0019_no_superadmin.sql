-- context: identity

-- Nothing ever asked for it: the administration is opened by its token.
alter table users drop column superadmin;
