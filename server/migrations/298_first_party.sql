-- A subdomain of the company's website from which its pages load the script, so that the cookie that
-- knows a visitor is set by the website's own domain. Null: pages load it from our address.
alter table tracking_script add column first_party_host text;

-- Such a subdomain that pages of a website called last, and when.
alter table tracking_site
  add column first_party_host text,
  add column first_party_at timestamptz,
  -- Its address is in the website's network, without which Safari forgets as before; null: not known.
  add column is_same_network boolean;
