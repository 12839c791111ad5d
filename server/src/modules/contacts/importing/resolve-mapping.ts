import { entityOf } from '#contract/fields/rules';
import type { ImportOptions } from '#contract/contacts/importing/schemas';
import {
  fieldPrefix,
  hasNameAndNumber,
  headerSlug,
  importTargets,
} from '#contract/contacts/importing/rules';
import { apiErrors } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, failAll } from '../../../platform/errors.ts';
import { findField, fieldsFor } from '../../fields/index.ts';
import { defaultOptions } from './present.ts';
import type { ImportRow } from './store.ts';
import { listGroupsAmong, labelsAmong } from './import-lists.ts';

const targets = new Set<string>(importTargets.map((t) => t.key));

/**
 * The requested mapping and options, or else those stored with the import. Fails with 422 when a
 * column, group or label doesn't exist, and with `import.no_columns` without a name or number.
 */
export async function resolveMapping(
  t: TxCtx,
  row: ImportRow,
  input: { mapping?: readonly (string | null)[] | undefined; options?: ImportOptions | undefined },
): Promise<{ mapping: (string | null)[]; options: ImportOptions }> {
  const { headers } = row;
  const mapping = headers.map((_, i) => (input.mapping ?? row.mapping)[i] ?? null);
  const options = input.options ?? { ...defaultOptions, ...row.options };
  const fields = await fieldsFor(t, entityOf.contact);
  mapping.forEach((to, i) => {
    if (to === null || targets.has(to)) return;
    if (!to.startsWith(fieldPrefix) || !findField(fields, to.slice(fieldPrefix.length)))
      invalid({ [`mapping.${i}`]: `“${headers[i]}” can’t be imported as “${to.slice(0, 40)}”.` });
  });
  if (!hasNameAndNumber(mapping))
    failAll('import.no_columns', [
      {
        code: 'import.no_columns',
        title: apiErrors['import.no_columns'].text,
        detail: mapping.includes('number')
          ? 'Choose the column with the name.'
          : 'Choose the column with the number.',
      },
    ]);
  if ((await listGroupsAmong(t, options.groupIds)).length < new Set(options.groupIds).size)
    invalid({ 'options.groupIds': 'Choose groups without a rule.' });
  if ((await labelsAmong(t, options.labelIds)).length < new Set(options.labelIds).size)
    invalid({ 'options.labelIds': 'One of these labels no longer exists.' });
  return { mapping, options };
}
/**
 * The mapping by header, so that it fits a file with the same columns in another order. Null: a
 * column that is not imported.
 */
export const byHeader = (
  headers: readonly string[],
  mapping: readonly (string | null)[],
): Record<string, string | null> =>
  Object.fromEntries(headers.map((h, i) => [headerSlug(h), mapping[i] ?? null]));
