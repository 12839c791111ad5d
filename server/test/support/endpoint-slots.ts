import { tomorrow, type InputContext } from './endpoint-inputs.ts';

/** Slots meant for objects of other companies, on the marketplace. */
export const foreignIdAllowed = new Set([
  'renewLease.params.id',
  'makeOffer.params.id',
  'inquireListing.params.id',
  'reserveListing.params.id',
  'leaseListing.params.id',
  // Only platform staff get as far as that: the tests of operators show it.
  'refundInvoice.body.invoice_id',
]);
/**
 * Slots without effect in the example. The body given here replaces the example's, so that the slot
 * counts.
 */
export const slotBodies: Record<string, (s: InputContext) => object> = {
  'deleteTags.query.ids': () => ({}),
  'sendMessage.body.numberId': (s) => ({
    companyId: s.company.id,
    to: '+12125550147',
    message: 'Hello.',
  }),
  'scheduleMessage.body.numberId': (s) => ({
    companyId: s.company.id,
    to: '+12125550147',
    message: 'Hello.',
    shouldBeSentAt: tomorrow(s),
  }),
  'sendFax.body.numberId': (s) => ({
    companyId: s.company.id,
    to: '+12125550147',
    cover: { to: 'Dana Reed', from: 'Harbor Dental', subject: 'Form', note: '' },
  }),
  'sendFax.body.conversationId': (s) => ({
    companyId: s.company.id,
    cover: { to: 'Dana Reed', from: 'Harbor Dental', subject: 'Form', note: '' },
  }),
  'createForwardContact.body.user_id': (s) => ({
    company_id: s.company.id,
    name: 'Desk',
    type: 'user',
  }),
  'updateForwardContact.body.user_id': () => ({ type: 'user' }),
  ...Object.fromEntries(
    [
      'bulkDestroyContacts',
      'addToGroup',
      'removeFromGroup',
      'bulkAddLabel',
      'bulkRemoveLabel',
      'exportContacts',
    ].flatMap((name) =>
      ['groupId', 'labelId'].map((key) => [
        `${name}.body.filters.${key}`,
        () => ({ all: true, filters: {} }),
      ]),
    ),
  ),
};
/**
 * Slots where an unknown id is no error, and why. Still, no data of the other company is read or
 * written.
 */
export const acceptsAnyId: Record<string, string> = {
  'bulkUpdateGeneralSettings.body.companyIds': 'each company has a result of its own',
  'bulkUpdateGeneralSettings.body.settings.business_hours_schedule_id':
    'each company has a result of its own',
  'updateUserAccounts.body.accountIds': 'a company outside the organization is skipped',
  'exportAuditLog.body.userId': 'a filter: the rows of nobody',
  'getDashboard.body.filters.number_ids': 'a filter: the calls of no one',
  'getDashboard.body.filters.business_unit_ids': 'a filter: the calls of no one',
  'getDashboard.body.filters.user_ids': 'a filter: the calls of no one',
  'createRemoteLogin.body.user_id': 'only platform staff may, for every company',
  ...Object.fromEntries(
    [
      'bulkDestroyContacts',
      'addToGroup',
      'removeFromGroup',
      'bulkAddLabel',
      'bulkRemoveLabel',
      'createGroup',
      'exportContacts',
    ].map((name) => [`${name}.body.contacts`, 'of many, those that are not there are left out']),
  ),
  ...Object.fromEntries(
    ['bulkUpdateConversations', 'snoozeConversations', 'assignConversations'].map((name) => [
      `${name}.body.ids`,
      'of many, those that are not there are left out',
    ]),
  ),
  ...Object.fromEntries(
    [
      'countContacts',
      'addAllToGroup',
      'bulkDestroyContacts',
      'addToGroup',
      'removeFromGroup',
      'bulkAddLabel',
      'bulkRemoveLabel',
      'exportContacts',
    ].map((name) => [`${name}.body.filters.labelId`, 'a filter: nobody has that label']),
  ),
  'readAllByType.body.numbers': 'a filter: nothing is at that number',
  'addInboxView.body.filters.numbers': 'a filter kept for later: nothing is at that number',
  'updateInboxView.body.filters.numbers': 'a filter kept for later: nothing is at that number',
  'assignConversations.body.from': 'compared with who has it, and with nothing else',
  'deleteTags.query.businessUnitId': 'looked at for tags of an organization only',
  'deleteTags.body.businessUnitId': 'looked at for tags of an organization only',
  'updateTriggers.body.remove': 'what is not there is removed already',
  'createSmsCampaign.body.campaign.optins.[].supporting_files.[].id':
    'chooses among the files it has',
  'updateSmsCampaign.body.campaign.optins.[].supporting_files.[].id':
    'chooses among the files it has',
  ...Object.fromEntries(
    ['createCampaign', 'updateCampaign', 'patchCampaign'].map((name) => [
      `${name}.body.keep_media`,
      'chooses among the pictures it has',
    ]),
  ),
  ...Object.fromEntries(
    [
      'routes.[].forwards.[].contact_id',
      'routes.[].onhold_music_id',
      'routes.[].voicemail_greeting_id',
      'menu.greeting_id',
    ].map((slot) => [`saveFlowDraft.body.${slot}`, 'a draft is judged when it is published']),
  ),
  ...Object.fromEntries(
    [
      'routes.[].forwards.[].contact_id',
      'routes.[].forwards.[].user_id',
      'routes.[].forwards.[].team_id',
      'routes.[].onhold_music_id',
      'routes.[].voicemail_greeting_id',
    ].map((slot) => [
      `simulateNumber.body.${slot}`,
      'only thought through, never kept; whoever is not there is not rung',
    ]),
  ),
};
/** Tables that every request writes, whatever its response. */
export const readsThatWrite = new Set(['public.session']);
