/**
 * Tables that are never deleted from by age, and when their rows are deleted instead. Together with
 * the rules, all tables.
 */
export const keptTables: readonly { until: string; tables: readonly string[] }[] = [
  {
    until: 'the company goes: what it works with',
    tables: [
      ...['company', 'membership', 'invitation', 'person', 'organization', 'organization_admin'],
      ...['ownership_transfer', 'tenant', 'tenant_domain', 'setting_value', 'setting_change'],
      ...['oauth_client', 'oauth_signing_key'],
      ...['organization_field', 'organization_field_value', 'organization_tag'],
      ...['field', 'field_override', 'field_value', 'field_history'],
      ...['column_preset', 'column_preset_default', 'inbox_view', 'canned_reply', 'block'],
      ...['notification_block', 'notification_setting', 'support_ticket'],
      ...['contact', 'contact_number', 'contact_group', 'contact_group_member', 'contact_label'],
      ...['contact_label_use', 'contact_group_count', 'contact_activity', 'contact_merge'],
      ...['contact_import', 'contact_import_mapping'],
      ...['number', 'number_event', 'number_activity', 'number_auto_text', 'number_directory'],
      ...['number_limit', 'number_limit_request', 'number_menu', 'number_tag', 'number_template'],
      ...['number_trigger', 'number_trigger_reply', 'number_usage_day'],
      ...['route', 'route_last_answer', 'route_round_robin', 'schedule', 'greeting', 'flow_draft'],
      ...['flow_version', 'forward', 'forward_contact'],
      ...['tracking_source', 'tracking_pool', 'tracking_pool_number'],
      ...['figure_hour', 'figure_change', 'caller_gap', 'caller_change'],
      ...['calling_person', 'carrier_failover', 'send_rate', 'caller_identity'],
      ...['port_request', 'port_number', 'port_document', 'port_event'],
      ...['marketplace_number', 'marketplace_offer', 'marketplace_inquiry', 'marketplace_event'],
      ...['marketplace_view', 'sms_brand', 'sms_campaign', 'sms_campaign_number'],
    ],
  },
  {
    until: 'the company goes: calls, conversations and campaigns',
    tables: [
      ...[
        'call',
        'call_history',
        'call_leg',
        'call_tag',
        'call_interconnect',
        'call_search_text',
        'voicemail',
      ],
      ...['fax', 'conversation', 'conversation_party', 'conversation_item', 'note'],
      ...['campaign', 'campaign_requeue', 'campaign_batch', 'campaign_recipient', 'campaign_text'],
    ],
  },
  {
    until: 'the bytes go as the setting of the number says; the row stays (`calls.deleteExpired`)',
    tables: ['recording', 'transcription', 'file'],
  },
  {
    until:
      'AUDIT_KEEP_DAYS have passed (`audit.deleteOld`); no role of the application can delete it',
    tables: ['audit_log'],
  },
  {
    until: 'for good: the sandbox simulates it',
    tables: ['sandbox.dns_record'],
  },
  {
    until: 'for good: evidence',
    tables: [
      ...['opt_out', 'opt_out_history', 'optin_proof', 'registration_event', 'registration_review'],
      ...['caller_lookup', 'admin_entry', 'remote_login'],
    ],
  },
  {
    until: 'removed by the person, or by an administrator who helps them sign in',
    tables: ['mfa_factor', 'recovery_code', 'passkey'],
  },
  {
    until: 'done: the code that completes the work deletes the row',
    tables: ['call_timer', 'parked_call', 'notification_digest'],
  },
  {
    until: 'for good: few rows, or the books of the simulated carrier',
    tables: [
      ...['migration', 'outbox_cursor', 'secret_check', 'carrier_account'],
      ...['sandbox_order', 'sandbox.phone', 'sandbox.port', 'sandbox.registration'],
    ],
  },
];
