import { useEffect, useState } from 'react';
import { Button, Loader, Select, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { importing, type Answer } from '#contract';
import type { SkipReason } from '#contract/importing-rules';
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
import { countText, fieldName, outcomeName, reasonName, type Import } from './labels.ts';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];
type Row = PreviewResult['problems'][number];
const leftOutStates = 'left_out';

/** What the file would do, with its mistakes, before it does it. */
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
  }, [options]); // oxlint-disable-line exhaustive-deps -- the columns cannot change while this step is open
  const go = async (): Promise<void> => {
    if (await start({ params, body: { mapping: [...mapping], options } })) begun();
  };
  const taken = checked ? checked.created + checked.updated : 0;
  return (
    <Stack gap="md">
      <Section title={t('What happens to them')}>
        <OptionsForm
          options={options}
          errors={errors}
          change={(part) => setOptions((o) => ({ ...o, ...part }))}
        />
      </Section>
      <Section
        title={t('What the file would do')}
        action={checking && checked ? <Loader size={16} aria-label={t('Looking again')} /> : null}
      >
        {!checked ? (
          <div className={css.line} role="status">
            <Loader size={20} aria-label={t('Looking at every row')} />{' '}
            <Text c="dimmed">{t('Looking at every row')}</Text>
          </div>
        ) : (
          <PreviewFigures checked={checked} />
        )}
      </Section>
      {checked && checked.problems.length > 0 && <Problems checked={checked} />}
      {checked && checked.examples.length > 0 && <Examples rows={checked.examples} />}
      <div className={css.foot}>
        <Button variant="default" onClick={back}>
          {t('Back to the columns')}
        </Button>
        <Button
          onClick={() => void go()}
          loading={starting}
          disabled={!checked || checking || checked.rows === 0}
        >
          {taken > 0 ? t('Import {n} contacts', { n: formatNumber(taken) }) : t('Import anyway')}
        </Button>
      </div>
    </Stack>
  );
}

function PreviewFigures({ checked }: { checked: PreviewResult }) {
  const figures: [string, number, boolean?][] = [
    [t('Rows'), checked.rows],
    [t('New'), checked.created],
    [t('Changed'), checked.updated],
    [t('As they are'), checked.unchanged],
    [t('Left out'), checked.skipped, checked.skipped > 0],
    [t('Imported without something'), checked.noted, checked.noted > 0],
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
          {countText(
            checked.optedOut,
            'One of them opted out of texts, and stays so.',
            '{n} of them opted out of texts, and stay so.',
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
      title={t('Rows with mistakes')}
      about={t(
        'They hold up nobody else. Mend them in the file, now or afterwards, and import it again.',
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
            {t('Download the rows with mistakes')}
          </Button>
        )
      }
    >
      <div className={css.line}>
        <Select
          aria-label={t('Which mistakes')}
          placeholder={t('All mistakes')}
          w={240}
          clearable
          clearButtonProps={{ 'aria-label': t('All mistakes') }}
          value={only}
          onChange={setOnly}
          data={kinds.map((k) => ({
            value: k,
            label: k === leftOutStates ? t('Something left out') : reasonName(k as SkipReason),
          }))}
        />
        <Text size="sm" c="dimmed">
          {all > checked.problems.length
            ? t('The first {n} of {all}', {
                n: formatNumber(checked.problems.length),
                all: formatNumber(all),
              })
            : countText(rows.length, 'One row', '{n} rows')}
        </Text>
      </div>
      <Rows rows={rows.slice(0, 100)} label={t('Rows with mistakes')} />
      {rows.length > 100 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('The rest stands in the file of mistakes.')}
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
            <th scope="col">{t('What is wrong')}</th>
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
    <Section title={t('For example')}>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Contact')}</th>
              <th scope="col">{t('Becomes')}</th>
              <th scope="col" data-wide>
                {t('What changes')}
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
