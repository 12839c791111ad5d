import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { numbers } from '#contract';
import { ask, formatNumber, Page, t, useAsk, useFilters } from '#ui';
import { useCart } from '../features/numbers/cart.ts';
import { FoundList } from '../features/numbers/FoundList.tsx';
import { emptySearch, fieldOf, searchOf, type SearchFields } from '../features/numbers/search.ts';
import { KindChoice, SearchForm } from '../features/numbers/SearchForm.tsx';
import { Selection } from '../features/numbers/Selection.tsx';
import css from './NumbersBuy.module.css';

const ManyForm = lazy(async () => ({
  default: (await import('../features/numbers/ManyForm.tsx')).ManyForm,
}));

/** Find numbers and buy them. The search stands in the address, so it can be sent to a colleague. */
export default function NumbersBuy() {
  const { filters, set } = useFilters(emptySearch);
  const fields = filters as SearchFields;
  const many = fields.kind === 'bulk';
  const chosen = useCart().length;
  const selection = useRef<HTMLDivElement>(null);
  const wanted = searchOf(fields);
  const search = useAsk(
    numbers.locateNumbers,
    { body: wanted },
    { when: fields.go && !many, freshMs: numbers.searchFreshSeconds * 1000, quiet: true },
  );
  const rows = fields.go ? search.answer?.data : undefined;
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
    search.refusal?.status === 422
      ? Object.fromEntries(
          Object.entries(search.refusal.fields).map(([name, text]) => [fieldOf(name), text]),
        )
      : {};

  const showOthers = async (): Promise<void> => {
    setLoadingOthers(true);
    const before = others.of === asked ? others.rows : [];
    const answer = await ask(numbers.locateNumbers, {
      body: { ...wanted, exclude: (shown ?? []).map((n) => n.number) },
    }).catch(() => null);
    setLoadingOthers(false);
    if (answer)
      setOthers({ of: asked, rows: [...before, ...answer.data], ended: answer.data.length === 0 });
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
              searching={search.refreshing && fields.go}
              onSearch={(next) => {
                if (JSON.stringify(next) === JSON.stringify(fields)) search.again();
                else set(next);
              }}
            />
          )}
          <div className={css.found}>
            <FoundList
              away={many ? undefined : search.answer?.meta.away}
              rows={many ? foundMany : shown}
              loading={!many && fields.go && search.loading}
              refusal={many || Object.keys(errors).length ? null : search.refusal}
              again={search.again}
              more={
                !many && mayShowOthers
                  ? { load: () => void showOthers(), loading: loadingOthers }
                  : undefined
              }
            />
          </div>
        </div>
        <div ref={selection} className={css.side}>
          <Selection
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
              {t('{n} chosen: go to your selection', { n: formatNumber(chosen) })}
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}
