import { formatPhoneNumber, Section, t, Time } from '#ui';
import { kindName, historyLabel, type RegistrationDetail } from './labels.ts';
import css from './Registration.module.css';

/** History of a registration. Reviews stay listed after their findings are fixed. */
export function History({ history }: { history: RegistrationDetail['history'] }) {
  return (
    <Section title={t('History')}>
      <ul className={css.lines}>
        {history.map((h) => (
          <li key={h.id}>
            <span className={css.grow}>
              <b>
                {historyLabel(h.what)}
                {h.kind ? ` · ${kindName(h.kind)}` : ''}
              </b>
              {h.rejection.map((r, i) => (
                <span key={i}>
                  {r.text} <span className={css.quiet}>{r.fix}</span>
                </span>
              ))}
              {h.numbers.length > 0 && (
                <span>{h.numbers.map((n) => formatPhoneNumber(n)).join(', ')}</span>
              )}
              <small>{h.by || t('System')}</small>
            </span>
            <Time at={h.at} as="ago" />
          </li>
        ))}
      </ul>
    </Section>
  );
}
