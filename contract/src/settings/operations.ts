import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, instant, listQuery, one, pageOf } from '../schemas.ts';
import { settingScopes } from './setting-rule.ts';
import { settingsIn } from './schemas.ts';

/** Instead of the company: its organization's settings, or those of the installation. */
const owner = {
  organization_id: id.optional().meta({
    description: 'An organization the person administers; its companies inherit the values',
  }),
  scope: z
    .literal('system')
    .optional()
    .meta({ description: 'The installation’s values; only for platform staff' }),
};
const by = z.object({ id, name: z.string() }).nullable();
const values = z.record(
  z.string(),
  z.object({
    value: z.unknown(),
    source: z.enum(settingScopes),
    updated_at: instant.nullable(),
    updated_by: by,
  }),
);
const example = {
  data: {
    redact_ssn: {
      value: true,
      source: 'company' as const,
      updated_at: '2026-11-21T09:15:04.000Z',
      updated_by: { id: 1, name: 'Olive Owner' },
    },
  },
};

export const getGeneralSettings = operation({
  summary:
    'Get the effective settings, each with where it is set: company, organization or system (also where nothing is set)',
  query: z.object({ ...companyIn, ...owner }),
  answer: one(values),
  errors: ['role.forbidden'],
  example: { answer: example },
});

export const listGeneralSettings = operation({
  summary: 'List every setting with its type, default, bounds and scopes',
  answer: z.object({
    data: z.array(
      z.object({
        key: z.string(),
        group: z.string(),
        label: z.string(),
        help: z.string(),
        type: z.string(),
        default: z.unknown(),
        options: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        scopes: z.array(z.enum(settingScopes)),
        role: z.string(),
      }),
    ),
  }),
  example: {
    answer: {
      data: [
        {
          key: 'redact_ssn',
          group: 'privacy',
          label: 'Remove social security numbers',
          help: 'From new transcripts; silenced in their recordings.',
          type: 'boolean',
          default: false,
          options: null,
          min: null,
          max: null,
          scopes: ['system', 'organization', 'company'],
          role: 'administrator',
        },
      ],
    },
  },
});

export const updateGeneralSettings = operation({
  summary: 'Change settings by key; null restores what is inherited',
  query: z.object({ ...companyIn, ...owner }),
  body: settingsIn,
  answer: one(values),
  errors: ['role.forbidden'],
  example: { body: { redact_ssn: true }, answer: example },
});

export const bulkUpdateGeneralSettings = operation({
  summary: 'Change settings of several companies; each has its own result',
  body: z.object({
    companyIds: z.array(id).min(1).max(1000),
    settings: settingsIn,
  }),
  answer: one(
    z.array(
      z.object({
        company_id: id,
        ok: z.boolean(),
        reason: z.string().nullable().meta({ description: 'Why nothing was changed' }),
      }),
    ),
  ),
  example: {
    body: { companyIds: [1], settings: { redact_ssn: true } },
    answer: { data: [{ company_id: 1, ok: true, reason: null }] },
  },
});

export const restoreGeneralSettings = operation({
  summary: 'Restore settings to what is inherited; without keys, all of them',
  query: z.object({ ...companyIn, ...owner }),
  body: z.object({ keys: z.array(z.string().max(80)).max(200).optional() }),
  answer: one(values),
  errors: ['role.forbidden'],
  example: { body: { keys: ['redact_ssn'] }, answer: example },
});

export const listSettingChanges = operation({
  summary: 'List who changed which setting when, newest first',
  paged: true,
  query: listQuery({ ...owner, key: z.string().max(80).optional() }, { perPage: 25 }),
  answer: pageOf(
    z.object({
      id,
      key: z.string(),
      before: z.unknown().meta({ description: 'null: inherited' }),
      after: z.unknown().meta({ description: 'null: inherited' }),
      at: instant,
      by,
    }),
  ),
  errors: ['role.forbidden'],
  example: {
    answer: {
      data: [
        {
          id: 9,
          key: 'redact_ssn',
          before: null,
          after: true,
          at: '2026-11-21T09:15:04.000Z',
          by: { id: 1, name: 'Olive Owner' },
        },
      ],
    },
  },
});
