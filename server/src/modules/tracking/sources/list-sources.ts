import type { Answer, tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { systemRules } from '../classification/system-rules.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { sourceRows, type SourceRow } from './store.ts';

const presentSource = (row: SourceRow, index: number): contract.Source => ({
  id: row.id,
  key: row.key,
  label: row.label,
  kind: row.kind,
  group: row.source_group,
  precedence: index + 1,
  rules: row.rules,
  isSystem: false,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

/** The company's own sources in their order, then those of everyone. */
export async function listSources(ctx: TxCtx): Promise<Answer<typeof contract.listSources>> {
  const own = await sourceRows(ctx.tx, ctx.companyId);
  return {
    data: [
      ...own.map(presentSource),
      ...knownSystemSources.map((source, index) => ({
        ...source,
        precedence: own.length + index + 1,
        rules: systemRules(source.key),
        isSystem: true,
        createdAt: null,
        updatedAt: null,
      })),
    ],
  };
}
