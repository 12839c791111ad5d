import { companies, conversations, numbers } from '#contract';
import { ask, formatPhoneNumber, may, registerFinder, session, t } from '#ui';
import { screens } from './routes.tsx';

const exists = (start: string): boolean => screens.some((s) => s.path.startsWith(start));
const quietly = (signal: AbortSignal) => ({ quiet: true, signal }) as const;

/** What the palette finds beyond screens: conversations, numbers and people of the selected company. */
export function registerFinders(): () => void {
  const stops = [
    registerFinder({
      group: t('Conversations'),
      find: async (query, signal) => {
        if (!exists('/inbox') || !may('inbox.view')) return [];
        const { data } = await ask(
          conversations.listConversations,
          { query: { search: query, perPage: 6 } },
          quietly(signal),
        );
        return data.map((c) => ({
          id: `conversation.${c.id}`,
          group: t('Conversations'),
          title: c.contact?.name || party(c.recipient),
          description: `${party(c.recipient)} · ${c.number.label || formatPhoneNumber(c.number.number)}`,
          href: `/inbox/${c.id}`,
        }));
      },
    }),
    registerFinder({
      group: t('Contacts'),
      find: async (query, signal) => {
        if (!exists('/contacts/$id') || !may('contacts.view')) return [];
        // Contacts come with their screens, not with the first load.
        const { findContacts } = await import('../features/contacts/find-contacts.ts');
        return findContacts(query, signal);
      },
    }),
    registerFinder({
      group: t('Numbers'),
      find: async (query, signal) => {
        if (!exists('/numbers/$id') || !may('numbers.view')) return [];
        const { data } = await ask(
          numbers.listNumbersDatatable,
          { query: { search: query, perPage: 6 } },
          quietly(signal),
        );
        return data.map((n) => ({
          id: `number.${n.id}`,
          group: t('Numbers'),
          title: formatPhoneNumber(n.number),
          description: n.label,
          href: `/numbers/${n.id}`,
        }));
      },
    }),
    registerFinder({
      group: t('People'),
      find: async (query, signal) => {
        const companyId = session.get().selectedCompanyId;
        if (!companyId || !may('users.list')) return [];
        const { data } = await ask(
          companies.listCompanyUsers,
          { query: { search: query, perPage: 5 } },
          quietly(signal),
        );
        return data.map((u) => ({
          id: `user.${u.id}`,
          group: t('People'),
          title: `${u.first_name} ${u.last_name}`.trim() || u.email,
          description: u.email,
          href: `/settings/users?search=${encodeURIComponent(u.email)}`,
        }));
      },
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
const party = (recipient: string): string =>
  recipient === 'anonymous' ? t('Withheld number') : formatPhoneNumber(recipient);
