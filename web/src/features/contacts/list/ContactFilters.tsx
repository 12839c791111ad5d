import { Select } from '@mantine/core';
import { contactStates, contactTypes } from '#contract/contacts/rules';
import { entityOf } from '#contract/fields/rules';
import { SearchField, t } from '#ui';
import { useSorting } from '../use-sorting.ts';
import { stateName } from '../labels.ts';
import { FieldFilters } from '../../fields/index.ts';
import type { defaultContactFilters } from './use-contact-list.ts';

type Filters = Pick<
  typeof defaultContactFilters,
  'search' | 'groupId' | 'labelId' | 'state' | 'type' | 'eav'
>;

/** The filters of the contact list. */
export function ContactFilters({
  filters,
  set,
}: {
  filters: Filters;
  set: (filters: Partial<Filters>) => void;
}) {
  const sorting = useSorting();
  const select = (
    label: string,
    any: string,
    field: 'groupId' | 'labelId' | 'state' | 'type',
    data: { value: string; label: string }[],
    w: number,
  ) => (
    <Select
      aria-label={label}
      placeholder={any}
      w={w}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      data={data}
      value={filters[field] || null}
      onChange={(value) => set({ [field]: value ?? '' })}
    />
  );
  return (
    <>
      <SearchField
        label={t('Search contacts')}
        placeholder={t('Name, number or email')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      {select(t('Group'), t('Any group'), 'groupId', sorting.groupOptions, 150)}
      {select(t('Label'), t('Any label'), 'labelId', sorting.labelOptions, 130)}
      {select(
        t('Texting'),
        t('Any state'),
        'state',
        contactStates.map((s) => ({ value: s, label: stateName(s) })),
        135,
      )}
      {select(
        t('Type'),
        t('Any type'),
        'type',
        contactTypes.map((s) => ({ value: s, label: t(s) })),
        115,
      )}
      <FieldFilters
        entity={entityOf.contact}
        value={filters.eav}
        onChange={(eav) => set({ eav })}
      />
    </>
  );
}
