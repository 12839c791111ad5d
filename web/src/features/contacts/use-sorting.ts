import { groups } from '#contract';
import { useApiQuery } from '#ui';

/**
 * The company's groups and labels as options. Virtual groups aren't offered, because their rule
 * selects the contacts.
 */
export function useSorting() {
  const all =
    useApiQuery(groups.listGroups, { query: { perPage: 250 } }, { staleTime: 60_000, silent: true })
      .response?.data ?? [];
  const labels =
    useApiQuery(
      groups.listContactLabels,
      { query: { perPage: 250 } },
      { staleTime: 60_000, silent: true },
    ).response?.data ?? [];
  return {
    groups: all,
    labels,
    plain: all.filter((g) => !g.virtual),
    groupOptions: all.map((g) => ({ value: String(g.id), label: g.name })),
    plainOptions: all
      .filter((g) => !g.virtual)
      .map((g) => ({ value: String(g.id), label: g.name })),
    labelOptions: labels.map((l) => ({ value: String(l.id), label: l.label })),
  };
}
