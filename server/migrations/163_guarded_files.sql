-- Who may fetch a file that was made for one person (an export, an archive), and what it holds: their
-- ID, the scopes of the permissions they had when they asked, and their numbers then (null: all).
-- Compared with their access whenever they fetch it. Null: the signature in its link is enough.
alter table file add column guard jsonb;
