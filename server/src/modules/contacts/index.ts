import { together } from '../../platform/answer.ts';
import { owns as bulkOwns } from './bulk/store-bulk.ts';
import { owns as groupOwns } from './groups/store-groups.ts';
import { jobs as importJobs } from './importing/jobs.ts';
import { answers as importAnswers } from './importing/routes.ts';
import { owns as importOwns } from './importing/store.ts';
import { jobs as contactJobs } from './jobs.ts';
import { owns as ledgerOwns } from './ledger/store-ledger.ts';
import { owns as labelOwns } from './labels/store-labels.ts';
import { owns as mergeOwns } from './merge/store-merge.ts';
import { answers as contactAnswers } from './routes.ts';
import { owns as contactOwns } from './store.ts';

export const owns = [
  ...contactOwns,
  ...groupOwns,
  ...labelOwns,
  ...mergeOwns,
  ...bulkOwns,
  ...ledgerOwns,
  ...importOwns,
] as const;
export const answers = together(contactAnswers, importAnswers);
export const jobs = [...contactJobs, ...importJobs];
export { reactions } from './reactions.ts';
export { findOrMakeContact, findOrMakeContacts } from './find-or-make-contact.ts';
export {
  contactsById,
  contactsByNumber,
  contactsOfNumbers,
  numbersOfContact,
  type ContactRow,
} from './store.ts';
export { briefContact, hideNumber, masked, numbersMasked, presentContacts } from './present.ts';
export { upsertContacts, type UpsertRow, type Upserted } from './upsert-contacts.ts';
export { addLabels, addToGroups } from './sort-into.ts';
export { groupById, groupsById, groupsNamed } from './groups/store-groups.ts';
export { labelsById } from './labels/store-labels.ts';
export { membersFitting, membersOfGroup, type Member } from './groups/members-of-group.ts';
export { countFor } from './groups/count-groups.ts';
export { resolveFilter } from './resolve-filter.ts';
export { contactCondition as contactFilter } from './store-filter.ts';
export { optIn, optOut } from './ledger/opt-out.ts';
export { holdLedger, optedOutAmong, optOutOf, optOutsOf } from './ledger/store-ledger.ts';
export { mergesOf } from './merge/store-merge.ts';
