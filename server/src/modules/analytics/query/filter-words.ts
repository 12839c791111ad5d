import type { ReportChoices } from '#contract/analytics/call-analytics/report-choices';
import type { TxCtx } from '../../../platform/context.ts';
import { namesOfKeys } from './names-of-keys.ts';
import { labelOf } from './present.ts';
import { unitOf } from './store-names.ts';

const directions: Record<string, string> = {
  outbound: 'Outgoing calls',
  all: 'Incoming and outgoing calls',
};
const sentence = (word: string) =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`.replaceAll('_', ' ');

/** What a report is limited to, in words. A number that its reader doesn't see has no name. */
export async function filterWords(
  ctx: Pick<TxCtx, 'tx' | 'db'>,
  choices: ReportChoices,
  { id, only }: { id: number; only: readonly number[] | null },
): Promise<string[]> {
  const company = { id, organizationId: await unitOf(ctx.tx, id) };
  const nameOf = async (group: 'number' | 'source', key: string): Promise<string> => {
    const name = (await namesOfKeys(ctx, company, group, [key])).get(key) ?? null;
    return labelOf(group, key, name);
  };
  const { number, source, department, status, first, qualified, model } = choices;
  const isSeen = !only || only.includes(Number(number));
  return [
    directions[choices.direction] ?? 'Incoming calls',
    status && sentence(status),
    number && (isSeen ? await nameOf('number', number) : 'One number'),
    source && (await nameOf('source', source)),
    department && sentence(department),
    first && (first === 'yes' ? 'First-time callers' : 'Known callers'),
    qualified && (qualified === 'yes' ? 'Qualified' : 'Not qualified'),
    source && model && `Attribution: ${sentence(model).toLowerCase()}`,
  ].filter((word) => word !== '');
}
