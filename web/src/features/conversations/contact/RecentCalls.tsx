import { conversations } from '#contract';
import { formatSpan, t, Time, useApiQuery } from '#ui';
import type { Item, ItemOf } from '../cache-updates.ts';
import { KindIcon } from '../KindIcon.tsx';
import { callLabel } from '#ui/messaging/labels.ts';
import panel from './ContactPanel.module.css';
import css from './RecentCalls.module.css';

/** The most recent calls with this contact. */
export function RecentCalls({ conversationId }: { conversationId: number }) {
  const { response } = useApiQuery(
    conversations.listConversationItems,
    { params: { id: conversationId }, query: { types: ['call'], perPage: 5 } },
    { staleTime: 60_000, silent: true },
  );
  const calls = ((response?.data ?? []) as Item[])
    .filter((i): i is ItemOf<'call'> => i.kind === 'call')
    .slice(0, 5);
  return (
    <section className={panel.part}>
      <h2 className={panel.title}>{t('Recent calls')}</h2>
      {response && calls.length === 0 && <p className={css.none}>{t('No calls yet.')}</p>}
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
                {callLabel(c.isInbound, c.details)}
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
