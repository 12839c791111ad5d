import { numbers, templates, tracking } from '#contract';
import { formatPhoneNumber, useApiQuery, useCompanyId, usePermission } from '#ui';

interface Option {
  value: string;
  label: string;
}

/** The company's numbers that are in no pool; `also`: one that is chosen already. */
export function useFreeNumbers(): Option[] {
  const { response } = useApiQuery(
    numbers.listNumbersDatatable,
    { query: { perPage: 250, in_pool: 0, status: ['active'] } },
    { silent: true, enabled: usePermission('dni.edit') },
  );
  return (response?.data ?? []).flatMap(({ id, number, label, category }) =>
    category === 3
      ? []
      : [
          {
            value: String(id),
            label: label ? `${formatPhoneNumber(number)}, ${label}` : formatPhoneNumber(number),
          },
        ],
  );
}

/** The number templates. */
export function useTemplateOptions(): Option[] {
  const { response } = useApiQuery(
    templates.listNumberTemplates,
    { query: { perPage: 250 } },
    { silent: true, enabled: usePermission('routing.view') },
  );
  return (response?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

/** The sources of visitors, the company's own first. */
export function useSourceOptions(): Option[] {
  const { response } = useApiQuery(
    tracking.listSources,
    { params: { companyId: useCompanyId() ?? 0 } },
    { silent: true },
  );
  return (response?.data ?? []).map(({ id, label }) => ({ value: String(id), label }));
}
