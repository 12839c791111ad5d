import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A phrase list was added, changed or deleted, or calls were searched for its phrases again. */
export const phraseListsChanged = event<typeof payloads.phraseListsChanged>({
  name: 'phrase_lists.changed',
  channel: 'companies',
  invalidates: [
    'listPhraseLists',
    'listOutcomeRules',
    'getCall',
    'listActivity',
    'analyzeCalls',
    'searchCalls',
  ],
});
