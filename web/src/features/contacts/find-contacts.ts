import { contacts } from '#contract';
import { api, t } from '#ui';
import { contactName, displayNumber } from './labels.ts';

/** Contacts that match the text typed into the command palette. */
export async function findContacts(query: string, signal: AbortSignal) {
  const { data } = await api(
    contacts.listContacts,
    { query: { search: query, perPage: 6 } },
    { silent: true, signal },
  );
  return data.map((c) => ({
    id: `contact.${c.id}`,
    group: t('Contacts'),
    title: contactName(c),
    description: displayNumber(c.number),
    href: `/contacts/${c.id}`,
  }));
}
