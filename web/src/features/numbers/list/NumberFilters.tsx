import { Pill } from '@mantine/core';
import { numbers } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { SearchField, t } from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
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

const shownStatuses = ['active', 'porting', 'suspended', 'parked', 'releasing'];
const shownCategories = [2, 1, 3, 4] as const;

/** Filters of the numbers list: search, status, type, routing, custom fields and tag. */
export function NumberFilters({ filters, set }: NumberFiltersProps) {
  return (
    <>
      <SearchField
        label={t('Search numbers')}
        placeholder={t('Number, label or city')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      <FilterSelect
        label={t('Status')}
        any={t('Any status')}
        w={160}
        options={shownStatuses.map((s) => [s, statusName(s)])}
        value={filters.status}
        onChange={(status) => set({ status })}
      />
      <FilterSelect
        label={t('Type')}
        any={t('Any type')}
        w={130}
        options={shownCategories.map((c) => [String(c), categoryName(c)])}
        value={filters.category}
        onChange={(category) => set({ category })}
      />
      <FilterSelect
        label={t('Routing')}
        any={t('Any routing')}
        w={160}
        options={numbers.routingTypes.map((r) => [r, routingName(r)])}
        value={filters.routingType}
        onChange={(routingType) => set({ routingType })}
      />
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
