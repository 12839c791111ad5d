import { useState } from 'react';
import { Button, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { caddy } from '#contract';
import { catalogPages, catalogPageSize } from '#contract/caddy/rules';
import { stateNames } from '#contract/states';
import { EmptyState, ErrorState, Section, t, useApiQuery } from '#ui';
import type { Choosing } from './listed.ts';
import css from './ChooseNumber.module.css';

const states = Object.entries(stateNames).map(([value, label]) => ({ value, label }));

interface Fields {
  areaCode: string;
  contains: string;
  state: string | null;
  category: 'local' | 'toll-free';
}
const noFields: Fields = { areaCode: '', contains: '', state: null, category: 'local' };

/** What the fields look for; null: too little to look for anything. */
function queryOf({ areaCode, contains, state, category }: Fields) {
  const digits = contains && { contains };
  if (category === 'toll-free') return { category, ...digits };
  const area = areaCode.length === 3 && { areaCode };
  if (!area && !digits && !state) return null;
  return { category, ...area, ...digits, ...(state && { state }) };
}

/** Numbers by area code, state and digits. */
export function Catalog({ choose }: Choosing) {
  const [fields, setFields] = useState(noFields);
  const [pages, setPages] = useState(1);
  const set = (change: Partial<Fields>): void => {
    setFields({ ...fields, ...change });
    setPages(1);
  };
  const [settled] = useDebouncedValue(fields, 300);
  const query = queryOf(settled);
  return (
    <Section title={t('Find one yourself')}>
      <Stack gap="sm">
        <SearchFields fields={fields} set={set} />
        {query &&
          Array.from({ length: pages }, (_, i) => (
            <ResultPage
              key={`${JSON.stringify(query)} ${i}`}
              query={{ ...query, page: i + 1 }}
              choose={choose}
              more={i + 1 === pages && pages < catalogPages ? () => setPages(pages + 1) : null}
            />
          ))}
      </Stack>
    </Section>
  );
}

interface SearchFieldsProps {
  fields: Fields;
  set: (change: Partial<Fields>) => void;
}

const SearchFields = ({ fields, set }: SearchFieldsProps) => (
  <>
    <SegmentedControl
      aria-label={t('Kind of number')}
      data={[
        { value: 'local', label: t('Local') },
        { value: 'toll-free', label: t('Toll-free') },
      ]}
      value={fields.category}
      onChange={(category) => set({ category: category as Fields['category'] })}
    />
    <div className={css.fields}>
      {fields.category === 'local' && (
        <>
          <TextInput
            label={t('Area code')}
            inputMode="numeric"
            maxLength={3}
            placeholder="212"
            value={fields.areaCode}
            onChange={(e) => set({ areaCode: e.currentTarget.value.replace(/\D/g, '') })}
          />
          <Select
            label={t('State or province')}
            placeholder={t('Any')}
            searchable
            clearable
            data={states}
            value={fields.state}
            onChange={(state) => set({ state })}
          />
        </>
      )}
      <TextInput
        label={t('Digits or letters in it')}
        maxLength={7}
        placeholder="2580"
        value={fields.contains}
        onChange={(e) => set({ contains: e.currentTarget.value.replace(/[^0-9A-Za-z]/g, '') })}
      />
    </div>
  </>
);

interface ResultPageProps extends Choosing {
  query: { category: 'local' | 'toll-free'; page: number };
  /** Shows the next page; null: this isn't the last one, or there are no more. */
  more: (() => void) | null;
}

function ResultPage({ query, choose, more }: ResultPageProps) {
  const { response, error, refetch } = useApiQuery(
    caddy.searchCaddyCatalog,
    { query },
    { silent: true, staleTime: 5 * 60_000 },
  );
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response)
    return (
      <Text c="dimmed" role="status">
        {t('Looking for numbers…')}
      </Text>
    );
  if (response.data.length === 0)
    return query.page > 1 ? null : (
      <EmptyState title={t('No numbers found')}>
        {t('Try another area code or fewer digits.')}
      </EmptyState>
    );
  return (
    <>
      <ul className={css.results}>
        {response.data.map((number) => (
          <li key={number.number}>
            <button type="button" className={css.result} onClick={() => choose(number)}>
              <span className={css.found}>{number.formatted}</span>
              <span className={css.region}>
                {number.tier === 'plus' ? t('With a paid plan') : number.region}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more && response.data.length === catalogPageSize && (
        <Button variant="default" onClick={more}>
          {t('Show more')}
        </Button>
      )}
    </>
  );
}
