import { companies, conversations, numbers } from '#contract';
import { api, formatPhoneNumber, hasPermission, registerSearchProvider, session, t } from '#ui';
import { screens } from './routes.tsx';

const hasScreen = (start: string): boolean => screens.some((s) => s.path.startsWith(start));
const silently = (signal: AbortSignal) => ({ silent: true, signal }) as const;

/** What the palette finds beyond screens: conversations, numbers and people of the selected company. */
export function registerPaletteSearch(): () => void {
  const stops = [
    registerSearchProvider({
      group: t('Conversations'),
      search: async (query, signal) => {
        if (!hasScreen('/inbox') || !hasPermission('inbox.view')) return [];
        const { data } = await api(
          conversations.listConversations,
          { query: { search: query, perPage: 6 } },
          silently(signal),
        );
        return data.map((c) => ({
          id: `conversation.${c.id}`,
          group: t('Conversations'),
          title: c.contact?.name || partyName(c.recipient),
          description: `${partyName(c.recipient)} · ${c.number.label || formatPhoneNumber(c.number.number)}`,
          href: `/inbox/${c.id}`,
        }));
      },
    }),
    registerSearchProvider({
      group: t('Contacts'),
      search: async (query, signal) => {
        if (!hasScreen('/contacts/$id') || !hasPermission('contacts.view')) return [];
        // Contacts come with their screens, not with the first load.
        const { findContacts } = await import('../features/contacts/find-contacts.ts');
        return findContacts(query, signal);
      },
    }),
    registerSearchProvider({
      group: t('Numbers'),
      search: async (query, signal) => {
        if (!hasScreen('/numbers/$id') || !hasPermission('numbers.view')) return [];
        const { data } = await api(
          numbers.listNumbersDatatable,
          { query: { search: query, perPage: 6 } },
          silently(signal),
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
    registerSearchProvider({
      group: t('People'),
      search: async (query, signal) => {
        const companyId = session.get().selectedCompanyId;
        if (!companyId || !hasPermission('users.list')) return [];
        const { data } = await api(
          companies.listCompanyUsers,
          { query: { search: query, perPage: 5 } },
          silently(signal),
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
const partyName = (recipient: string): string =>
  recipient === 'anonymous' ? t('Withheld number') : formatPhoneNumber(recipient);
