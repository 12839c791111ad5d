import { Select } from '@mantine/core';
import { listPhraseLists } from '#contract/calls/phrases/endpoints';
import { t, useApiQuery, useCompanyId } from '#ui';

/** Chooses a list of which a phrase was said. Nothing where the company has none. */
export function PhraseFilter({
  value,
  onChange,
}: {
  value: string;
  onChange: (listId: string) => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    listPhraseLists,
    { params: { companyId } },
    { silent: true, staleTime: 60_000, enabled: companyId !== 0 },
  );
  if (!response?.data.length) return null;
  return (
    <Select
      size="sm"
      w={{ base: 'calc(50% - 4px)', sm: 136 }}
      clearable
      searchable={response.data.length > 10}
      aria-label={t('Phrase list')}
      placeholder={t('Any phrase')}
      value={value || null}
      data={response.data.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(id) => onChange(id ?? '')}
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Phrase list') }) }}
    />
  );
}
