import { Select, type SelectProps } from '@mantine/core';
import { tracking } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';

/** Chooses a source of visitors by its key. Nothing for those who can't see tracking. */
export function SourceFilter({
  value,
  onChange,
  ...props
}: {
  value: string;
  onChange: (key: string) => void;
} & Pick<SelectProps, 'label' | 'w' | 'mt' | 'comboboxProps'>) {
  const maySee = usePermission('dni.view');
  const { response } = useApiQuery(
    tracking.listSources,
    { params: { companyId: useCompanyId() ?? 0 } },
    { silent: true, enabled: maySee, staleTime: 60_000 },
  );
  if (!maySee) return null;
  return (
    <Select
      size="sm"
      w={{ base: 'calc(50% - 4px)', sm: 136 }}
      clearable
      searchable
      aria-label={props.label ? undefined : t('Source')}
      placeholder={t('Any source')}
      nothingFoundMessage={t('No results')}
      value={value || null}
      data={(response?.data ?? []).map(({ key, label }) => ({ value: key, label }))}
      onChange={(key) => onChange(key ?? '')}
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Source') }) }}
      {...props}
    />
  );
}
