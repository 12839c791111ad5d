import { SegmentedControl } from '@mantine/core';
import { t } from '#ui';
import css from './SearchForm.module.css';

const kindNames = (): Record<string, string> => ({
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

/** Chooses the type of the numbers to find. */
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
