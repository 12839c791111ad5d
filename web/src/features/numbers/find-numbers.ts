import { numbers } from '#contract';
import { api, formatPhoneNumber, t, type Command } from '#ui';

/** Up to six numbers matching a search in the command palette. */
export async function findNumbers(query: string, signal: AbortSignal): Promise<Command[]> {
  const { data } = await api(
    numbers.listNumbersDatatable,
    { query: { search: query, perPage: 6 } },
    { silent: true, signal },
  );
  return data.map((n) => ({
    id: `number.${n.id}`,
    group: t('Numbers'),
    title: formatPhoneNumber(n.number),
    description: n.label,
    href: `/numbers/${n.id}`,
  }));
}
