import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A field definition changed; columns, filters and forms are refetched. */
export const fieldsChanged = event<typeof payloads.fieldsChanged>({
  name: 'fields-changed',
  channel: 'companies',
  invalidates: [
    'listFields',
    'listFieldEntities',
    'fieldCountStats',
    'fieldHistory',
    'listFieldOverrides',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCall',
    'listActivity',
    'getCompany',
    'listCompanyUsers',
    'getCompanyUser',
    'listContacts',
    'getContact',
    'previewMerge',
    'listGroups',
    'getGroup',
    'countContacts',
  ],
});

/**
 * Values of numbers that changed because their field or one of its choices was removed. As text,
 * empty: none; at most 500 numbers at a time.
 */
export const numberValuesChanged = event<typeof payloads.numberValuesChanged>({
  name: 'number-values-changed',
  channel: null,
});

export const tagsChanged = event<typeof payloads.tagsChanged>({
  name: 'tags-changed',
  channel: 'companies',
  invalidates: [
    'listTags',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCall',
    'listNumberTemplates',
    'listForwardContacts',
  ],
});
