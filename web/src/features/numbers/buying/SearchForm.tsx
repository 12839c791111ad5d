import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { numbers } from '#contract';
import { countryOfState, stateNames } from '#contract/states';
import { t, useApiQuery } from '#ui';
import { emptySearch, type SearchFields } from './search.ts';
import css from './SearchForm.module.css';

// Loaded lazily because it brings the table of all area codes.
const AreaHint = lazy(() => import('./AreaHint.tsx'));

const forever = { staleTime: Number.POSITIVE_INFINITY };

/** Search fields for numbers: place or prefix, digits, words, pattern. Enter searches. */
export function SearchForm({
  fields,
  onSearch,
  errors,
  searching,
}: {
  fields: SearchFields;
  onSearch: (fields: SearchFields) => void;
  errors: Partial<Record<keyof SearchFields, string>>;
  searching: boolean;
}) {
  const [own, setOwn] = useState(fields);
  const asked = JSON.stringify(fields);
  useEffect(() => setOwn(JSON.parse(asked) as SearchFields), [asked]);
  const set = (change: Partial<SearchFields>): void =>
    setOwn((before) => ({ ...before, ...change }));
  const error: ErrorOf = (field) => (errors[field] ? { error: errors[field] } : {});
  const prefixes =
    useApiQuery(numbers.numberPrefixes, {}, { ...forever, enabled: fields.kind === 'tollFree' })
      .response?.data ?? [];
  const tollFree = fields.kind === 'tollFree';
  const local = fields.kind === 'local' || fields.kind === 'fax';

  return (
    <form
      className={css.form}
      onSubmit={(e) => {
        e.preventDefault();
        onSearch({ ...own, kind: fields.kind, go: true });
      }}
      noValidate
    >
      {local && <PlaceFields own={own} set={set} error={error} />}
      {tollFree && (
        <Select
          label={t('Prefix')}
          w={150}
          allowDeselect={false}
          data={prefixes.map((p) => ({ value: p.prefix, label: p.label }))}
          value={own.prefix}
          onChange={(prefix) => set({ prefix: prefix ?? '8**' })}
        />
      )}
      <PatternFields own={own} set={set} error={error} />
      <SearchActions
        own={{ ...own, kind: fields.kind }}
        hasSearched={fields.go}
        searching={searching}
        onSearch={onSearch}
      />
    </form>
  );
}

type ErrorOf = (field: keyof SearchFields) => { error?: string | undefined };
interface FieldGroupProps {
  own: SearchFields;
  set: (change: Partial<SearchFields>) => void;
  error: ErrorOf;
}

function PlaceFields({ own, set, error }: FieldGroupProps) {
  const states = useMemo(
    () =>
      Object.entries(stateNames)
        .filter(([code]) => countryOfState(code) === own.country)
        .map(([value, label]) => ({ value, label })),
    [own.country],
  );
  return (
    <>
      <Select
        label={t('Country')}
        w={150}
        allowDeselect={false}
        data={[
          { value: 'US', label: t('United States') },
          { value: 'CA', label: t('Canada') },
        ]}
        value={own.country}
        onChange={(country) => set({ country: country ?? 'US', state: '' })}
      />
      <TextInput
        label={t('Area code')}
        w={110}
        inputMode="numeric"
        maxLength={3}
        placeholder="415"
        value={own.areaCode}
        onChange={(e) => set({ areaCode: e.currentTarget.value.replace(/\D/g, '') })}
        {...error('areaCode')}
      />
      <Select
        label={t('State')}
        w={190}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Any state') }}
        placeholder={t('Any state')}
        data={states}
        value={own.state || null}
        onChange={(state) => set({ state: state ?? '' })}
        {...error('state')}
      />
      <TextInput
        label={t('City')}
        w={160}
        placeholder={t('Any city')}
        value={own.city}
        onChange={(e) => set({ city: e.currentTarget.value })}
        {...error('city')}
      />
    </>
  );
}

function PatternFields({ own, set, error }: FieldGroupProps) {
  const patterns = useApiQuery(numbers.vanityPatterns, {}, forever).response?.data ?? [];
  return (
    <>
      <TextInput
        label={t('Digits or a word')}
        w={150}
        placeholder="HOME, 24*7"
        maxLength={20}
        value={own.pattern}
        disabled={own.shape !== ''}
        onChange={(e) => set({ pattern: e.currentTarget.value })}
        {...error('pattern')}
      />
      <Select
        label={t('Where')}
        w={130}
        allowDeselect={false}
        data={numbers.matchModes.map((m) => ({ value: m, label: t(m) }))}
        value={own.match}
        onChange={(match) => set({ match: match ?? 'Contains' })}
      />
      <Select
        label={t('Pattern')}
        w={210}
        clearable
        clearButtonProps={{ 'aria-label': t('No pattern') }}
        placeholder={t('No pattern')}
        data={patterns.map((p) => ({
          value: p.id,
          label: t('{name}, like {example}', { name: p.name, example: p.example }),
        }))}
        value={own.shape || null}
        onChange={(shape) => set({ shape: shape ?? '' })}
      />
      <TagsInput
        label={t('Any of these words')}
        miw={200}
        className={css.words}
        placeholder={own.words.length ? '' : t('Type and press Enter')}
        maxTags={10}
        value={own.words}
        onChange={(words) =>
          set({
            words: words
              .map((w) => w.replace(/[^a-z0-9]/gi, '').toUpperCase())
              .filter((w) => w.length >= 2),
          })
        }
        {...error('words')}
      />
    </>
  );
}

function SearchActions({
  own,
  hasSearched,
  searching,
  onSearch,
}: {
  own: SearchFields;
  hasSearched: boolean;
  searching: boolean;
  onSearch: (fields: SearchFields) => void;
}) {
  const isLocal = own.kind === 'local' || own.kind === 'fax';
  return (
    <div className={css.act}>
      <Button type="submit" loading={searching}>
        {t('Search')}
      </Button>
      {hasSearched && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onSearch({ ...emptySearch, kind: own.kind })}
        >
          {t('Start over')}
        </Button>
      )}
      {isLocal && (
        <Suspense fallback={null}>
          <AreaHint
            code={own.areaCode}
            onPick={(areaCode) => onSearch({ ...own, areaCode, go: true })}
          />
        </Suspense>
      )}
    </div>
  );
}
