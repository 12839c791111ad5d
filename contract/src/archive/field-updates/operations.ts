import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, one } from '../../schemas.ts';
import { fieldUpdateLimits, listedRuns, updatableTypes } from './rules.ts';
import {
  fieldUpdate,
  organizationFieldUpdate,
  template,
  type FieldUpdate,
  type OrganizationFieldUpdate,
} from './schemas.ts';

const at = '2026-11-26T09:15:04.000Z';
const batchId = '0199a8f0-0000-7000-8000-000000000001';
const errors = [{ row: 4, field: 'stage', message: 'Choose an option from the list.' }];
const counts = { total: 25, processed: 25, changed: 20, failed: 1, errors };
const example: FieldUpdate = {
  id: 61,
  batchId,
  file: { name: 'numbers.csv', url: '/api/files/77?company=1&expires=1795252504&signature=abc' },
  entityType: 'number',
  status: 'finished',
  progress: 100,
  ...counts,
  failure: null,
  undone: null,
  created_by: { id: 2, name: 'Ann Fox' },
  created_at: at,
  finished_at: at,
  canUndoUntil: '2026-11-27T09:15:04.000Z',
};
const { batchId: _, ...summed } = example;
const ofOrganization: OrganizationFieldUpdate = {
  ...summed,
  id: batchId,
  companies: [{ ...example, company: { id: 1, name: 'Harbor Dental' } }],
};

const limits = `Up to ${fieldUpdateLimits.rows.toLocaleString('en-US')} rows, ${fieldUpdateLimits.columns} columns and ${fieldUpdateLimits.megabytes} MB`;
const columns =
  'A column `number`, `pool_id` or `entity_id` names the object, the others are keys of custom fields; an empty cell changes nothing, `__clear__` deletes the value';
const body = z.object({
  file: z.unknown().optional().meta({ description: 'The file, as multipart', format: 'binary' }),
  entityType: z
    .enum(updatableTypes, `Choose one of ${updatableTypes.join(', ')}.`)
    .optional()
    .meta({ description: 'What `entity_id` names' }),
});
const query = z.object({
  template: z
    .enum(updatableTypes, `Choose one of ${updatableTypes.join(', ')}.`)
    .optional()
    .meta({ description: 'Also a file of such objects to fill in' }),
});
const inCompany = z.object({ companyId: id });
const inOrganization = z.object({ id });
const listed = <T>(row: z.ZodType<T>) =>
  z.object({ data: z.array(row), template: template.nullable() });

export const uploadFieldUpdate = operation({
  summary: `Change custom fields by a CSV or XLSX file. ${columns}. ${limits}. Runs as a job`,
  status: 202,
  params: inCompany,
  body,
  answer: one(fieldUpdate),
  example: { params: { companyId: 1 }, body: {}, answer: { data: example } },
});

export const listFieldUpdates = operation({
  summary: `List the last ${listedRuns} files of custom fields with their progress and row errors, or get a template`,
  params: inCompany,
  query,
  answer: listed(fieldUpdate),
  example: {
    params: { companyId: 1 },
    answer: { data: [example], template: null },
  },
});

export const undoFieldUpdate = operation({
  summary:
    'Undo a file within 24 hours. Values that changed again since stay as they are. Runs as a job',
  status: 202,
  params: z.object({ companyId: id, updateId: id }),
  answer: one(fieldUpdate),
  errors: ['field_update.cannot_undo'],
  example: {
    params: { companyId: 1, updateId: 61 },
    answer: { data: { ...example, status: 'undoing', progress: 0, processed: 0 } },
  },
});

export const uploadOrganizationFieldUpdate = operation({
  summary: `Change the organization’s custom fields in all of its companies by one CSV or XLSX file. ${columns}. ${limits}. Runs as one job in each company that you can administer`,
  status: 202,
  params: inOrganization,
  body,
  answer: one(organizationFieldUpdate),
  example: { params: { id: 1 }, body: {}, answer: { data: ofOrganization } },
});

export const listOrganizationFieldUpdates = operation({
  summary: `List the last ${listedRuns} files for the organization’s companies with their progress and row errors, or get a template`,
  params: inOrganization,
  query,
  answer: listed(organizationFieldUpdate),
  example: {
    params: { id: 1 },
    answer: { data: [ofOrganization], template: null },
  },
});

export const undoOrganizationFieldUpdate = operation({
  summary: 'Undo a file within 24 hours in every company where it was applied. Runs as jobs',
  status: 202,
  params: z.object({ id, updateId: z.uuid() }),
  answer: one(organizationFieldUpdate),
  errors: ['field_update.cannot_undo'],
  example: {
    params: { id: 1, updateId: batchId },
    answer: { data: { ...ofOrganization, status: 'undoing', progress: 0, processed: 0 } },
  },
});
