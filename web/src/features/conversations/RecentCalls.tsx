import { conversations } from '#contract';
import { formatSpan, t, Time, useAsk } from '#ui';
import type { Item, ItemOf } from './fold.ts';
import { KindIcon } from './KindIcon.tsx';
import { callWords } from './words.ts';
import panel from './PersonPanel.module.css';
import css from './RecentCalls.module.css';

/** The last few calls with this person. */
export function RecentCalls({ conversationId }: { conversationId: number }) {
  const { answer } = useAsk(
    conversations.listConversationItems,
    { params: { id: conversationId }, query: { types: ['call'], perPage: 5 } },
    { freshMs: 60_000, quiet: true },
  );
  const calls = ((answer?.data ?? []) as Item[])
    .filter((i): i is ItemOf<'call'> => i.kind === 'call')
    .slice(0, 5);
  return (
    <section className={panel.part}>
      <h2 className={panel.title}>{t('Recent calls')}</h2>
      {calls.length === 0 && <p className={css.none}>{t('No calls yet.')}</p>}
      <ul className={css.list}>
        {calls.map((c) => (
          <li key={c.id}>
            <a className={css.call} href={`/calls/${c.details.callId}`}>
              <span
                className={css.icon}
                data-missed={(c.isInbound && c.details.outcome === 2) || undefined}
              >
                <KindIcon
                  kind="call"
                  isInbound={c.isInbound}
                  outcome={c.details.outcome}
                  size={15}
                />
              </span>
              <span className={css.what}>
                {callWords(c.isInbound, c.details)}
                {c.details.outcome === 1 ? `, ${formatSpan(c.details.duration)}` : ''}
              </span>
              <Time at={c.createdAt} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
