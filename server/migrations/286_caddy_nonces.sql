-- Nonces of ID tokens that opened a session, until they expire: each works once. Those that were only
-- handed out are signed, so no row is made for them.
create table caddy_used_nonce (
  hash text primary key,
  expires_at timestamptz not null
);
create index caddy_used_nonce_over on caddy_used_nonce (expires_at);
select global_table('caddy_used_nonce');
