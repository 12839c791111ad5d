import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import type { numbers } from '#contract';
import { formatNumber, Page, t, useFilters } from '#ui';
import { useCart } from '../buying/cart.ts';
import { SearchResults } from '../buying/SearchResults.tsx';
import { emptySearch, type SearchFields } from '../buying/search.ts';
import { useNumberSearch } from '../buying/use-number-search.ts';
import { KindChoice } from '../buying/KindChoice.tsx';
import { SearchForm } from '../buying/SearchForm.tsx';
import { CartPanel } from '../buying/CartPanel.tsx';
import css from './NumbersBuy.module.css';

const ManyForm = lazy(async () => ({
  default: (await import('../buying/BulkBuyForm.tsx')).BulkBuyForm,
}));

/** Finds numbers and buys them. The search is part of the address, so it can be shared. */
export default function NumbersBuy() {
  const { filters, set } = useFilters(emptySearch);
  const fields = filters as SearchFields;
  const many = fields.kind === 'bulk';
  const selection = useRef<HTMLDivElement>(null);
  const { search, shown, errors, mayShowOthers, showOthers, loadingOthers, forgetOthers } =
    useNumberSearch(fields);
  const [foundMany, setFoundMany] = useState<numbers.Located[] | undefined>();

  return (
    <Page title={t('Buy numbers')} back={{ href: '/numbers', label: t('Numbers') }} layout="fill">
      <div className={css.columns}>
        <div className={css.main}>
          <KindChoice value={fields.kind} onChange={(kind) => set({ ...emptySearch, kind })} />
          {many ? (
            <Suspense fallback={null}>
              <ManyForm onFound={setFoundMany} />
            </Suspense>
          ) : (
            <SearchForm
              key={fields.kind}
              fields={fields}
              errors={errors}
              searching={search.fetching && fields.go}
              onSearch={(next) => {
                if (JSON.stringify(next) === JSON.stringify(fields)) search.refetch();
                else set(next);
              }}
            />
          )}
          <div className={css.rows}>
            <SearchResults
              away={many ? undefined : search.response?.meta.away}
              rows={many ? foundMany : shown}
              loading={!many && fields.go && search.loading}
              error={many || Object.keys(errors).length ? null : search.error}
              refetch={search.refetch}
              more={
                !many && mayShowOthers
                  ? { load: () => void showOthers(), loading: loadingOthers }
                  : undefined
              }
            />
          </div>
        </div>
        <div ref={selection} className={css.side}>
          <CartPanel
            onBought={() => {
              setFoundMany(undefined);
              forgetOthers();
            }}
          />
        </div>
        <JumpToSelection onJump={() => selection.current?.scrollIntoView({ block: 'start' })} />
      </div>
    </Page>
  );
}

/** On a narrow screen the selection lies below the list; this leads there. */
function JumpToSelection({ onJump }: { onJump: () => void }) {
  const chosen = useCart().length;
  if (chosen === 0) return null;
  return (
    <div className={css.jump}>
      <Button fullWidth onClick={onJump}>
        {t('{n} selected: go to your selection', { n: formatNumber(chosen) })}
      </Button>
    </div>
  );
}
