import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const ofNumber = { company: 'object' } as const;

export const getFlow = endpoint<typeof operations.getFlow>({
  name: 'getFlow',
  method: 'GET',
  path: '/numbers/{id}/flow',
  permission: 'routing.view',
  ...ofNumber,
});

export const saveFlowDraft = endpoint<typeof operations.saveFlowDraft>({
  name: 'saveFlowDraft',
  method: 'PUT',
  path: '/numbers/{id}/flow/draft',
  permission: 'numbers.configure',
  ...ofNumber,
});

export const discardFlowDraft = endpoint<typeof operations.discardFlowDraft>({
  name: 'discardFlowDraft',
  method: 'DELETE',
  path: '/numbers/{id}/flow/draft',
  permission: 'numbers.configure',
  ...ofNumber,
});

export const publishFlow = endpoint<typeof operations.publishFlow>({
  name: 'publishFlow',
  method: 'POST',
  path: '/numbers/{id}/flow/publish',
  permission: 'numbers.configure',
  ...ofNumber,
});

export const listFlowVersions = endpoint<typeof operations.listFlowVersions>({
  name: 'listFlowVersions',
  method: 'GET',
  path: '/numbers/{id}/flow/versions',
  permission: 'routing.view',
  ...ofNumber,
});

export const getFlowVersion = endpoint<typeof operations.getFlowVersion>({
  name: 'getFlowVersion',
  method: 'GET',
  path: '/numbers/{id}/flow/versions/{version}',
  permission: 'routing.view',
  ...ofNumber,
});

export const restoreFlowVersion = endpoint<typeof operations.restoreFlowVersion>({
  name: 'restoreFlowVersion',
  method: 'POST',
  path: '/numbers/{id}/flow/versions/{version}/restore',
  permission: 'numbers.configure',
  ...ofNumber,
});
