-- Why an account can't be erased (a legal hold of the operator); null: it can.
alter table person add column held_because text check (length(held_because) between 1 and 500);
