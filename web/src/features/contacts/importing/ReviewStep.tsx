import { useEffect, useState } from 'react';
import { Button, Loader, Select, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { importing, type Answer } from '#contract';
import type { SkipReason } from '#contract/contacts/importing/rules';
import {
  formatNumber,
  formatPhoneNumber,
  PhoneNumber,
  Section,
  t,
  useApiMutation,
  type ApiError,
} from '#ui';
import { OptionsForm } from './OptionsForm.tsx';
import css from './importing.module.css';
import { rowsText, fieldName, outcomeName, reasonName, type Import } from './labels.ts';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];
type Row = PreviewResult['problems'][number];
const leftOutStates = 'left_out';

/** A dry run of the import: what it would change, and the file's errors. */
export function ReviewStep({
  file,
  mapping,
  back,
  begun,
}: {
  file: Import;
  mapping: readonly (string | null)[];
  back: () => void;
  begun: () => void;
}) {
  const [options, setOptions] = useState(file.options);
  const [checked, setChecked] = useState<PreviewResult | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = (error: ApiError): string[] => {
    setErrors(error.fields);
    return Object.keys(error.fields).filter((f) => f.startsWith('options.'));
  };
  const params = { importId: file.id };
  const { mutate: check, isPending: checking } = useApiMutation(importing.checkContactImport, {
    onFieldErrors: form,
  });
  const { mutate: start, isPending: starting } = useApiMutation(importing.startContactImport, {
    onFieldErrors: form,
    invalidates: [importing.getContactImport, importing.listContactImports],
  });
  useEffect(() => {
    let late = false;
    void check({ params, body: { mapping: [...mapping], options } }).then((response) => {
      if (response && !late) {
        setChecked(response.data);
        setErrors({});
      }
    });
    return () => {
      late = true;
    };
  }, [options]); // oxlint-disable-line exhaustive-deps -- the columns can't change while this step is open
  const go = async (): Promise<void> => {
    if (await start({ params, body: { mapping: [...mapping], options } })) begun();
  };
  const taken = checked ? checked.created + checked.updated : 0;
  return (
    <Stack gap="md">
      <Section title={t('Import options')}>
        <OptionsForm
          options={options}
          errors={errors}
          change={(part) => setOptions((o) => ({ ...o, ...part }))}
        />
      </Section>
      <Section
        title={t('Import preview')}
        action={checking && checked ? <Loader size={16} aria-label={t('Checking again')} /> : null}
      >
        {!checked ? (
          <div className={css.line} role="status">
            <Loader size={20} aria-label={t('Checking every row')} />{' '}
            <Text c="dimmed">{t('Checking every row')}</Text>
          </div>
        ) : (
          <PreviewFigures checked={checked} />
        )}
      </Section>
      {checked && checked.problems.length > 0 && <Problems checked={checked} />}
      {checked && checked.examples.length > 0 && <Examples rows={checked.examples} />}
      <div className={css.foot}>
        <Button variant="default" onClick={back}>
          {t('Back to columns')}
        </Button>
        <Button
          onClick={() => void go()}
          loading={starting}
          disabled={!checked || checking || checked.rows === 0}
        >
          {taken > 0
            ? t('{n, plural, one {Import # contact} other {Import # contacts}}', { n: taken })
            : t('Import anyway')}
        </Button>
      </div>
    </Stack>
  );
}

function PreviewFigures({ checked }: { checked: PreviewResult }) {
  const figures: [string, number, boolean?][] = [
    [t('Rows'), checked.rows],
    [t('New'), checked.created],
    [t('Updated'), checked.updated],
    [t('Unchanged'), checked.unchanged],
    [t('Skipped'), checked.skipped, checked.skipped > 0],
    [t('Partially imported'), checked.noted, checked.noted > 0],
  ];
  return (
    <>
      <div role="status">
        <dl className={css.figures}>
          {figures.map(([name, n, warn]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd {...(warn && { 'data-tone': 'warn' })}>{formatNumber(n)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {checked.optedOut > 0 && (
        <Text size="sm" mt="sm">
          {t(
            '{n, plural, one {# of them opted out of texts and stays} other {# of them opted out of texts and stay}} opted out.',
            { n: checked.optedOut },
          )}
        </Text>
      )}
      {checked.newGroups.length > 0 && (
        <Text size="sm" mt={4}>
          {t('New groups: {names}', { names: checked.newGroups.slice(0, 10).join(', ') })}
        </Text>
      )}
      {checked.newLabels.length > 0 && (
        <Text size="sm" mt={4}>
          {t('New labels: {names}', { names: checked.newLabels.slice(0, 10).join(', ') })}
        </Text>
      )}
    </>
  );
}

function Problems({ checked }: { checked: PreviewResult }) {
  const [only, setOnly] = useState<string | null>(null);
  const kinds = [...new Set(checked.problems.map((p) => p.reason ?? leftOutStates))];
  const rows = checked.problems.filter(
    (p) => only === null || (p.reason ?? leftOutStates) === only,
  );
  const all = checked.skipped - (checked.skippedBy['exists'] ?? 0) + checked.noted;
  return (
    <Section
      title={t('Rows with errors')}
      about={t(
        'They don’t hold up the rest. Fix them in the file now or later, and import it again.',
      )}
      action={
        checked.mistakesUrl && (
          <Button
            component="a"
            href={checked.mistakesUrl}
            download
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {t('Download rows with errors')}
          </Button>
        )
      }
    >
      <div className={css.line}>
        <Select
          aria-label={t('Error type')}
          placeholder={t('All errors')}
          w={240}
          clearable
          clearButtonProps={{ 'aria-label': t('All errors') }}
          value={only}
          onChange={setOnly}
          data={kinds.map((k) => ({
            value: k,
            label: k === leftOutStates ? t('Partially imported') : reasonName(k as SkipReason),
          }))}
        />
        <Text size="sm" c="dimmed">
          {all > checked.problems.length
            ? t('The first {n} of {all}', {
                n: formatNumber(checked.problems.length),
                all: formatNumber(all),
              })
            : rowsText(rows.length)}
        </Text>
      </div>
      <Rows rows={rows.slice(0, 100)} label={t('Rows with errors')} />
      {rows.length > 100 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('The rest are in the error file.')}
        </Text>
      )}
    </Section>
  );
}

function Rows({ rows, label }: { rows: readonly Row[]; label: string }) {
  return (
    <div
      className={css.scroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ marginTop: 8, maxHeight: 380, overflowY: 'auto' }}
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('Row')}</th>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Number')}</th>
            <th scope="col">{t('Problem')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.row}>
              <td data-numeric>{r.row}</td>
              <td>{r.name || '–'}</td>
              <td data-numeric>
                {r.number
                  ? r.number.startsWith('+')
                    ? formatPhoneNumber(r.number)
                    : r.number
                  : '–'}
              </td>
              <td>{r.problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Examples({ rows }: { rows: readonly Row[] }) {
  return (
    <Section title={t('Example')}>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Contact')}</th>
              <th scope="col">{t('Result')}</th>
              <th scope="col" data-wide>
                {t('Changes')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 12).map((r) => (
              <tr key={r.row}>
                <td data-numeric>{r.row}</td>
                <td>
                  {r.name ? `${r.name} · ` : ''}
                  <PhoneNumber value={r.number} />
                </td>
                <td>{outcomeName(r.outcome)}</td>
                <td data-wide data-changes>
                  {r.changes.length === 0
                    ? r.outcome === 'updated'
                      ? t('Groups or labels')
                      : '–'
                    : r.changes.slice(0, 4).map((c) => (
                        <div key={c.field}>
                          {fieldName(c.field)}:{' '}
                          {c.before && (
                            <>
                              <span className={css.was}>{c.before.slice(0, 40)}</span> →{' '}
                            </>
                          )}
                          {c.after.slice(0, 40)}
                        </div>
                      ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
