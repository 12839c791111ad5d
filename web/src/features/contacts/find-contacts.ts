import { contacts } from '#contract';
import { ask, t } from '#ui';
import { contactName, shownNumber } from './words.ts';

/** What the palette shows of contacts. */
export async function findContacts(query: string, signal: AbortSignal) {
  const { data } = await ask(
    contacts.listContacts,
    { query: { search: query, perPage: 6 } as never },
    { quiet: true, signal },
  );
  return data.map((c) => ({
    id: `contact.${c.id}`,
    group: t('Contacts'),
    title: contactName(c),
    description: shownNumber(c.number),
    href: `/contacts/${c.id}`,
  }));
}
