import { companies } from '#contract';
import { api, session, t, type Command } from '#ui';

/** Users of the selected company that match the text typed into the command palette. */
export async function findPeople(query: string, signal: AbortSignal): Promise<Command[]> {
  if (!session.get().selectedCompanyId) return [];
  const { data } = await api(
    companies.listCompanyUsers,
    { query: { search: query, perPage: 5 } },
    { silent: true, signal },
  );
  return data.map((u) => ({
    id: `user.${u.id}`,
    group: t('People'),
    title: `${u.first_name} ${u.last_name}`.trim() || u.email,
    description: u.email,
    href: `/settings/users?search=${encodeURIComponent(u.email)}`,
  }));
}
