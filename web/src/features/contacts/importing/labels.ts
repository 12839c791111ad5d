import {
  importTargets,
  type RowOutcome,
  type SkipReason,
} from '#contract/contacts/importing/rules';
import type { importing } from '#contract';
import { t, type Tone } from '#ui';

export type Import = importing.ContactImport;
/** The name of an import's state. */
export const stateName = (state: Import['state']): string =>
  ({
    uploaded: t('Not imported yet'),
    running: t('Importing'),
    finished: t('Imported'),
    failed: t('Failed'),
    undoing: t('Undoing'),
    undone: t('Undone'),
  })[state];
/** The color of an import's state. */
export const stateTone = (state: Import['state']): Tone =>
  (
    {
      uploaded: 'neutral',
      running: 'info',
      finished: 'success',
      failed: 'danger',
      undoing: 'info',
      undone: 'neutral',
    } as const
  )[state];
/** The name of what an import does with a row. */
export const outcomeName = (outcome: RowOutcome): string =>
  ({ created: t('New'), updated: t('Updated'), unchanged: t('Unchanged'), skipped: t('Skipped') })[
    outcome
  ];
/** Why an import skips a row. */
export const reasonName = (reason: SkipReason): string =>
  ({
    no_number: t('No number'),
    invalid_number: t('Invalid number'),
    rounded_number: t('Rounded number'),
    duplicate_in_file: t('Duplicate in file'),
    blocked: t('Blocked'),
    exists: t('Already a contact'),
  })[reason];
const fieldKeys: Record<string, string> = {
  company_name: 'companyName',
  age_range: 'ageRange',
  optin_type: 'optinType',
  optin_source: 'optinSource',
  alternative_names: 'alternativeNames',
  secondary_emails: 'secondaryEmails',
};
/** The label of a changed field; custom fields use their own name. */
export const fieldName = (column: string): string => {
  const key = fieldKeys[column] ?? column;
  return t(importTargets.find((target) => target.key === key)?.title ?? column);
};
/** A number of rows in words. */
export const rowsText = (n: number): string => t('{n, plural, one {# row} other {# rows}}', { n });
