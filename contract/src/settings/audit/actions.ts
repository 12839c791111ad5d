/** Groups that the audit log can be filtered by, with their names. */
export const auditGroups = {
  access: 'People and sign-in',
  settings: 'Company and settings',
  numbers: 'Numbers',
  routing: 'Call routing',
  tracking: 'Call tracking',
  contacts: 'Contacts',
  messages: 'Conversations',
  calls: 'Calls',
  compliance: 'Blocks and registration',
  campaigns: 'Campaigns',
  marketplace: 'Marketplace and ports',
  integrations: 'Integrations',
  data: 'Exports and data',
  refused: 'Refused attempts',
} as const;
export type AuditGroup = keyof typeof auditGroups;

interface Action {
  group: AuditGroup;
  /** What was done, after the name of who did it: "Ann Fox bought a number". */
  text: string;
  /** Concerns money, so the billing role sees it. */
  billing?: boolean;
}

/**
 * Every action of the audit log and its sentence. Code that writes another one does not compile.
 * An action that was removed from the code stays here, because its rows remain.
 */
export const auditActions = {
  'admin.opened': { group: 'access', text: 'opened the company in admin mode' },
  'admin.acted': { group: 'access', text: 'made a change in admin mode' },
  'user.updated': { group: 'access', text: 'changed a user' },
  'user.role_changed': { group: 'access', text: 'changed the role of a user' },
  'user.activated': { group: 'access', text: 'activated a user' },
  'user.deactivated': { group: 'access', text: 'deactivated a user' },
  'user.removed': { group: 'access', text: 'removed a user' },
  'user.mfa_reset': { group: 'access', text: 'reset the two-step verification of a user' },
  'user.sessions_ended': { group: 'access', text: 'signed a user out everywhere' },
  'company.sessions_ended': { group: 'access', text: 'signed everyone out' },
  'session.ended_elsewhere': {
    group: 'access',
    text: 'was signed out by an administrator of another company',
  },
  'access.refused': { group: 'refused', text: 'tried what they aren’t allowed to do' },
  'sign_in.succeeded': { group: 'access', text: 'signed in' },
  'sign_in.failed': { group: 'access', text: 'failed to sign in' },
  'session.ended': { group: 'access', text: 'signed out of a session' },
  'session.reused': { group: 'access', text: 'lost a session whose token was used twice' },
  'factor.added': { group: 'access', text: 'added a second step for signing in' },
  'factor.removed': { group: 'access', text: 'removed a second step for signing in' },
  'recovery_codes.renewed': { group: 'access', text: 'made new recovery codes' },
  'recovery_code.used': { group: 'access', text: 'used a recovery code' },
  'passkey.added': { group: 'access', text: 'added a passkey' },
  'passkey.renamed': { group: 'access', text: 'renamed a passkey' },
  'passkey.removed': { group: 'access', text: 'removed a passkey' },
  'password.changed': { group: 'access', text: 'changed their password' },
  'password.reset': { group: 'access', text: 'set a new password with a mailed link' },
  'profile.changed': { group: 'access', text: 'changed their profile' },
  'email.changed': { group: 'access', text: 'changed their email address' },
  'ownership_transfer.started': { group: 'access', text: 'started to transfer ownership' },
  'ownership_transfer.confirmed': {
    group: 'access',
    text: 'agreed to the transfer of ownership',
  },
  'ownership_transfer.canceled': { group: 'access', text: 'canceled the transfer of ownership' },
  'ownership_transfer.accepted': { group: 'access', text: 'accepted ownership' },
  'invitation.sent': { group: 'access', text: 'invited a person' },
  'invitation.resent': { group: 'access', text: 'resent an invitation' },
  'invitation.revoked': { group: 'access', text: 'revoked an invitation' },
  'invitation.accepted': { group: 'access', text: 'accepted an invitation' },
  'api_key.created': { group: 'access', text: 'created an API key' },
  'api_key.revoked': { group: 'access', text: 'revoked an API key' },
  'api_key.limited': { group: 'access', text: 'limited an API key to its owner’s role' },
  'oauth.authorized': { group: 'access', text: 'gave an application access' },
  'oauth.revoked': { group: 'access', text: 'ended the access of an application' },
  'oauth.limited': { group: 'access', text: 'limited an application to a person’s role' },
  'oauth.client_created': { group: 'integrations', text: 'registered an application' },
  'oauth.client_deleted': { group: 'integrations', text: 'deleted an application' },
  'settings.updated': { group: 'settings', text: 'changed general settings' },
  'organization.joined': { group: 'settings', text: 'added the company to an organization' },
  'organization.left': { group: 'settings', text: 'took the company out of its organization' },
  'organization.updated': { group: 'settings', text: 'changed the organization' },
  'organization.admin_added': { group: 'access', text: 'added an organization administrator' },
  'organization.admin_removed': { group: 'access', text: 'removed an organization administrator' },
  'company.status_changed': { group: 'settings', text: 'changed the status of the company' },
  'support.pin_used': { group: 'access', text: 'found the company by its support PIN' },
  'support_ticket.created': { group: 'settings', text: 'contacted support' },
  'tenant.updated': { group: 'settings', text: 'changed the brand of the organization' },
  'tenant.sender_changed': { group: 'settings', text: 'changed the sender of emails' },
  'tenant.domain_changed': { group: 'settings', text: 'changed the custom domain' },

  'company.updated': { group: 'settings', text: 'changed the company' },
  'schedule.changed': { group: 'routing', text: 'changed business hours' },
  'field.created': { group: 'settings', text: 'added a custom field' },
  'field.updated': { group: 'settings', text: 'changed a custom field' },
  'field.deleted': { group: 'settings', text: 'deleted a custom field' },
  'field.override_created': { group: 'settings', text: 'added an exception to a custom field' },
  'field.override_updated': { group: 'settings', text: 'changed an exception to a custom field' },
  'field.override_deleted': { group: 'settings', text: 'removed an exception to a custom field' },
  'tags.created': { group: 'settings', text: 'added tags' },
  'tags.updated': { group: 'settings', text: 'changed tags' },
  'tags.merged': { group: 'settings', text: 'merged tags' },
  'tags.deleted': { group: 'settings', text: 'deleted tags' },
  'tags.restored': { group: 'settings', text: 'restored tags' },

  'number.purchased': { group: 'numbers', text: 'bought a number', billing: true },
  'number.changed': { group: 'numbers', text: 'changed a number' },
  'number.failover': { group: 'numbers', text: 'changed what a number does in an outage' },
  'number.rotated': { group: 'numbers', text: 'replaced a number' },
  'number.releasing': { group: 'numbers', text: 'removed a number', billing: true },
  'number.kept': { group: 'numbers', text: 'kept a number that was to be removed', billing: true },
  'number.released': { group: 'numbers', text: 'released a number', billing: true },
  'number.triggers_changed': { group: 'numbers', text: 'changed the triggers of a number' },
  'number_template.added': { group: 'numbers', text: 'added a number template' },
  'number_template.changed': { group: 'numbers', text: 'changed a number template' },
  'number_template.deleted': { group: 'numbers', text: 'deleted a number template' },
  'number-limit.requested': {
    group: 'numbers',
    text: 'asked for a higher number limit',
    billing: true,
  },
  'forward_contact.added': { group: 'routing', text: 'added a forwarding contact' },
  'forward_contact.changed': { group: 'routing', text: 'changed a forwarding contact' },
  'forward_contact.deleted': { group: 'routing', text: 'deleted a forwarding contact' },

  'flow.draft_begun': { group: 'routing', text: 'began a draft of a call flow' },
  'flow.draft_discarded': { group: 'routing', text: 'discarded a draft of a call flow' },
  'flow.published': { group: 'routing', text: 'published a call flow' },
  'flow.saved': { group: 'routing', text: 'changed where a number’s calls go' },
  'flow.restored': { group: 'routing', text: 'restored an earlier call flow' },
  'tracking_source.added': { group: 'tracking', text: 'added a tracking source' },
  'tracking_source.changed': { group: 'tracking', text: 'changed a tracking source' },
  'tracking_source.ordered': { group: 'tracking', text: 'changed the order of tracking sources' },
  'tracking_pool.added': { group: 'tracking', text: 'added a tracking pool' },
  'tracking_pool.changed': { group: 'tracking', text: 'changed a tracking pool' },
  'tracking_pool.deleted': { group: 'tracking', text: 'deleted a tracking pool' },
  'tracking_source.deleted': { group: 'tracking', text: 'deleted a tracking source' },
  'greeting.added': { group: 'routing', text: 'added a greeting' },
  'greeting.updated': { group: 'routing', text: 'changed a greeting' },
  'greeting.deleted': { group: 'routing', text: 'deleted a greeting' },

  'contact.deleted': { group: 'contacts', text: 'deleted a contact' },
  'contact.restored': { group: 'contacts', text: 'restored a contact' },
  'contact.merged': { group: 'contacts', text: 'merged contacts' },
  'contact.unmerged': { group: 'contacts', text: 'undid a merge of contacts' },
  'contacts.destroy': { group: 'contacts', text: 'deleted contacts' },
  'contacts.group': { group: 'contacts', text: 'added contacts to a group' },
  'contacts.ungroup': { group: 'contacts', text: 'removed contacts from a group' },
  'contacts.label': { group: 'contacts', text: 'labeled contacts' },
  'contacts.unlabel': { group: 'contacts', text: 'removed a label from contacts' },
  'contacts.undone': { group: 'contacts', text: 'undid a change of contacts' },
  'contacts.import_begun': { group: 'contacts', text: 'started an import of contacts' },
  'contacts.imported': { group: 'contacts', text: 'imported contacts' },
  'contacts.import_undone': { group: 'contacts', text: 'undid an import of contacts' },
  'contact_group.added': { group: 'contacts', text: 'added a contact group' },
  'contact_group.updated': { group: 'contacts', text: 'changed a contact group' },
  'contact_group.deleted': { group: 'contacts', text: 'deleted a contact group' },
  'contact_group.restored': { group: 'contacts', text: 'restored a contact group' },
  'contact_label.deleted': { group: 'contacts', text: 'deleted a contact label' },

  'conversation.deleted': { group: 'messages', text: 'deleted a conversation' },
  'item.deleted': { group: 'messages', text: 'deleted a message or call from a conversation' },
  'messages.deleted': { group: 'messages', text: 'deleted the messages of a conversation' },
  'scheduled.canceled': { group: 'messages', text: 'canceled a scheduled text' },
  'note.deleted': { group: 'messages', text: 'deleted a note' },

  'call.monitored': { group: 'calls', text: 'listened in on a call' },
  'call.monitoring_ended': { group: 'calls', text: 'stopped listening in on a call' },

  'block.added': { group: 'compliance', text: 'blocked a caller' },
  'block.removed': { group: 'compliance', text: 'unblocked a caller' },
  'sms_verification.created': { group: 'compliance', text: 'began a texting registration' },
  'sms_verification.changed': { group: 'compliance', text: 'changed a texting registration' },
  'sms_verification.submitted': {
    group: 'compliance',
    text: 'submitted a texting registration',
    billing: true,
  },
  'sms_verification.canceled': { group: 'compliance', text: 'canceled a texting registration' },
  'sms_verification.deleted': { group: 'compliance', text: 'deleted a texting registration' },
  'sms_verification.numbers_added': {
    group: 'compliance',
    text: 'added numbers to a texting registration',
  },
  'sms_verification.numbers_removed': {
    group: 'compliance',
    text: 'removed numbers from a texting registration',
  },

  'marketplace.created': { group: 'marketplace', text: 'listed a number on the marketplace' },
  'marketplace.changed': { group: 'marketplace', text: 'changed a marketplace listing' },
  'marketplace.renewed': { group: 'marketplace', text: 'renewed a lease', billing: true },
  'marketplace.leased': { group: 'marketplace', text: 'leased out a number', billing: true },
  'marketplace.assigned': { group: 'marketplace', text: 'sold a number', billing: true },
  'marketplace.lease_notice': {
    group: 'marketplace',
    text: 'gave notice to end a lease',
    billing: true,
  },
  'marketplace.lease_ended': { group: 'marketplace', text: 'ended a lease', billing: true },
  'marketplace.offer_accepted': { group: 'marketplace', text: 'accepted an offer', billing: true },
  'marketplace.offer_declined': { group: 'marketplace', text: 'declined an offer', billing: true },
  'port.created': { group: 'marketplace', text: 'began a port request' },
  'port.changed': { group: 'marketplace', text: 'changed a port request' },
  'port.moved': { group: 'marketplace', text: 'moved a port request to another status' },
  'port.alarm': { group: 'marketplace', text: 'reported a problem with a port request' },
  'port.letter_signed': { group: 'marketplace', text: 'signed a letter of authorization' },
  'port.document_added': { group: 'marketplace', text: 'added a document to a port request' },
  'port.document_removed': { group: 'marketplace', text: 'removed a document of a port request' },

  'connection.connected': { group: 'integrations', text: 'connected an account' },
  'connection.disconnected': { group: 'integrations', text: 'disconnected an account' },

  'numbers.exported': { group: 'data', text: 'exported numbers' },
  'export-calls.begun': { group: 'data', text: 'exported calls' },
  'export-messages.begun': { group: 'data', text: 'exported messages' },
  'export-voicemails.begun': { group: 'data', text: 'exported voicemails' },
  'export-fax.begun': { group: 'data', text: 'exported faxes' },
  'export-call-search.begun': { group: 'data', text: 'exported call search results' },
  'export-contacts.begun': { group: 'data', text: 'exported contacts' },
  'export-audit-log.begun': { group: 'data', text: 'exported the audit log' },
  'archive.begun': { group: 'data', text: 'started an archive of the company' },
  'archive.finished': { group: 'data', text: 'finished an archive of the company' },
  'archive.deleted': { group: 'data', text: 'deleted an archive of the company' },
  'archive.downloaded': { group: 'data', text: 'downloaded an archive of the company' },
  'export.downloaded': { group: 'data', text: 'downloaded an exported file' },
  'export.deleted': { group: 'data', text: 'deleted an exported file' },
  'archive.imported': { group: 'data', text: 'imported an archive' },
  'person.erased': { group: 'data', text: 'erased the data of a person' },
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof auditActions;
export const auditActionCodes = Object.keys(auditActions) as AuditAction[];

/** The sentence of an action; an unknown code (of a newer version) is shown as it is. */
export const auditSentence = (action: string): string =>
  (auditActions as Record<string, Action>)[action]?.text ?? action;
/** The actions of a group. */
export const actionsOfGroup = (group: AuditGroup): AuditAction[] =>
  auditActionCodes.filter((code) => auditActions[code].group === group);
/** The actions that concern money. */
export const billingActions: readonly AuditAction[] = auditActionCodes.filter(
  (code) => (auditActions[code] as Action).billing,
);
