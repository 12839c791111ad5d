import { Pill, Select } from '@mantine/core';
import { numbers } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { SearchField, t } from '#ui';
import { FieldFilters } from '../../fields/index.ts';
import { categoryName, routingName, statusName } from '../labels.ts';

interface Filters {
  search: string;
  status: string;
  category: string;
  routingType: string;
  eav: string;
  tag: string;
}
interface NumberFiltersProps {
  filters: Filters;
  set: (filters: Partial<Filters>) => void;
}

/** Filters of the numbers list: search, status, type, routing, custom fields and tag. */
export function NumberFilters({ filters, set }: NumberFiltersProps) {
  const select = (
    label: string,
    any: string,
    key: 'status' | 'category' | 'routingType',
    data: { value: string; label: string }[],
    w: number,
  ) => (
    <Select
      aria-label={label}
      placeholder={any}
      w={w}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      data={data}
      value={filters[key] || null}
      onChange={(value) => set({ [key]: value ?? '' })}
    />
  );

  return (
    <>
      <SearchField
        label={t('Search numbers')}
        placeholder={t('Number, label or city')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      {select(
        t('Status'),
        t('Any status'),
        'status',
        ['active', 'porting', 'suspended', 'parked', 'releasing'].map((s) => ({
          value: s,
          label: statusName(s),
        })),
        160,
      )}
      {select(
        t('Type'),
        t('Any type'),
        'category',
        ([2, 1, 3, 4] as const).map((c) => ({ value: String(c), label: categoryName(c) })),
        130,
      )}
      {select(
        t('Routing'),
        t('Any routing'),
        'routingType',
        numbers.routingTypes.map((r) => ({ value: r, label: routingName(r) })),
        160,
      )}
      <FieldFilters entity={entityOf.number} value={filters.eav} onChange={(eav) => set({ eav })} />
      {filters.tag && (
        <Pill
          withRemoveButton
          size="md"
          onRemove={() => set({ tag: '' })}
          removeButtonProps={{
            'aria-label': t('Show all tags'),
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          {t('Tag: {tag}', { tag: filters.tag })}
        </Pill>
      )}
    </>
  );
}
