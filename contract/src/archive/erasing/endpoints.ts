import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const erasing = { permission: 'person.erase', company: 'object' } as const;

export const previewErasure = endpoint<typeof operations.previewErasure>({
  name: 'previewErasure',
  method: 'GET',
  path: '/contacts/{contactId}/erasure',
  ...erasing,
});

export const getErasureState = endpoint<typeof operations.getErasureState>({
  name: 'getErasureState',
  method: 'GET',
  path: '/contacts/{contactId}/erasure/state',
  permission: 'contacts.view',
  company: 'object',
});

export const erasureProgress = endpoint<typeof operations.erasureProgress>({
  name: 'erasureProgress',
  method: 'GET',
  path: '/companies/{companyId}/erasures/{batchId}',
  permission: 'person.erase',
  company: 'path',
});

export const erasePerson = endpoint<typeof operations.erasePerson>({
  name: 'erasePerson',
  method: 'POST',
  path: '/contacts/{contactId}/erasure',
  ...erasing,
  confirms: true,
});

export const holdPerson = endpoint<typeof operations.holdPerson>({
  name: 'holdPerson',
  method: 'PUT',
  path: '/contacts/{contactId}/legal-hold',
  ...erasing,
});

export const endLegalHold = endpoint<typeof operations.endLegalHold>({
  name: 'endLegalHold',
  method: 'DELETE',
  path: '/contacts/{contactId}/legal-hold',
  ...erasing,
  confirms: true,
});
