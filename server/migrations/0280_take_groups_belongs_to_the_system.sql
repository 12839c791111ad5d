-- A function that works beyond its caller's rights has those of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function take_groups owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function take_groups from public;
