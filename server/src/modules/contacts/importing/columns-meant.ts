import { entityOf } from '#contract/field-rules';
import type { ImportOptions } from '#contract/importing';
import {
  fieldPrefix,
  hasNameAndNumber,
  headerWord,
  importTargets,
} from '#contract/importing-rules';
import { refusals } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, refuseAll } from '../../../platform/refuse.ts';
import { fieldMeant, fieldsFor } from '../../fields/index.ts';
import { usualOptions } from './present.ts';
import type { ImportRow } from './store.ts';
import { plainGroups, realLabels } from './store-people.ts';

const targets = new Set<string>(importTargets.map((t) => t.key));

/** The columns and options asked for, or the import's own, once they are sure to mean something. */
export async function columnsMeant(
  t: TxCtx,
  row: ImportRow,
  said: { mapping?: readonly (string | null)[] | undefined; options?: ImportOptions | undefined },
): Promise<{ mapping: (string | null)[]; options: ImportOptions }> {
  const headers = row.headers as string[];
  const mapping = headers.map(
    (_, i) => (said.mapping ?? (row.mapping as (string | null)[]))[i] ?? null,
  );
  const options = said.options ?? { ...usualOptions, ...(row.options as object) };
  const fields = await fieldsFor(t, entityOf.contact);
  mapping.forEach((to, i) => {
    if (to === null || targets.has(to)) return;
    if (!to.startsWith(fieldPrefix) || !fieldMeant(fields, to.slice(fieldPrefix.length)))
      invalid({ [`mapping.${i}`]: `“${headers[i]}” cannot go to “${to.slice(0, 40)}”.` });
  });
  if (!hasNameAndNumber(mapping))
    refuseAll('import.no_columns', [
      {
        code: 'import.no_columns',
        title: refusals['import.no_columns'].text,
        detail: mapping.includes('number')
          ? 'Say which column holds the name.'
          : 'Say which column holds the number.',
      },
    ]);
  if (
    (await plainGroups(t.tx, t.companyId, options.groupIds)).length < new Set(options.groupIds).size
  )
    invalid({ 'options.groupIds': 'Choose groups that people can be put into.' });
  if (
    (await realLabels(t.tx, t.companyId, options.labelIds)).length < new Set(options.labelIds).size
  )
    invalid({ 'options.labelIds': 'One of these labels is gone.' });
  return { mapping, options };
}
/** Remembered by the header's words, so that columns may change places. */
export const byHeader = (
  headers: readonly string[],
  mapping: readonly (string | null)[],
): Record<string, string | null> =>
  Object.fromEntries(headers.map((h, i) => [headerWord(h), mapping[i] ?? null]));
