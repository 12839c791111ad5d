import { useMemo } from 'react';
import { listNumbersOfCompany } from '#contract/numbers/endpoints';
import { formatPhoneNumber, useApiQuery, usePermission } from '#ui';

export interface OurNumber {
  id: number;
  number: string;
  formatted: string;
  label: string;
  canText: boolean;
  canCall: boolean;
  canFax: boolean;
}

/** The company's numbers that the user can access, by label. */
export function useOurNumbers(): OurNumber[] {
  const may = usePermission('numbers.view');
  const { response } = useApiQuery(
    listNumbersOfCompany,
    { params: { id: ':companyId' } },
    { enabled: may, staleTime: 60_000, silent: true },
  );
  return useMemo(
    () =>
      (response?.data ?? [])
        .filter((n) => n.status === 'active')
        .map((n) => ({
          id: n.id,
          number: n.number,
          formatted: formatPhoneNumber(n.number),
          label: n.label || formatPhoneNumber(n.number),
          canText: n.sms_enabled,
          canCall: n.category !== 3,
          canFax: n.category === 3,
        }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [response],
  );
}
