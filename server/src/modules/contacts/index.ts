export { partyOfContact } from './party-of-contact.ts';
export { findOrCreateContact, findOrCreateContacts } from './find-or-create-contact.ts';
export { contactsByIds, contactsByNumber, contactsOfNumbers, type ContactRow } from './store.ts';
export { numbersOfContact } from './store-numbers.ts';
export {
  presentContactSummary,
  areDetailsMasked,
  areNumbersMasked,
  presentContacts,
} from './present.ts';
export { upsertContacts, type UpsertRow, type UpsertResult } from './upsert-contacts.ts';
export { addLabels, addToGroups } from './assign-lists.ts';
export { groupById, groupsOfIds, groupsByNames } from './groups/store-groups.ts';
export { labelsByIds } from './labels/store-labels.ts';
export { membersMatching, membersOfGroup, type Member } from './groups/members-of-group.ts';
export { countContactsFor } from './groups/count-groups.ts';
export { resolveFilter } from './resolve-filter.ts';
export { contactCondition } from './store-filter.ts';
export { optIn, optOut } from './ledger/opt-out.ts';
export {
  lockOptOut,
  optedOutNumbers,
  optedOutOfAny,
  optOutOf,
  optOutsOf,
} from './ledger/store-opt-outs.ts';
export { fillFromCrm, matchCrm, type Crm, type CrmMatch } from './crm/fill-from-crm.ts';
export { refuseIfContactHeld } from './refuse-held.ts';
export { asCrm, deleteCrmRecords } from './crm/store-crm.ts';
export { mergesOf } from './merge/store-merge.ts';
export { updateContact } from './update-contact.ts';
export type { FileRow } from './importing/file-errors.ts';
export type { ContactFile } from './importing/read-contact-file.ts';
export { stagedRowOf, stagingLine } from './importing/staging-file.ts';
export { BYTE_ORDER_MARK, csvLine } from './importing/csv-cells.ts';
