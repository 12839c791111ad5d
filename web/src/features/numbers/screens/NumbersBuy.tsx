import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { numbers } from '#contract';
import { api, formatNumber, Page, t, useApiQuery, useFilters } from '#ui';
import { useCart } from '../buying/cart.ts';
import { SearchResults } from '../buying/SearchResults.tsx';
import { emptySearch, searchFieldOf, toNumberSearch, type SearchFields } from '../buying/search.ts';
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
  const chosen = useCart().length;
  const selection = useRef<HTMLDivElement>(null);
  const wanted = toNumberSearch(fields);
  const search = useApiQuery(
    numbers.locateNumbers,
    { body: wanted },
    { enabled: fields.go && !many, staleTime: numbers.searchCacheSeconds * 1000, silent: true },
  );
  const rows = fields.go ? search.response?.data : undefined;
  const [others, setOthers] = useState<{ of: string; rows: numbers.Located[]; ended: boolean }>({
    of: '',
    rows: [],
    ended: false,
  });
  const [loadingOthers, setLoadingOthers] = useState(false);
  const [foundMany, setFoundMany] = useState<numbers.Located[] | undefined>();
  const asked = JSON.stringify(wanted);
  const shown = rows && [...rows, ...(others.of === asked ? others.rows : [])];
  const errors =
    search.error?.status === 422
      ? Object.fromEntries(
          Object.entries(search.error.fields).map(([name, text]) => [searchFieldOf(name), text]),
        )
      : {};

  const showOthers = async (): Promise<void> => {
    setLoadingOthers(true);
    const before = others.of === asked ? others.rows : [];
    const response = await api(numbers.locateNumbers, {
      body: { ...wanted, exclude: (shown ?? []).map((n) => n.number) },
    }).catch(() => null);
    setLoadingOthers(false);
    if (response)
      setOthers({
        of: asked,
        rows: [...before, ...response.data],
        ended: response.data.length === 0,
      });
  };
  const mayShowOthers =
    rows !== undefined && rows.length === wanted.limit && !(others.of === asked && others.ended);

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
          <div className={css.found}>
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
              setOthers({ of: '', rows: [], ended: false });
            }}
          />
        </div>
        {/* On a narrow screen the selection lies below the list; this leads there. */}
        {chosen > 0 && (
          <div className={css.jump}>
            <Button fullWidth onClick={() => selection.current?.scrollIntoView({ block: 'start' })}>
              {t('{n} selected: go to your selection', { n: formatNumber(chosen) })}
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}
