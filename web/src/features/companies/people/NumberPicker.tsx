import { MultiSelect } from '@mantine/core';
import { listNumbersOfCompany } from '#contract/numbers/endpoints';
import { formatPhoneNumber, t, useApiQuery } from '#ui';

/** Numbers of a company to choose from; of the open one unless another is named. */
export function NumberPicker({
  companyId,
  chosen,
  onChange,
  placeholder = t('Choose numbers'),
}: {
  companyId?: number;
  placeholder?: string;
  chosen: string[];
  onChange: (ids: string[]) => void;
}) {
  const { response } = useApiQuery(
    listNumbersOfCompany,
    { params: { id: companyId ?? ':companyId' } },
    { staleTime: 60_000, silent: true },
  );
  return (
    <MultiSelect
      label={t('Numbers')}
      placeholder={chosen.length ? '' : placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear') }}
      limit={100}
      data={(response?.data ?? []).map((n) => ({
        value: String(n.id),
        label: n.label
          ? `${n.label} · ${formatPhoneNumber(n.number)}`
          : formatPhoneNumber(n.number),
      }))}
      value={chosen}
      onChange={onChange}
    />
  );
}
