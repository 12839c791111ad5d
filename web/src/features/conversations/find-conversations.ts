import { conversations } from '#contract';
import { api, formatPhoneNumber, t, type Command } from '#ui';

/** Conversations that match the text typed into the command palette. */
export async function findConversations(query: string, signal: AbortSignal): Promise<Command[]> {
  const { data } = await api(
    conversations.listConversations,
    { query: { search: query, perPage: 6 } },
    { silent: true, signal },
  );
  return data.map((c) => ({
    id: `conversation.${c.id}`,
    group: t('Conversations'),
    title: c.contact?.name || partyName(c.recipient),
    description: `${partyName(c.recipient)} · ${c.number.label || formatPhoneNumber(c.number.number)}`,
    href: `/inbox/${c.id}`,
  }));
}

const partyName = (recipient: string): string =>
  recipient === 'anonymous' ? t('Withheld number') : formatPhoneNumber(recipient);
