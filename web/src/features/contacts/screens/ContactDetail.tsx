import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan, IconEraser, IconGavel } from '@tabler/icons-react';
import { compliance, contacts } from '#contract';
import {
  EmptyState,
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
import { ErasureNotice } from '../erasing/ErasureNotice.tsx';
import { useErasure, type ErasureState } from '../erasing/use-erasure.ts';

const MergeDialog = lazyComponent(async () => (await import('../MergeDialog.tsx')).MergeDialog);

const OptOutDialog = lazyComponent(async () => (await import('../OptOutDialog.tsx')).OptOutDialog);

const list = { href: '/contacts', label: t('Contacts') };

/** One contact: details, timeline and actions. */
export default function ContactDetail() {
  const id = useIdParam();
  const { state, isErased } = useErasure(id);
  const { response, error, refetch } = useApiQuery(
    contacts.getContact,
    { params: { contactId: id ?? 0 } },
    { enabled: id !== null && !isErased },
  );
  if (isErased) return <Erased />;
  if (error && !response)
    return (
      <Page title={t('Contact')} back={list}>
        <ErrorState error={error} retry={refetch} notFound={t('Contact not found')} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  return <ContactView key={response.data.id} contact={response.data} erasure={state} />;
}

/** What stands where the contact stood that was erased meanwhile. */
function Erased() {
  return (
    <Page title={t('Contact')} back={list}>
      <EmptyState
        icon={<IconEraser size={28} stroke={1.5} />}
        title={t('This person was erased')}
        action={
          <Button component="a" href="/contacts" variant="default">
            {t('Back to contacts')}
          </Button>
        }
      >
        {t('The contact is gone, with all calls, texts and files. The audit log says who did it.')}
      </EmptyState>
    </Page>
  );
}

interface ViewProps {
  contact: Contact;
  /** Undefined while it isn't known. */
  erasure: ErasureState | undefined;
}

function ContactView({ contact: c, erasure }: ViewProps) {
  const [merging, setMerging] = useState(false);
  const [optingOut, setOptingOut] = useState(false);
  const isErasing = Boolean(erasure?.erasure && erasure.erasure.failure === null);
  const mayBlock = usePermission('blocks.edit') && !c.masked;
  const blocks =
    useApiQuery(
      compliance.listBlocks,
      { query: { search: c.number, perPage: 50 } },
      { enabled: mayBlock, silent: true },
    ).response?.data ?? [];
  const blocked = blockStateOf(blocks, c.number) !== null;
  return (
    <Page
      title={contactName(c)}
      back={list}
      aside={<ContactBadges contact={c} blocked={blocked} isHeld={Boolean(erasure?.hold)} />}
      action={
        !isErasing && (
          <ContactActions
            contact={c}
            mayBlock={mayBlock}
            blocked={blocked}
            onMerge={() => setMerging(true)}
            onOptOut={() => setOptingOut(true)}
            isHeld={Boolean(erasure?.hold)}
          />
        )
      }
    >
      {erasure && <ErasureNotice contact={c} state={erasure} />}
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

function ContactBadges({
  contact: c,
  blocked,
  isHeld,
}: {
  contact: Contact;
  blocked: boolean;
  isHeld: boolean;
}) {
  const state = stateOf(c);
  return (
    <span className={css.badges}>
      {state !== 'active' && <StatusBadge tone={stateTone(state)}>{stateName(state)}</StatusBadge>}
      {blocked && (
        <StatusBadge tone="danger" icon={<IconBan size={14} aria-hidden />}>
          {t('Blocked')}
        </StatusBadge>
      )}
      {isHeld && (
        <StatusBadge tone="warn" icon={<IconGavel size={14} aria-hidden />}>
          {t('Legal hold')}
        </StatusBadge>
      )}
    </span>
  );
}
