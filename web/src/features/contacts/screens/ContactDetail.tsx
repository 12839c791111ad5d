import { useState } from 'react';
import { IconBan } from '@tabler/icons-react';
import { compliance, contacts } from '#contract';
import {
  ErrorState,
  lazyComponent,
  Page,
  PageSkeleton,
  Section,
  StatusBadge,
  t,
  useApiQuery,
  usePermission,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { blockStateOf } from '../block-state.ts';
import { ContactDetails } from '../ContactDetails.tsx';
import { ContactTimeline } from '../../conversations/index.ts';
import { contactName, stateName, stateOf, stateTone, type Contact } from '../labels.ts';
import css from '../contacts.module.css';
import { AddNote } from '../detail/AddNote.tsx';
import { ContactActions } from './detail/ContactActions.tsx';
import { ContactFacts } from '../detail/ContactFacts.tsx';

const MergeDialog = lazyComponent(async () => (await import('../MergeDialog.tsx')).MergeDialog);

const OptOutDialog = lazyComponent(async () => (await import('../OptOutDialog.tsx')).OptOutDialog);

const list = { href: '/contacts', label: t('Contacts') };

/** One contact: details, timeline and actions. */
export default function ContactDetail() {
  const id = useIdParam();
  const { response, error, refetch } = useApiQuery(
    contacts.getContact,
    { params: { contactId: id ?? 0 } },
    { enabled: id !== null },
  );
  if (error && !response)
    return (
      <Page title={t('Contact')} back={list}>
        <ErrorState error={error} retry={refetch} notFound={t('Contact not found')} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  return <ContactView key={response.data.id} contact={response.data} />;
}

function ContactView({ contact: c }: { contact: Contact }) {
  const [merging, setMerging] = useState(false);
  const [optingOut, setOptingOut] = useState(false);
  const mayBlock = usePermission('blocks.edit') && !c.masked;
  const blocks =
    useApiQuery(
      compliance.listBlocks,
      { query: { search: c.number, perPage: 50 } },
      { enabled: mayBlock, silent: true },
    ).response?.data ?? [];
  const blocked = blockStateOf(blocks, c.number) !== null;
  const state = stateOf(c);
  return (
    <Page
      title={contactName(c)}
      back={list}
      aside={
        <span className={css.badges}>
          {state !== 'active' && (
            <StatusBadge tone={stateTone(state)}>{stateName(state)}</StatusBadge>
          )}
          {blocked && (
            <StatusBadge tone="danger" icon={<IconBan size={14} aria-hidden />}>
              {t('Blocked')}
            </StatusBadge>
          )}
        </span>
      }
      action={
        <ContactActions
          contact={c}
          mayBlock={mayBlock}
          blocked={blocked}
          onMerge={() => setMerging(true)}
          onOptOut={() => setOptingOut(true)}
        />
      }
    >
      <div className={css.columns}>
        <div className={css.main}>
          <AddNote contact={c} />
          <ContactTimeline contact={c} />
        </div>
        <aside className={css.side} aria-label={t('About this contact')}>
          <Section title={t('About')}>
            <ContactFacts contact={c} />
          </Section>
          <ContactDetails contact={c} />
        </aside>
      </div>
      {merging && <MergeDialog contact={c} close={() => setMerging(false)} />}
      {optingOut && <OptOutDialog contact={c} close={() => setOptingOut(false)} />}
    </Page>
  );
}
