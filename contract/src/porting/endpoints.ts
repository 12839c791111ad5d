import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

const common = { permission: 'ports.edit', company: 'path' } as const;

export const listPorts = endpoint<typeof operations.listPorts>({
  name: 'listPorts',
  method: 'GET',
  path: '/company/{companyId}/ports',
  permission: 'ports.view',
  company: 'path',
});

export const createPort = endpoint<typeof operations.createPort>({
  name: 'createPort',
  method: 'POST',
  path: '/company/{companyId}/numbers/port',
  permission: 'ports.edit',
  company: 'path',
});

export const portStats = endpoint<typeof operations.portStats>({
  name: 'portStats',
  method: 'GET',
  path: '/company/{companyId}/ports/stats',
  permission: 'ports.view',
  company: 'path',
});

export const checkPortability = endpoint<typeof operations.checkPortability>({
  name: 'checkPortability',
  method: 'POST',
  path: '/company/{companyId}/ports/check',
  permission: 'ports.edit',
  company: 'path',
});

export const getPort = endpoint<typeof operations.getPort>({
  name: 'getPort',
  method: 'GET',
  path: '/company/{companyId}/ports/{id}',
  permission: 'ports.view',
  company: 'path',
});

export const savePort = endpoint<typeof operations.savePort>({
  ...common,
  name: 'savePort',
  method: 'PUT',
  path: '/company/{companyId}/ports/{id}',
});

export const submitPort = endpoint<typeof operations.submitPort>({
  ...common,
  name: 'submitPort',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/submit',
});

export const cancelPort = endpoint<typeof operations.cancelPort>({
  ...common,
  name: 'cancelPort',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/cancel',
});

export const addPortDocument = endpoint<typeof operations.addPortDocument>({
  ...common,
  name: 'addPortDocument',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/documents',
  multipart: true,
});

export const removePortDocument = endpoint<typeof operations.removePortDocument>({
  ...common,
  name: 'removePortDocument',
  method: 'DELETE',
  path: '/company/{companyId}/ports/{id}/documents/{documentId}',
});

export const portLetter = endpoint<typeof operations.portLetter>({
  name: 'portLetter',
  method: 'GET',
  path: '/company/{companyId}/ports/{id}/loa',
  permission: 'ports.view',
  company: 'path',
});

export const signPortLetter = endpoint<typeof operations.signPortLetter>({
  ...common,
  name: 'signPortLetter',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/loa/sign',
});

export const sendPortLetter = endpoint<typeof operations.sendPortLetter>({
  ...common,
  name: 'sendPortLetter',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/loa/send',
});

export const addPortNote = endpoint<typeof operations.addPortNote>({
  ...common,
  name: 'addPortNote',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/notes',
});
