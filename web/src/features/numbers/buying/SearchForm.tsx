import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Button, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { numbers } from '#contract';
import { countryOfState, stateNames } from '#contract/states';
import { t, useApiQuery } from '#ui';
import { emptySearch, type SearchFields } from './search.ts';
import css from './SearchForm.module.css';

// Loaded lazily because it brings the table of all area codes.
const AreaHint = lazy(() => import('./AreaHint.tsx'));

const forever = { staleTime: Number.POSITIVE_INFINITY };
export const kindNames = (): Record<string, string> => ({
  local: t('Local'),
  tollFree: t('Toll-free'),
  fax: t('Fax'),
  bulk: t('Bulk'),
});

const kindDescriptions = (): Record<string, string> => ({
  local: t('Calls, texts and pictures, with an area code you choose.'),
  tollFree: t('Calls, texts and pictures. Free for callers.'),
  fax: t('Receives and sends faxes.'),
  bulk: t('Many numbers per area code, up to 500.'),
});

export function KindChoice({
  value,
  onChange,
}: {
  value: string;
  onChange: (kind: string) => void;
}) {
  return (
    <div className={css.kind}>
      <SegmentedControl
        aria-label={t('Number type')}
        value={value}
        onChange={onChange}
        data={Object.entries(kindNames()).map(([kind, label]) => ({ value: kind, label }))}
      />
      <span className={css.about}>{kindDescriptions()[value]}</span>
    </div>
  );
}

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
  useEffect(() => setOwn(fields), [JSON.stringify(fields)]);
  const set = (change: Partial<SearchFields>): void =>
    setOwn((before) => ({ ...before, ...change }));
  const error = (field: keyof SearchFields) => (errors[field] ? { error: errors[field] } : {});
  const prefixes =
    useApiQuery(numbers.numberPrefixes, {}, { ...forever, enabled: fields.kind === 'tollFree' })
      .response?.data ?? [];
  const patterns = useApiQuery(numbers.vanityPatterns, {}, forever).response?.data ?? [];
  const states = useMemo(
    () =>
      Object.entries(stateNames)
        .filter(([code]) => countryOfState(code) === own.country)
        .map(([value, label]) => ({ value, label })),
    [own.country],
  );
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
      {local && (
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
      )}
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
      <div className={css.act}>
        <Button type="submit" loading={searching}>
          {t('Search')}
        </Button>
        {fields.go && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => onSearch({ ...emptySearch, kind: fields.kind })}
          >
            {t('Start over')}
          </Button>
        )}
        {local && (
          <Suspense fallback={null}>
            <AreaHint
              code={own.areaCode}
              onPick={(areaCode) => onSearch({ ...own, kind: fields.kind, areaCode, go: true })}
            />
          </Suspense>
        )}
      </div>
    </form>
  );
}
