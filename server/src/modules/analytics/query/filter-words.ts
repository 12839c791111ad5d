import type { ReportChoices } from '#contract/analytics/call-analytics/report-choices';
import type { TxCtx } from '../../../platform/context.ts';
import { namesOfKeys } from './names-of-keys.ts';
import { labelOf } from './present.ts';

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
  const company = { id, only, name: '', organizationId: null };
  const nameOf = async (
    group: 'number' | 'source' | 'phrase_list',
    key: string,
  ): Promise<string> => {
    const found = (await namesOfKeys(ctx, [company], group, [key])).get(key);
    return labelOf(group, key, found?.name ?? null);
  };
  const { number, source, department, status, first, qualified, model } = choices;
  const { phrases, mood, tag } = choices;
  const isSeen = !only || only.includes(Number(number));
  return [
    directions[choices.direction] ?? 'Incoming calls',
    status && sentence(status),
    number && (isSeen ? await nameOf('number', number) : 'One number'),
    source && (await nameOf('source', source)),
    department && sentence(department),
    first && (first === 'yes' ? 'First-time callers' : 'Known callers'),
    qualified && (qualified === 'yes' ? 'Qualified' : 'Not qualified'),
    Number(phrases) > 0 ? `Said: ${await nameOf('phrase_list', phrases)}` : '',
    mood && `Sentiment: ${mood}`,
    tag && sentence(tag),
    source && model && `Attribution: ${sentence(model).toLowerCase()}`,
  ].filter((word) => word !== '');
}
