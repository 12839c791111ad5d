/** What a deleted account leaves behind: where its name was written beside its ID, and what stays. */

/** Who is named where an erased person was. */
export const ERASED_NAME = 'Erased user';

/**
 * Names as they were when something was done, each with the column of the person’s ID. A test
 * compares them with all columns of the database that are called `…_name`.
 */
export const namesBesideIds: readonly [table: string, name: string, id: string][] = [
  ['alert', 'resolved_by_name', 'resolved_by'],
  ['alert_change', 'actor_name', 'actor_id'],
  ['billing_tax', 'changed_by_name', 'changed_by'],
  ['block', 'created_by_name', 'created_by'],
  ['call_history', 'actor', 'actor_id'],
  ['campaign', 'user_name', 'user_id'],
  ['campaign', 'asked_by_name', 'asked_by'],
  ['campaign', 'approved_by_name', 'approved_by'],
  ['campaign', 'paused_by_name', 'paused_by'],
  ['canned_reply', 'owner_name', 'owner_id'],
  ['company_import', 'created_by_name', 'created_by'],
  ['company_import', 'imported_by_name', 'imported_by'],
  ['contact_import', 'created_by_name', 'created_by'],
  ['contact_merge', 'user_name', 'user_id'],
  ['conversation_item', 'actor_name', 'actor_id'],
  ['fax', 'actor_name', 'actor_id'],
  ['field_history', 'actor_name', 'actor_id'],
  ['field_update', 'created_by_name', 'created_by'],
  ['flow_draft', 'edited_by_name', 'edited_by'],
  ['flow_version', 'published_by_name', 'published_by'],
  ['inbox_view', 'owner_name', 'owner_id'],
  ['legal_hold', 'held_by_name', 'held_by'],
  ['note', 'user_name', 'user_id'],
  ['number_event', 'actor_name', 'actor_id'],
  ['organization_field_update', 'created_by_name', 'created_by'],
  ['port_event', 'by_name', 'by_user_id'],
  ['port_request', 'created_by_name', 'created_by'],
  ['possible_opt_out', 'decided_by_name', 'decided_by'],
];

/** Rows that are only theirs, in tables without a foreign key to the person. */
export const ownRows: readonly [table: string, id: string][] = [
  ['calling_device', 'user_id'],
  ['calling_person', 'user_id'],
  ['column_preset', 'user_id'],
  ['column_preset_default', 'user_id'],
  ['conversation_presence', 'user_id'],
  ['favorite_report', 'user_id'],
  ['idempotency_key', 'person_id'],
  ['notification_block', 'user_id'],
  ['notification_digest', 'user_id'],
  ['notification_setting', 'user_id'],
  ['online_person', 'person_id'],
  ['report_link', 'user_id'],
];

/** Lists of addresses that are told of something. */
export const addressLists: readonly [table: string, column: string][] = [
  ['call', 'alert_emails'],
  ['number', 'voicemail_emails'],
  ['number_template', 'voicemail_emails'],
  ['number_trigger', 'notify_emails'],
  ['route', 'email_alert_addresses'],
];

/**
 * What stays of an account, and why. `places`: where its name or email may still stand, which a test
 * compares with a scan of the whole database.
 */
export const whatStaysOfAccounts: readonly {
  what: string;
  why: string;
  places: readonly string[];
}[] = [
  {
    what: 'The audit log',
    why: 'It proves who did what, and entries are deleted after two years.',
    places: ['audit_log.before', 'audit_log.after'],
  },
  {
    what: 'The history of opt-outs',
    why: 'It proves who opted a number out or in, and can’t be changed.',
    places: ['opt_out_history.actor_name'],
  },
  {
    what: 'Events',
    why: 'They are needed to repeat what failed, and are deleted within 31 days.',
    places: ['outbox.data', 'ordered_event.data'],
  },
  {
    what: 'Texts and notes',
    why: 'They are the company’s records.',
    places: ['conversation_item.text', 'conversation_item.search', 'note.body'],
  },
  {
    what: 'Letters of authorization and steps of registrations, ports and leases',
    why: 'They prove who signed or decided.',
    places: [
      ...['port_request.authorized_first_name', 'port_request.authorized_last_name'],
      ...['port_request.authorized_email', 'port_request.loa_signed_by'],
      ...['registration_event.by_name', 'marketplace_event.by_name'],
    ],
  },
  {
    what: 'Addresses that a company entered',
    why: 'Billing contacts and recipients of summaries and reports are the company’s to change.',
    places: [
      ...['billing_contact.email', 'billing_contact.first_name', 'billing_contact.last_name'],
      ...['company.email', 'company.settings', 'setting_value.value', 'favorite_report.schedule'],
    ],
  },
];
