import type { FunctionComponent, ReactNode } from 'react';
import { Button } from '@mantine/core';
import { EmptyState, FilterBar, SearchField, t } from '#ui';

/**
 * An empty list: `title`, the children and the action while there is nothing, and `noMatch` with a
 * way back while filters hide everything.
 */
export function ListEmpty({
  list: { isFiltered, clear },
  icon: Icon,
  noMatch,
  title,
  action,
  children,
}: {
  list: { isFiltered: boolean; clear: () => void };
  icon: FunctionComponent<{ size: number; stroke: number }>;
  noMatch: string;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const icon = <Icon size={28} stroke={1.5} />;
  if (!isFiltered)
    return (
      <EmptyState icon={icon} title={title} action={action}>
        {children}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title={noMatch}
      action={
        <Button variant="default" onClick={clear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('Try another search or clear the filters.')}
    </EmptyState>
  );
}

/** The search of a list, and its other filters as children. `label`: what is searched. */
export function ListFilters({
  list: { filters, set, isFiltered, clear },
  label,
  placeholder,
  maxLength,
  children,
}: {
  list: {
    filters: { search: string };
    set: (change: { search: string }) => void;
    isFiltered: boolean;
    clear: () => void;
  };
  label: string;
  placeholder?: string;
  maxLength?: number;
  children?: ReactNode;
}) {
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label={label}
        {...(placeholder !== undefined && { placeholder })}
        {...(maxLength !== undefined && { maxLength })}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      {children}
    </FilterBar>
  );
}
