-- The strictest `session_idle_minutes` of the person's companies when the session was last used.
alter table session add column idle_minutes int;
