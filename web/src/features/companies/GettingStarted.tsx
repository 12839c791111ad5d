import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { conversations, type BodyIn } from '#contract';
import { t, useApiQuery, usePermission } from '#ui';
import { hasScreen } from '../../shared/declared-screens.ts';
import css from './GettingStarted.module.css';

interface Step {
  key: string;
  done: boolean;
}
const stepDetails: Record<string, { label: string; to: string }> = {
  number: { label: 'Get a phone number', to: '/numbers/buy' },
  people: { label: 'Invite a teammate', to: '/settings/users' },
  message: { label: 'Send and receive a text', to: '/inbox' },
  answered: { label: 'Answer a call in the browser', to: '/activity/calls' },
  voicemail: { label: 'Listen to a voicemail', to: '/activity/voicemails' },
  company: { label: 'Complete the company profile', to: '/settings/company' },
};
const anyOf = (types: string[], where: object[]) => ({
  body: { page: 1, perPage: 1, tz: 'UTC', types, groups: [where] } as BodyIn<
    typeof conversations.listActivity
  >,
});

/**
 * The setup checklist of a new company. Steps are checked off by the company's data; it disappears
 * when all are done.
 */
export function GettingStarted({ steps }: { steps: readonly Step[] }) {
  const sees = usePermission('analytics.view');
  const answered = useApiQuery(
    conversations.listActivity,
    anyOf(
      ['call'],
      [
        { field: 'outcome', op: 'eq', value: 1 },
        { field: 'direction', op: 'eq', value: 'inbound' },
      ],
    ),
    { enabled: sees, staleTime: 30_000, silent: true },
  );
  const voicemail = useApiQuery(
    conversations.listActivity,
    anyOf(['voicemail'], [{ field: 'unread', op: 'eq', value: false }]),
    { enabled: sees, staleTime: 30_000, silent: true },
  );
  const all: Step[] = [
    ...steps,
    ...(answered.response ? [{ key: 'answered', done: answered.response.meta.total > 0 }] : []),
    ...(voicemail.response ? [{ key: 'voicemail', done: voicemail.response.meta.total > 0 }] : []),
  ].filter((s) => stepDetails[s.key]);
  const done = all.filter((s) => s.done).length;
  if (all.length === 0 || done === all.length) return null;
  return (
    <section className={css.box} aria-labelledby="start">
      <h2 id="start" className={css.title}>
        {t('Getting started')}
      </h2>
      <p className={css.progress}>{t('{done} of {all} done', { done, all: all.length })}</p>
      <div className={css.bar} aria-hidden>
        <span style={{ width: `${(done / all.length) * 100}%` }} />
      </div>
      <ol className={css.list}>
        {all.map((step) => {
          const { label, to } = stepDetails[step.key]!;
          const text = (
            <>
              {step.done ? (
                <IconCircleCheckFilled size={18} aria-hidden />
              ) : (
                <IconCircle size={18} stroke={1.5} aria-hidden />
              )}
              <span>{t(label)}</span>
              <span className={css.state}>{step.done ? t('(done)') : t('(to do)')}</span>
            </>
          );
          return (
            <li key={step.key} data-done={step.done || undefined}>
              {!step.done && hasScreen(to) ? <a href={to}>{text}</a> : <span>{text}</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
