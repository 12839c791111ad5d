-- Messages in the channels of simulated Slack workspaces.
create table sandbox.slack_message (
  id bigint primary key default next_id(),
  workspace text not null,
  channel text not null,
  -- As Slack names a message; replies in a thread name the first one.
  ts text not null generated always as ((id / 1000)::text || '.' || lpad((id % 1000)::text, 6, '0')) stored,
  thread_ts text,
  text text not null,
  at timestamptz not null
);
create index slack_message_age on sandbox.slack_message (at);
grant select, insert, update, delete on sandbox.slack_message to trunkline_system;
