import { companies } from '#contract';
import { useApiQuery } from '#ui';

/** The company's active people, to choose from. */
export function usePeople(): { value: string; label: string }[] {
  const { response } = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true },
  );
  return (response?.data ?? []).map((one) => ({
    value: String(one.id),
    label: `${one.first_name} ${one.last_name}`.trim() || one.email,
  }));
}
