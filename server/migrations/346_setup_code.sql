-- `setup`: the link with which the first operator of an installation makes an account.
alter table sent_code drop constraint sent_code_purpose_check;
alter table sent_code add constraint sent_code_purpose_check
  check (purpose in ('reset', 'signup', 'first_owner', 'setup'));
