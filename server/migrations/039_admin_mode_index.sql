-- Asked for each request in admin mode: the companies that were opened in it.
create index concurrently audit_log_admin_opened on audit_log (subject) where action = 'admin.opened';
