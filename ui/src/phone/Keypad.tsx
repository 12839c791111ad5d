import { t } from '../i18n.ts';
import css from './Keypad.module.css';

const rows = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
] as const;

/** The twelve keys of a telephone. */
export function Keypad({ onKey }: { onKey: (key: string) => void }) {
  return (
    <div className={css.pad} role="group" aria-label={t('Keypad')}>
      {rows.map(([key, letters]) => (
        <button
          key={key}
          type="button"
          className={css.key}
          onClick={() => onKey(key)}
          aria-label={key === '*' ? t('Star') : key === '#' ? t('Pound') : key}
        >
          <span>{key}</span>
          <small aria-hidden>{letters}</small>
        </button>
      ))}
    </div>
  );
}
