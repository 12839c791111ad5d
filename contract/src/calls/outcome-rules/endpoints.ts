import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/outcome-rules';

export const listOutcomeRules = endpoint<typeof operations.listOutcomeRules>({
  name: 'listOutcomeRules',
  method: 'GET',
  path,
  permission: 'settings.edit',
  company: 'path',
});

export const createOutcomeRule = endpoint<typeof operations.createOutcomeRule>({
  name: 'createOutcomeRule',
  method: 'POST',
  path,
  permission: 'settings.edit',
  company: 'path',
});

export const tryOutcomeRule = endpoint<typeof operations.tryOutcomeRule>({
  name: 'tryOutcomeRule',
  method: 'POST',
  path: `${path}/dry-run`,
  permission: 'settings.edit',
  company: 'path',
});

export const updateOutcomeRule = endpoint<typeof operations.updateOutcomeRule>({
  name: 'updateOutcomeRule',
  method: 'PUT',
  path: `${path}/{ruleId}`,
  permission: 'settings.edit',
  company: 'path',
});

export const deleteOutcomeRule = endpoint<typeof operations.deleteOutcomeRule>({
  name: 'deleteOutcomeRule',
  method: 'DELETE',
  path: `${path}/{ruleId}`,
  permission: 'settings.edit',
  company: 'path',
});
