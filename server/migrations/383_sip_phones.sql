-- SIP phones by the exchange they are registered at, for the other exchanges. `phone`: whose it is, and the path to it there
-- (server/src/platform/sip-phones.ts).
create table sip_phone (
  exchange text not null,
  device text not null,
  phone jsonb not null,
  expires_at timestamptz not null,
  primary key (exchange, device)
);
select global_table('sip_phone');
