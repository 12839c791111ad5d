import { numbers, organizations, fields, tracking, type Answer } from '#contract';
import type { DataGroupType } from '#contract/companies/data-groups/rules';
import { formatPhoneNumber, useApiQuery } from '#ui';

type Organization = Answer<typeof organizations.getOrganization>['data'];
interface Choice {
  value: string;
  label: string;
}

/** The items of a kind that can be chosen: in one company, or for companies and users in all. */
export function useChoices(
  organization: Organization,
  type: DataGroupType,
  companyId: number,
): Choice[] {
  const options = { staleTime: 60_000, silent: true } as const;
  const people = useApiQuery(
    organizations.listOrganizationUsers,
    { params: { id: organization.id }, query: { perPage: 100 } },
    { ...options, enabled: type === 'user' },
  );
  const ours = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: companyId } },
    { ...options, enabled: type === 'number' },
  );
  const pools = useApiQuery(
    tracking.listPools,
    { params: { companyId }, query: { perPage: 100 } },
    { ...options, enabled: type === 'dniPool' },
  );
  const tags = useApiQuery(
    fields.listTags,
    { params: { companyId }, query: { perPage: 100 } },
    { ...options, enabled: type === 'tag' },
  );
  const rows: { id: number; label: string }[] = {
    company: organization.accounts.map(({ id, name }) => ({ id, label: name })),
    user: (people.response?.data ?? []).map((one) => ({
      id: one.id,
      label: `${one.first_name} ${one.last_name}`.trim() || one.email,
    })),
    number: (ours.response?.data ?? []).map(({ id, label, number }) => ({
      id,
      label: [label, formatPhoneNumber(number)].filter(Boolean).join(', '),
    })),
    dniPool: (pools.response?.data ?? []).map(({ id, name }) => ({ id, label: name })),
    tag: (tags.response?.data ?? []).map(({ id, name }) => ({ id, label: name })),
  }[type];
  return rows.map(({ id, label }) => ({ value: String(id), label }));
}
