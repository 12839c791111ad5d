import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/phrase-lists';

export const listPhraseLists = endpoint<typeof operations.listPhraseLists>({
  name: 'listPhraseLists',
  method: 'GET',
  path,
  permission: 'calls.view',
  company: 'path',
});

export const createPhraseList = endpoint<typeof operations.createPhraseList>({
  name: 'createPhraseList',
  method: 'POST',
  path,
  permission: 'settings.edit',
  company: 'path',
});

export const tryPhraseList = endpoint<typeof operations.tryPhraseList>({
  name: 'tryPhraseList',
  method: 'POST',
  path: `${path}/dry-run`,
  permission: 'settings.edit',
  company: 'path',
});

export const updatePhraseList = endpoint<typeof operations.updatePhraseList>({
  name: 'updatePhraseList',
  method: 'PUT',
  path: `${path}/{listId}`,
  permission: 'settings.edit',
  company: 'path',
});

export const deletePhraseList = endpoint<typeof operations.deletePhraseList>({
  name: 'deletePhraseList',
  method: 'DELETE',
  path: `${path}/{listId}`,
  permission: 'settings.edit',
  company: 'path',
});
